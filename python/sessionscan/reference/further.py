"""What the further tables need of a record: rule 39 of the rulings.

The keys of each kind of record are read beside the table that shows them; here
stands which of them a record has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.attachments import Attachment, read_attachment
from sessionscan.reference.compactions import is_boundary, read_boundary
from sessionscan.reference.events import Event, read_event, read_progress
from sessionscan.reference.journal import JOURNAL_TYPES, JournalEntry, read_journal_entry
from sessionscan.reference.json_values import Obj
from sessionscan.reference.ledger import CostState, read_cost_state
from sessionscan.reference.tracked_backups import TrackedBackup, read_delta, read_snapshot
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns

_TITLE_KEYS = {
    "custom-title": ("customTitle", "title"),
    "ai-title": ("aiTitle", "title"),
    "summary": ("summary",),
}


@dataclass(frozen=True, slots=True)
class InlineAgent:
    """What an `agent_progress` record says of its agent: id, and when that was."""

    agent_id: str | None
    timestamp: int | None


@dataclass(slots=True)
class Further:
    """The further facts of a record; None is what a record of its kind has not.

    `attachment` is None for one that is no object, whose `payload_chars` counts
    all the same. `title` is the text of a title or summary record, by its type.
    `event` is there for every record that is neither message nor attachment.
    """

    is_message: bool
    event: Event | None = None
    attachment: Attachment | None = None
    payload_chars: int | None = None
    boundary: Columns | None = None
    backups: list[TrackedBackup] = field(default_factory=list)
    cost: CostState | None = None
    title: str | None = None
    journal: JournalEntry | None = None
    inline_agent: InlineAgent | None = None


def read_further(obj: Obj, columns: Columns, reader: Reader, *, is_message: bool) -> Further:
    """Read the further keys of a record, counting in `reader` what is wrong with them."""
    further = Further(is_message)
    if columns["type"] == "attachment":
        _read_attachment(obj, further, reader)
    elif not is_message:
        further.event = read_event(obj, reader)
        _read_by_type(obj, columns, further, further.event, reader)
    if columns["type"] == "progress":
        further.inline_agent = _inline_agent(obj, columns)
    return further


def _read_attachment(obj: Obj, further: Further, reader: Reader) -> None:
    value = obj.get("attachment")
    if value is not None:
        further.payload_chars = len(obj.raw("attachment") or "")
    if isinstance(value, Obj):
        further.attachment = read_attachment(value, reader)


def _read_by_type(
    obj: Obj, columns: Columns, further: Further, event: Event, reader: Reader
) -> None:
    """Read what only some types of events have."""
    kind = columns["type"]
    if kind == "progress":
        read_progress(obj, event, reader)
    elif is_boundary(columns):
        further.boundary = read_boundary(obj, columns["subtype"], reader)
    elif kind == "file-history-snapshot":
        further.backups = read_snapshot(obj, reader)
    elif kind == "file-history-delta":
        further.backups = read_delta(obj, reader)
    elif kind == "cost-state":
        further.cost = read_cost_state(obj, reader)
    elif kind in _TITLE_KEYS:
        reader.look(obj, _TITLE_KEYS[kind])
        titles = [reader.string(obj, key) for key in _TITLE_KEYS[kind]]
        further.title = next((title for title in titles if title is not None), None)
    elif kind in JOURNAL_TYPES:
        further.journal = read_journal_entry(obj, reader)


def _inline_agent(obj: Obj, columns: Columns) -> InlineAgent | None:
    """Find the agent of an `agent_progress` record; rule 19 counts what is wrong here."""
    uncounted = Reader()
    data = uncounted.object(obj, "data")
    if data is None or data.get("type") != "agent_progress":
        return None
    message = uncounted.object(data, "message")
    moment = uncounted.timestamp(message, "timestamp") if message is not None else None
    return InlineAgent(
        uncounted.string(data, "agentId"),
        columns["timestamp"] if moment is None else moment,
    )
