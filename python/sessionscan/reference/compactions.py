"""Compact boundaries: their metadata (rule 39) and the rows of `compactions` (rule 44)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.values import Reader

_COMPACT = "compact_boundary"
_METADATA = {_COMPACT: "compactMetadata", "microcompact_boundary": "microcompactMetadata"}
_INTEGERS = {
    "pre_tokens": "preTokens",
    "post_tokens": "postTokens",
    "duration_ms": "durationMs",
    "cumulative_dropped_tokens": "cumulativeDroppedTokens",
}
_KEYS = frozenset({"trigger", "preservedMessages", *_INTEGERS.values()})


def is_boundary(columns: Columns) -> bool:
    """Say whether an event is a compact or microcompact boundary."""
    return columns["type"] == "system" and columns["subtype"] in _METADATA


def read_boundary(obj: Obj, subtype: str, reader: Reader) -> Columns:
    """Read the metadata of a boundary, by the names of their columns."""
    key = _METADATA[subtype]
    reader.look(obj, (key,))
    metadata = reader.object(obj, key)
    if metadata is None:
        return dict(_NO_METADATA)
    reader.look(metadata, _KEYS)
    columns: Columns = {"trigger": reader.string(metadata, "trigger")}
    columns.update({column: reader.integer(metadata, key) for column, key in _INTEGERS.items()})
    columns["preserved_messages"] = _preserved_messages(metadata, reader)
    return columns


def _preserved_messages(metadata: Obj, reader: Reader) -> int | None:
    """Give the number that stands there, or how many are named."""
    preserved = metadata.get("preservedMessages")
    if isinstance(preserved, Obj):
        reader.look(preserved, ("uuids",))
        preserved = reader.one_of(preserved, "uuids", list)
        return None if preserved is None else len(preserved)
    if isinstance(preserved, list):
        return len(preserved)
    return reader.integer(metadata, "preservedMessages")


def compaction_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every boundary that is no replay."""
    return [row for facts in files for row in _rows_of(facts)]


def _rows_of(facts: FileFacts) -> list[Columns]:
    """Give the rows of a file: read from its end, as a summary stands behind its boundary."""
    rows = []
    summary_line: int | None = None
    for record in reversed(facts.counted):
        if record.columns["is_compact_summary"] is True:
            summary_line = record.line
        if record.further.boundary is None:
            continue
        is_compact = record.columns["subtype"] == _COMPACT
        rows.append(_row(facts, record, summary_line if is_compact else None))
        if is_compact:
            summary_line = None
    return rows[::-1]


def _row(facts: FileFacts, record: Record, summary_line: int | None) -> Columns:
    return {
        **(record.further.boundary or {}),
        "file_id": record.file_id,
        "line": record.line,
        "session_id": facts.session_of(record),
        "timestamp": record.columns["timestamp"],
        "subtype": record.columns["subtype"],
        "summary_line": summary_line,
    }


_NO_METADATA: Columns = dict.fromkeys(("trigger", *_INTEGERS, "preserved_messages"))
