"""Plain text tables: numbers to the right, everything on one line a row."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.cli.plain import plain
from sessionscan.coverage import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDEST = 100
_NULL = "-"
_PLACES = frozenset({"file_id", "line", "byte_offset", "result_line", "copy_of_file_id"})


def render(
    table: pa.Table,
    *,
    tz: str = "UTC",
    limit: int = 0,
    titles: Mapping[str, str] | None = None,
) -> str:
    """Return `table` as text, a line per row, null as "-".

    Args:
        table: what to show.
        tz: the time zone in which timestamps are shown.
        limit: how many rows to show; 0 is all. A last line says what is left out.
        titles: a column's title where it is not its name.
    """
    shown = table.slice(0, limit) if limit else table
    columns = [
        [(titles or {}).get(name, name), *_cells(name, shown[name], tz)]
        for name in table.column_names
    ]
    right = [_is_number(field.type) for field in table.schema]
    lines = _aligned(columns, right)
    if shown.num_rows < table.num_rows:
        lines.append(f"… {shown.num_rows:,} of {table.num_rows:,} rows; --limit 0 shows all")
    return "".join(f"{line}\n" for line in lines)


def _cells(name: str, column: pa.ChunkedArray[Any], tz: str) -> list[str]:
    values = plain(column, tz, readable=True).to_pylist()
    if pa.types.is_integer(column.type) and name not in _PLACES:
        return [_NULL if value is None else f"{value:,}" for value in values]
    return [_text(value) for value in values]


def _text(value: object) -> str:
    if value is None:
        return _NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    text = one_line(str(value))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _is_number(type_: pa.DataType) -> bool:
    return pa.types.is_integer(type_) or pa.types.is_floating(type_)


def _aligned(columns: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    padded = []
    for cells, to_the_right in zip(columns, right, strict=True):
        width = max(map(_width, cells))
        padded.append([_pad(cell, width, to_the_right=to_the_right) for cell in cells])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def _pad(cell: str, width: int, *, to_the_right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if to_the_right else cell + space


def _width(text: str) -> int:
    """Return how many columns a terminal gives `text`: wide letters take two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )
