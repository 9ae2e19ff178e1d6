"""How a format drifted: the difference between two censuses."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from sessionscan.schema import VOCABULARIES, arrow_schema

CHANGES = ("added", "removed", "changed")

_NAMES = ("item", "name", "json_type")
_ITEMS = {item: place for place, item in enumerate(VOCABULARIES["census_item"])}
_TYPES = {type_: place for place, type_ in enumerate(VOCABULARIES["json_type"])}
_INT64_MAX = 2**63 - 1


def difference(a: pa.Table, b: pa.Table, *, by_version: bool) -> pa.Table:
    """Return the table that `sessionscan.census_diff` describes."""
    keys = (*_NAMES, "version") if by_version else _NAMES
    before, after = _counts(a, keys), _counts(b, keys)
    known = _known(a) | _known(b)
    rows = [
        {
            **dict(zip(keys, key, strict=True)),
            "count_a": before.get(key, 0),
            "count_b": after.get(key, 0),
            "change": _change(before.get(key, 0), after.get(key, 0)),
            "is_known": known[key[:2]],
        }
        for key in sorted({*before, *after}, key=_order)
        if before.get(key) != after.get(key)
    ]
    return pa.Table.from_pylist(rows, schema=schema(by_version=by_version))


def schema(*, by_version: bool) -> pa.Schema:
    """Return the columns of a difference."""
    names = (*_NAMES, "version") if by_version else _NAMES
    fields: list[pa.Field[Any]] = [pa.field(name, pa.string()) for name in names]
    fields += [pa.field(name, pa.int64()) for name in ("count_a", "count_b")]
    fields += [pa.field("change", pa.string()), pa.field("is_known", pa.bool_())]
    return pa.schema(fields, metadata={"table": "census_diff"})


def check(census: object, which: str) -> pa.Table:
    """Return what is a census; say what is missing in what is none.

    Raises:
        TypeError: for what is no table.
        ValueError: for a table without the columns of a census.
    """
    if not isinstance(census, pa.Table):
        raise TypeError(f"{which} must be a pyarrow.Table, not {type(census).__name__}")
    missing = [name for name in arrow_schema("census").names if name not in census.column_names]
    if missing:
        raise ValueError(f"{which} is no census: it has no {', '.join(missing)}")
    return census


def _counts(census: pa.Table, keys: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
    counts: dict[tuple[Any, ...], int] = {}
    for row in census.select([*keys, "count"]).to_pylist():
        key = tuple(row[name] for name in keys)
        counts[key] = min(counts.get(key, 0) + (row["count"] or 0), _INT64_MAX)
    return counts


def _known(census: pa.Table) -> dict[tuple[Any, ...], bool]:
    rows = census.select(["item", "name", "is_known"]).to_pylist()
    return {(row["item"], row["name"]): bool(row["is_known"]) for row in rows}


def _change(before: int, after: int) -> str:
    if not before:
        return "added"
    return "changed" if after else "removed"


def _order(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sort as in `census`: item, bytes of the name, JSON type, bytes of the version."""
    item, name, type_, *version = key
    return (
        _ITEMS.get(item, len(_ITEMS)),
        name.encode(),
        _TYPES.get(type_, -1),
        [(each is not None, (each or "").encode()) for each in version],
    )
