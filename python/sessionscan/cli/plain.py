"""Columns as values that text formats can hold."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def plain(column: pa.ChunkedArray[Any], tz: str, *, readable: bool = False) -> pa.ChunkedArray[Any]:
    """Return dates, moments and dictionaries as strings, others as they are.

    A moment is RFC 3339 in `tz`, with its microseconds; `readable` shows it to the
    second and leaves the offset out. Arrow does the formatting, since it knows years
    that a datetime does not.
    """
    if pa.types.is_timestamp(column.type):
        local = column.cast(pa.timestamp("us", tz))
        text: pa.ChunkedArray[Any] = pc.strftime(local, "%Y-%m-%dT%H:%M:%S%Ez")
        if readable:
            return pc.replace_substring(pc.utf8_slice_codeunits(text, 0, 19), "T", " ")  # type: ignore[no-any-return]
        return pc.replace_substring(text, "+00:00", "Z") if tz == "UTC" else text
    if pa.types.is_date(column.type) or pa.types.is_dictionary(column.type):
        return column.cast(pa.string())
    return column


def plain_table(table: pa.Table, tz: str) -> pa.Table:
    """Return `table` with every column as `plain` makes it."""
    columns = [plain(table[name], tz) for name in table.column_names]
    return pa.table(columns, names=table.column_names)
