"""Records -> the rows of `records` and `blocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import Record


def record_row(record: Record) -> Columns:
    """Give the row of a record, a replay or not."""
    return {
        **record.columns,
        "file_id": record.file_id,
        "line": record.line,
        "byte_offset": record.span.offset,
        "byte_length": record.span.length,
        "model": record.message.model,
        "message_id": record.message.id,
        "stop_reason": record.message.stop_reason,
        "is_replay": record.is_replay,
        "n_blocks": record.n_blocks,
    }


def block_rows(record: Record) -> Iterable[Columns]:
    """Give the rows of a record's blocks; a replay has none."""
    for block in () if record.is_replay else record.blocks:
        yield {
            "file_id": record.file_id,
            "line": record.line,
            "block_index": block.index,
            "role": record.columns["role"],
            "block_type": block.type,
            "message_id": record.message.id,
            "tool_use_id": block.tool_use_id,
            "tool_name": block.tool_name,
            "chars": block.chars,
            "is_signature_only": block.is_signature_only,
            "media_type": block.media_type,
            "media_bytes": block.media_bytes,
            "text": block.text,
        }
