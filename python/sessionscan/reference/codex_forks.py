"""What a fork repeats of the thread that it comes from: rule 97 of the rulings."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from sessionscan.reference.codex_records import first_session_meta, is_session_meta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.facts import FileFacts, Record


def mark_forks(files: Sequence[FileFacts]) -> None:
    """Mark the replays of forks among files that are read, which stand in order."""
    by_session: dict[str, list[FileFacts]] = {}
    for facts in files:
        if facts.session_id is not None:
            by_session.setdefault(facts.session_id, []).append(facts)
    for fork in files:
        first = first_session_meta(fork.records)
        if first is None or first.rollout is None or first.rollout.forked_from_id is None:
            continue
        named = by_session.get(first.rollout.forked_from_id, [])
        parent = next((facts for facts in named if facts is not fork), None)
        if parent is not None:
            _mark(fork.records, first, _common(_of_thread(fork), _of_thread(parent)))


def _of_thread(facts: FileFacts) -> list[Record]:
    """Give the records of a rollout, without those that say whose file it is."""
    return [
        record
        for record in facts.records
        if record.rollout is not None and not is_session_meta(record)
    ]


def _common(own: Sequence[Record], parents: Sequence[Record]) -> list[Record]:
    """Give the beginning of `own` with which `parents` begin too."""
    pairs = zip(own, parents, strict=False)
    return [record for record, _ in takewhile(lambda pair: _key(pair[0]) == _key(pair[1]), pairs)]


def _key(record: Record) -> tuple[str, bytes | None]:
    # Not the timestamp: a fork writes it anew.
    return record.columns["type"], record.rollout.written if record.rollout else None


def _mark(records: Sequence[Record], first: Record, repeated: Sequence[Record]) -> None:
    """Mark what is repeated, and the session_metas that were written with it."""
    if not repeated:
        return
    for record in repeated:
        record.is_replay = True
    for record in records:
        if record is repeated[-1]:
            break
        if is_session_meta(record) and record is not first:
            record.is_replay = True
