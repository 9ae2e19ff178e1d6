"""The report of a recovery: a row for each file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionscan.recovery.plan import Recovered

_TIME = pa.timestamp("us", tz="UTC")
_FIELDS: list[pa.Field[Any]] = [
    pa.field("path", pa.string()),
    pa.field("target", pa.string()),
    pa.field("origin", pa.string()),
    pa.field("fidelity", pa.string()),
    pa.field("source", pa.string()),
    pa.field("transcript", pa.string()),
    pa.field("line", pa.int64()),
    pa.field("version", pa.int64()),
    pa.field("moment", _TIME),
    pa.field("size_bytes", pa.int64()),
    pa.field("sha256", pa.string()),
    pa.field("n_copies", pa.int64()),
    pa.field("deleted_later", pa.bool_()),
    pa.field("tombstone_version", pa.int64()),
    pa.field("tombstone_time", _TIME),
    pa.field("n_later_calls", pa.int64()),
    pa.field("written", pa.bool_()),
    pa.field("problem", pa.string()),
]
SCHEMA = pa.schema(_FIELDS)


def table(files: list[Recovered], said: Mapping[str, str], *, written: bool) -> pa.Table:
    """Return the report on `files`; `written` says whether they were, `said` is metadata."""
    rows = [_row(file, written=written) for file in files]
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    return table.replace_schema_metadata({key: value.encode() for key, value in said.items()})


def _row(file: Recovered, *, written: bool) -> dict[str, Any]:
    choice = file.choice
    tombstone = choice.tombstone
    said = choice.backups[-1] if choice.backups else choice.write or tombstone
    return {
        "path": choice.path,
        "target": "/".join(file.steps) if file.steps else None,
        "origin": "backup" if choice.backups else "write" if choice.write else None,
        "fidelity": "exact" if choice.backups else "lower" if choice.write else None,
        "source": _source(file),
        "transcript": said.transcript if said else None,
        "line": said.line if said else None,
        "version": choice.backups[-1].version if choice.backups else None,
        "moment": choice.moment,
        "size_bytes": file.size,
        "sha256": file.sha256,
        "n_copies": file.copies,
        "deleted_later": choice.deleted_later,
        "tombstone_version": tombstone.version if tombstone else None,
        "tombstone_time": tombstone.moment if tombstone else None,
        "n_later_calls": choice.later_calls,
        "written": written and file.sha256 is not None,
        "problem": file.problem,
    }


def _source(file: Recovered) -> str | None:
    """Say where the bytes stand: the backup, or the line of the call that held them."""
    if file.backup is not None:
        return os.fsencode(file.backup.path).decode("utf-8", "replace")
    write = file.choice.write
    return None if write is None else f"{write.transcript}:{write.line}"
