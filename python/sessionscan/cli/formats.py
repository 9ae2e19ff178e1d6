"""The formats for machines: json, csv, ndjson, parquet and arrow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.csv as pa_csv

from sessionscan.cli.plain import plain_table
from sessionscan.exports import write_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import IOBase

BINARY = ("parquet", "arrow")
FORMATS = ("table", "json", "csv", "ndjson", *BINARY)

_BATCH_ROWS = 8192


def write(table: pa.Table, format_: str, file: BinaryIO, tz: str, *, seekable: bool) -> None:
    """Write `table` in a format.

    json is one array of objects and ndjson an object a line; both and csv give
    moments in `tz`. csv quotes every text, so that an empty one differs from null.
    arrow is an IPC file where `file` is seekable, and an IPC stream where it is not.
    """
    if format_ == "json":
        _write_json(table, file, tz)
    elif format_ == "ndjson":
        file.writelines(line + b"\n" for line in _json_rows(table, tz))
    elif format_ == "csv":
        pa_csv.write_csv(_flat(plain_table(table, tz)), file)
    elif format_ == "parquet":
        _write_parquet(table, file, seekable=seekable)
    else:
        opened = pa.ipc.new_file if seekable else pa.ipc.new_stream
        with opened(cast("IOBase", file), table.schema) as writer:
            writer.write_table(table)


def write_json_document(document: dict[str, Any], file: BinaryIO) -> None:
    """Write one JSON object, indented."""
    file.write(json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n")


def _write_json(table: pa.Table, file: BinaryIO, tz: str) -> None:
    separator = b"[\n"
    for line in _json_rows(table, tz):
        file.write(separator + line)
        separator = b",\n"
    file.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def _json_rows(table: pa.Table, tz: str) -> Iterator[bytes]:
    for batch in table.to_batches(max_chunksize=_BATCH_ROWS):
        for row in plain_table(pa.Table.from_batches([batch]), tz).to_pylist():
            yield json.dumps(row, ensure_ascii=False).encode()


def _flat(table: pa.Table) -> pa.Table:
    """Return lists as JSON text: csv has no lists."""
    for index, field in enumerate(table.schema):
        if pa.types.is_list(field.type):
            texts = [
                None if value is None else json.dumps(value, ensure_ascii=False)
                for value in table[field.name].to_pylist()
            ]
            table = table.set_column(index, field.name, pa.array(texts, pa.string()))
    return table


def _write_parquet(table: pa.Table, file: BinaryIO, *, seekable: bool) -> None:
    """Write Parquet, by way of memory where `file` is a pipe: its writer asks for places."""
    if seekable:
        write_parquet(table, file)
        return
    sink = pa.BufferOutputStream()
    write_parquet(table, sink)
    file.write(sink.getvalue())
