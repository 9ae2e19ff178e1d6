"""The findings that make a strict scan fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator


class Finding(NamedTuple):
    """A row of `diagnostics` with the path of its file."""

    path: str
    line: int
    byte_offset: int | None
    code: str
    reason: str

    def __str__(self) -> str:
        """Say path:line:offset, code and reason; a finding about a file has no line."""
        place = "" if self.byte_offset is None else f":{self.line}:{self.byte_offset}"
        return f"{self.path}{place}: {self.code}: {self.reason}"


def errors(files: pa.Table, diagnostics: pa.Table) -> Iterator[Finding]:
    """Yield the findings of severity error, in row order."""
    severity = diagnostics["severity"].cast(pa.string())
    rows = diagnostics.filter(pc.equal(severity, "error"))
    paths = files["path"].take(rows["file_id"])
    columns = [rows[name] for name in ("line", "byte_offset", "code", "message")]
    for path, line, byte_offset, code, reason in zip(paths, *columns, strict=True):
        yield Finding(path.as_py(), line.as_py(), byte_offset.as_py(), code.as_py(), reason.as_py())
