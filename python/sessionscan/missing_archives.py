"""Registered archives that are not there, as findings of a scan: ruling 79.

An engine is given the place of such an archive as a root, and finds, as with any root that
went away, that it cannot be read. What it cannot know is that this was expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.schema import SEVERITY, message
from sessionscan.sources import MissingArchive, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.sources import Root

_CODE, _FOUND_AS = "missing_archive", "unreadable"


def among(roots: Sequence[Root]) -> bool:
    """Say whether an archive is missing."""
    return any(isinstance(root, MissingArchive) for root in roots)


def told(tables: dict[str, pa.Table], roots: Sequence[Root]) -> dict[str, pa.Table]:
    """Return the tables of a scan with the finding that a missing archive has."""
    missing = {shown(root.path): root.label for root in roots if isinstance(root, MissingArchive)}
    if not missing:
        return tables
    files = tables["files"].select(["file_id", "path", "status"]).to_pylist()
    labels = {
        file["file_id"]: missing[file["path"]]
        for file in files
        if file["path"] in missing and file["status"] == "unreadable"
    }
    return {**tables, "diagnostics": _renamed(tables["diagnostics"], labels)}


def _renamed(findings: pa.Table, labels: dict[int, str]) -> pa.Table:
    rows = findings.select(["file_id", "code"]).to_pylist()
    here = [row["file_id"] in labels and row["code"] == _FOUND_AS for row in rows]
    if not any(here):
        return findings
    said = [
        message(_CODE, label=labels[row["file_id"]]) if each else None
        for row, each in zip(rows, here, strict=True)
    ]
    for name, value in (("code", _CODE), ("severity", SEVERITY[_CODE])):
        findings = _set(findings, name, pc.if_else(pa.array(here), value, _text(findings[name])))
    words = pc.coalesce(pa.array(said, pa.string()), findings["message"])
    return _set(findings, "message", words)


def _text(column: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    return column.cast(pa.string()).combine_chunks()


def _set(findings: pa.Table, name: str, column: Any) -> pa.Table:  # noqa: ANN401 (array or chunks)
    place = findings.schema.get_field_index(name)
    field = findings.schema.field(place)
    if pa.types.is_dictionary(field.type):
        column = column.dictionary_encode()
    return findings.set_column(place, field, column)
