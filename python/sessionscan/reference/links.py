"""Sessions that share records -> the rows of `links`: rule 43 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from sessionscan.reference.session_key import key_of_row, session_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.joined import Joined

    Pair = tuple[str, str]

_BY_EVIDENCE = ("forkedFrom", "shared_uuid", "shared_response")


@dataclass(slots=True, eq=False)
class _Held:
    """What the records of a session hold: the first of each uuid and of each fork."""

    by_uuid: dict[str, Record] = field(default_factory=dict)
    first_time: dict[str, int] = field(default_factory=dict)
    forks: dict[str, list[Record]] = field(default_factory=dict)


def link_rows(joined: Joined, sessions: Sequence[Columns]) -> list[Columns]:
    """Give a row for each pair of sessions that share something, by its strongest evidence."""
    held = _held(joined.read)
    order = {row["session_id"]: number for number, row in enumerate(sessions)}
    rows: dict[Pair, Columns] = {}
    for session, own in held.items():
        for other, records in own.forks.items():
            rows[session, other] = _of_fork(session, other, records)
    for pair, shared in _shared_uuids(held).items():
        if not _is_linked(rows, pair):
            session, other = _from_later(pair, held, order)
            rows[session, other] = _of_uuids(session, other, shared, held[session])
    for pair, copies in _copies(joined, held).items():
        if not _is_linked(rows, pair):
            rows[pair] = _of_responses(pair, copies)
    for row in rows.values():
        row["target_found"] = row["other_session_id"] in order

    def rank(row: Columns) -> tuple[tuple[int, str], tuple[int, str]]:
        return _rank(row["session_id"], order), _rank(row["other_session_id"], order)

    return sorted(rows.values(), key=rank)


def _held(files: Iterable[FileFacts]) -> dict[str, _Held]:
    held: dict[str, _Held] = {}
    for facts in files:
        for record in facts.counted:
            session = session_key(record.session_id, facts)
            if isinstance(session, str):
                _hold(held.setdefault(session, _Held()), session, record)
    return held


def _hold(own: _Held, session: str, record: Record) -> None:
    if record.rollout is not None:
        return
    columns = record.columns
    other = columns["forked_from_session_id"]
    if other and other != session:
        own.forks.setdefault(other, []).append(record)
    if uuid := columns["uuid"]:
        own.by_uuid.setdefault(uuid, record)
        if (moment := columns["timestamp"]) is not None:
            own.first_time[uuid] = min(moment, own.first_time.get(uuid, moment))


def _is_linked(rows: Mapping[Pair, Columns], pair: Pair) -> bool:
    return pair in rows or (pair[1], pair[0]) in rows


def _rank(session: str, order: Mapping[str, int]) -> tuple[int, str]:
    """Order sessions as in their table; ids without a row stand last, by bytes."""
    return (order[session], "") if session in order else (len(order), session)


def _row(pair: Pair, evidence: str, first: Columns, n_shared: int, uuid: str | None) -> Columns:
    return {
        "file_id": first["file_id"],
        "line": first["line"],
        "session_id": pair[0],
        "other_session_id": pair[1],
        "evidence": evidence,
        "n_shared": n_shared,
        "first_shared_uuid": uuid,
    }


def _spot(record: Record) -> Columns:
    return {"file_id": record.file_id, "line": record.line}


def _of_fork(session: str, other: str, records: Sequence[Record]) -> Columns:
    uuid = records[0].columns["forked_from_message_uuid"]
    return _row((session, other), "forkedFrom", _spot(records[0]), len(records), uuid)


def _shared_uuids(held: Mapping[str, _Held]) -> dict[Pair, set[str]]:
    """Give the uuids that two sessions both have, by their pair."""
    holders: dict[str, list[str]] = {}
    for session, own in held.items():
        for uuid in own.by_uuid:
            holders.setdefault(uuid, []).append(session)
    shared: dict[Pair, set[str]] = {}
    for uuid, sessions in holders.items():
        for pair in combinations(sessions, 2):
            shared.setdefault(pair, set()).add(uuid)
    return shared


def _from_later(pair: Pair, held: Mapping[str, _Held], order: Mapping[str, int]) -> Pair:
    """Turn a pair so that the descendant stands first.

    The ancestor is the session whose own unshared records start first; one that
    has none is all in the other.
    """

    def start(session: str, other: str) -> tuple[bool, int, tuple[int, str]]:
        shared, times = held[other].by_uuid, held[session].first_time
        first = min((at for uuid, at in times.items() if uuid not in shared), default=None)
        return first is not None, first or 0, _rank(session, order)

    one, two = pair
    return (two, one) if start(one, two) < start(two, one) else pair


def _of_uuids(session: str, other: str, shared: set[str], own: _Held) -> Columns:
    first = min((own.by_uuid[uuid] for uuid in shared), key=lambda record: record.place)
    uuid = first.columns["uuid"]
    return _row((session, other), "shared_uuid", _spot(first), len(shared), uuid)


def _copies(joined: Joined, held: Mapping[str, _Held]) -> dict[Pair, list[Columns]]:
    """Give the responses that one session has as copies of another's.

    Where both have some of the other's, the first copy says which points to which.
    """
    copies: dict[Pair, list[Columns]] = {}
    for row in joined.usage:
        session, other = key_of_row(row, joined.files), row["copy_of_session_id"]
        if not isinstance(session, str) or not other or session == other:
            continue
        if session in held and other in held:
            turned = (other, session)
            copies.setdefault(turned if turned in copies else (session, other), []).append(row)
    return copies


def _of_responses(pair: Pair, copies: Sequence[Columns]) -> Columns:
    return _row(pair, "shared_response", copies[0], len(copies), None)


def add_ancestors(sessions: Iterable[Columns], links: Iterable[Columns]) -> None:
    """Name the nearest ancestor of sessions whose records do not name one themselves."""
    nearest: dict[str, tuple[int, int, str]] = {}
    for row in links:
        rank = _BY_EVIDENCE.index(row["evidence"]), -row["n_shared"]
        best = nearest.get(row["session_id"])
        if best is None or rank < best[:2]:
            nearest[row["session_id"]] = (*rank, row["other_session_id"])
    for row in sessions:
        if row["forked_from_session_id"] is None and row["session_id"] in nearest:
            row["forked_from_session_id"] = nearest[row["session_id"]][2]
