"""The tables as `tables.toml` defines them: columns, vocabularies, diagnostics.

Both engines read that one file, so a schema here is the schema of either.

Example:
    >>> from sessionscan.schema import arrow_schema
    >>> arrow_schema("usage").field("line").nullable
    False

"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

import pyarrow as pa

__all__ = [
    "ALL_TABLE_NAMES",
    "CENSUS",
    "CODES",
    "CORE",
    "REASONS",
    "SCHEMA_VERSION",
    "SEVERITY",
    "TABLES",
    "TABLE_NAMES",
    "TOKENS",
    "VOCABULARIES",
    "Column",
    "Table",
    "arrow_schema",
    "message",
]


class Column(NamedTuple):
    """A column: its name, its type as `tables.toml` names it, what it means."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """A table: what a row is, the order of rows, and its columns in order.

    `core` says that it is among the tables of a scan that names none; `text`
    names the columns that stay null unless the caller asks for text.
    """

    name: str
    row: str
    order: str
    core: bool
    text: tuple[str, ...]
    columns: tuple[Column, ...]


def _tables(document: dict[str, Any]) -> dict[str, Table]:
    return {
        name: Table(
            name=name,
            row=entry["row"],
            order=entry["order"],
            core=entry["core"],
            text=tuple(entry.get("text", ())),
            columns=tuple(Column(*column) for column in entry["columns"]),
        )
        for name, entry in document["tables"].items()
    }


_DOCUMENT: dict[str, Any] = tomllib.loads(
    files(__name__).joinpath("tables.toml").read_text(encoding="utf-8")
)

SCHEMA_VERSION: int = _DOCUMENT["schema_version"]
"""Version of the schemas; it stands in every schema's metadata."""

TABLES: dict[str, Table] = _tables(_DOCUMENT)
"""Every table by name, in the order of `tables.toml`."""

CENSUS = "census"
"""The table that is made only where it is named: it is about the format, not the work."""

ALL_TABLE_NAMES: tuple[str, ...] = tuple(TABLES)
"""Names of all tables, in order: every name that a scan can be asked for."""

TABLE_NAMES: tuple[str, ...] = tuple(name for name in TABLES if name != CENSUS)
"""Names of the tables that "all" stands for, in order: all but `CENSUS`."""

CORE: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.core)
"""Names of the tables that a scan gives where none are named."""

TOKENS: tuple[str, ...] = tuple(_DOCUMENT["tokens"])
"""The token columns, in the order in which every table has them."""

VOCABULARIES: dict[str, tuple[str, ...]] = {
    name: tuple(words) for name, words in _DOCUMENT["vocabularies"].items()
}
"""Closed and open lists of names, by the vocabulary's name."""

SEVERITY: dict[str, str] = {
    code: entry["severity"] for code, entry in _DOCUMENT["diagnostics"].items()
}
"""Severity of each diagnostic code (`usage_conflict` may be raised to warning)."""

CODES: tuple[str, ...] = tuple(_DOCUMENT["diagnostics"])
"""Diagnostic codes, in the order in which they stand on one spot."""

REASONS: dict[str, str] = dict(_DOCUMENT["reasons"])
"""Why a line is no JSON: the words for each short name of a reason."""

_NOT_NULL = frozenset(_DOCUMENT["not_null"])
_MESSAGES: dict[str, str] = {
    code: entry["message"] for code, entry in _DOCUMENT["diagnostics"].items()
}
_TYPES: dict[str, pa.DataType] = {
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "string": pa.string(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
    "list": pa.list_(pa.field("item", pa.string())),
}


def arrow_schema(name: str) -> pa.Schema:
    """Give the Arrow schema of a table.

    Args:
        name: a name among `ALL_TABLE_NAMES`.

    Returns:
        The fields in order, with the table's name and the schema's version as
        metadata. Only `file_id` and `line` are not nullable (SPEC section 3).

    Raises:
        KeyError: there is no table of that name.

    Example:
        >>> arrow_schema("diagnostics").metadata[b"table"]
        b'diagnostics'

    """
    fields = [
        pa.field(column.name, _TYPES[column.type], nullable=column.name not in _NOT_NULL)
        for column in TABLES[name].columns
    ]
    return pa.schema(
        fields,
        metadata={"table": name, "schema_version": str(SCHEMA_VERSION)},
    )


def message(code: str, **values: object) -> str:
    """Give the message of a diagnostic, with its values filled in.

    Args:
        code: a code among `CODES`.
        values: what stands for the `{names}` of the message.

    Returns:
        The sentence for people.

    Raises:
        KeyError: there is no such code, or a value that it needs is missing.

    Example:
        >>> message("glued_records", records=2)
        'the line holds 2 records'

    """
    return _MESSAGES[code].format(**values)
