"""Events, which are neither messages nor attachments: their keys and their rows.

Rules 39 and 49 of the rulings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.values import Reader

_STRINGS = {
    "level": "level",
    "operation": "operation",
    "queue_priority": "queuePriority",
    "status": "status",
}
_INTEGERS = {
    "duration_ms": "durationMs",
    "retry_attempt": "retryAttempt",
    "hook_count": "hookCount",
}
EVENT_KEYS = frozenset(
    {*_STRINGS.values(), *_INTEGERS.values(), "retryInMs", "hookErrors", "content"}
)


@dataclass(slots=True)
class Event:
    """What is kept of an event; `content` only where it is a string.

    `data_type` and `data_status` are those of a progress record's data.
    """

    columns: Columns
    content: str | None
    parent_tool_use_id: str | None = None
    data_type: str | None = None
    data_status: str | None = None


def read_event(obj: Obj, reader: Reader) -> Event:
    """Read the keys that all events have."""
    reader.look(obj, EVENT_KEYS)
    columns: Columns = {column: reader.string(obj, key) for column, key in _STRINGS.items()}
    columns.update({column: reader.integer(obj, key) for column, key in _INTEGERS.items()})
    columns["retry_in_ms"] = reader.number(obj, "retryInMs")
    errors = reader.one_of(obj, "hookErrors", list)
    columns["hook_errors"] = None if errors is None else len(errors)
    content = obj.get("content")
    return Event(columns, content if isinstance(content, str) else None)


def read_progress(obj: Obj, event: Event, reader: Reader) -> None:
    """Read what a progress record has beside what rule 19 reads of it."""
    reader.look(obj, ("parentToolUseID",))
    event.parent_tool_use_id = reader.string(obj, "parentToolUseID")
    data = obj.get("data")
    if isinstance(data, Obj):
        reader.look(data, ("status",))
        event.data_status = reader.string(data, "status")
        kind = data.get("type")
        event.data_type = kind if isinstance(kind, str) else None


def event_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every record that is neither message nor attachment nor replay."""
    return [
        _row(facts, record, record.further.event)
        for facts in files
        for record in facts.counted
        if record.further.event is not None
    ]


def _row(facts: FileFacts, record: Record, event: Event) -> Columns:
    subtype, status = record.columns["subtype"], event.columns["status"]
    return {
        **event.columns,
        "file_id": record.file_id,
        "line": record.line,
        "type": record.columns["type"],
        "subtype": event.data_type if subtype is None else subtype,
        "timestamp": record.columns["timestamp"],
        "session_id": facts.session_of(record),
        "status": event.data_status if status is None else status,
        "content_chars": None if event.content is None else len(event.content),
    }
