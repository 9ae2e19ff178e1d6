"""Facts of a file -> its row of `files`: rule 7 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record


def file_row(facts: FileFacts) -> Columns:
    """Give the row of a file; one that is not read has no sums."""
    transcript, shape = facts.transcript, facts.transcript.shape
    records = facts.records if facts.is_read else []
    moments = [moment for record in records if (moment := _timestamp(record)) is not None]
    versioned = [record for record in records if _has_version(record)]
    return {
        "file_id": facts.file_id,
        "path": transcript.path,
        "source": transcript.source,
        "kind": facts.kind,
        "session_id": facts.session_id,
        "stem_session_id": shape.session_id,
        "agent_id": facts.agent_id,
        "workflow_id": shape.workflow_id,
        "size_bytes": facts.text.size,
        "bytes_read": len(facts.text.data) if facts.is_read else 0,
        "records": len(records),
        "replays": sum(record.is_replay for record in records),
        "blank_lines": facts.blank_lines if facts.is_read else 0,
        "malformed_lines": facts.lost_lines if facts.is_read else 0,
        "first_timestamp": min(moments, default=None),
        "last_timestamp": max(moments, default=None),
        "version_first": _earliest_version(versioned),
        "version_last": _latest_version(versioned),
        "status": facts.text.status if facts.copy_of is None else "copy",
        "copy_of_file_id": facts.copy_of,
        "compression": shape.compression,
    }


def _timestamp(record: Record) -> int | None:
    moment: int | None = record.columns["timestamp"]
    return moment


def _has_version(record: Record) -> bool:
    return record.columns["timestamp"] is not None and record.columns["version"] is not None


def _earliest_version(records: list[Record]) -> str | None:
    """Give the version of the earliest record, of the first where several are."""
    found = min(records, key=lambda record: record.columns["timestamp"], default=None)
    return None if found is None else found.columns["version"]


def _latest_version(records: list[Record]) -> str | None:
    """Give the version of the latest record, of the last where several are."""
    latest = max(reversed(records), key=lambda record: record.columns["timestamp"], default=None)
    return None if latest is None else latest.columns["version"]
