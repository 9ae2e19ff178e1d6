"""What a rollout's record says in its payload: rule 93 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from sessionscan.reference.codex_content import read_payload_content
from sessionscan.reference.codex_totals import read_total
from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.reference.codex_totals import Total
    from sessionscan.reference.content import Block
    from sessionscan.reference.envelope import Columns, Message
    from sessionscan.reference.facts import Record
    from sessionscan.reference.values import Reader

SESSION_META = "session_meta"
TURN_CONTEXT = "turn_context"
_TYPES = frozenset(
    {SESSION_META, TURN_CONTEXT, "response_item", "event_msg", "compacted", "world_state"}
)
_STRINGS = {
    SESSION_META: {
        "session_id": "id",
        "cwd": "cwd",
        "version": "cli_version",
        "entrypoint": "originator",
        "forked_from_session_id": "forked_from_id",
    },
    TURN_CONTEXT: {"cwd": "cwd", "model": "model", "effort": "effort"},
    "response_item": {"role": "role"},
}


@dataclass(slots=True)
class Rollout:
    """What is kept of a payload.

    `columns` are what it says for the record's, `written` is a digest of its JSON
    text, and `total` is that of the thread so far, where it tells one.
    """

    written: bytes
    columns: Columns
    blocks: list[Block]
    n_blocks: int | None
    total: Total | None

    @property
    def forked_from_id(self) -> str | None:
        """Give the thread that this one says it comes from; an empty id is none."""
        return self.columns.get("forked_from_session_id") or None

    def fill_in(self, columns: Columns, message: Message) -> None:
        """Put what it says where the envelope says nothing."""
        for column, value in self.columns.items():
            if column == "model":
                message.model = value if message.model is None else message.model
            elif columns[column] is None:
                columns[column] = value


def read_rollout(obj: Obj, kind: str | None, reader: Reader) -> Rollout | None:
    """Read the payload of a record of type `kind`; None where it is no rollout's."""
    payload = obj.get("payload")
    if kind not in _TYPES or not isinstance(payload, Obj):
        return None
    reader.look(obj, ("payload",))
    strings = {"subtype": "type", **_STRINGS.get(kind, {})}
    reader.look(payload, strings.values())
    columns: Columns = {column: reader.string(payload, key) for column, key in strings.items()}
    if kind == SESSION_META:
        columns["git_branch"] = _git_branch(payload, reader)
    own_type = columns["subtype"]
    blocks, n_blocks = read_payload_content(kind, own_type, payload, reader)
    is_total = kind == "event_msg" and own_type == "token_count"
    return Rollout(
        written=sha256((obj.raw("payload") or "").encode()).digest(),
        columns=columns,
        blocks=blocks,
        n_blocks=n_blocks,
        total=read_total(payload, reader) if is_total else None,
    )


def _git_branch(payload: Obj, reader: Reader) -> str | None:
    reader.look(payload, ("git",))
    git = reader.object(payload, "git")
    if git is None:
        return None
    reader.look(git, ("branch",))
    return reader.string(git, "branch")


def first_session_meta(records: Iterable[Record]) -> Record | None:
    """Give the record that says whose file it is."""
    return next((record for record in records if is_session_meta(record)), None)


def is_session_meta(record: Record) -> bool:
    """Say whether a record is a rollout's session_meta."""
    return record.rollout is not None and record.columns["type"] == SESSION_META


def give_session(records: Sequence[Record], session_id: str | None) -> None:
    """Give the session of a file to its rollout's records; the first session_meta may name one."""
    first = first_session_meta(records)
    for record in records if session_id is not None else ():
        if record.rollout is not None and (record is not first or record.session_id is None):
            record.columns["session_id"] = session_id
