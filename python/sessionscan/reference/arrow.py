"""Rows -> Arrow tables, by the one definition of the schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.schema import TABLES, arrow_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.envelope import Columns


def table(name: str, rows: Sequence[Columns], *, text: bool) -> pa.Table:
    """Build a table in one chunk; text columns are null unless `text`.

    The values of a dictionary stand in the order in which rows name them.
    """
    schema = arrow_schema(name)
    hidden = frozenset() if text else frozenset(TABLES[name].text)
    arrays = [
        _array(field.type, [None if field.name in hidden else row[field.name] for row in rows])
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(kind: pa.DataType, values: list[Any]) -> Any:  # noqa: ANN401  an array of any type
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode()
    if pa.types.is_list(kind):
        return pa.array([list(value) for value in values], kind)
    return pa.array(values, kind)
