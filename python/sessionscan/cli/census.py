"""The command `census`: the names of the format, the unknown ones first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sessionscan import drift
from sessionscan.api import census_diff
from sessionscan.cli.rows import emit_rows
from sessionscan.coverage import counted
from sessionscan.schema import arrow_schema
from sessionscan.sources import locate

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sessionscan.corpus import Corpus

TABLES = ("census",)

_PARQUET, _ARROW = b"PAR1", b"ARROW1"
_NAME = ("item", "name", "json_type", "is_known")


def columns(arguments: argparse.Namespace) -> Sequence[str]:
    """Name the columns: of a difference with `--diff`, else of the census."""
    if arguments.diff:
        return drift.schema(by_version=arguments.by_version).names
    return arrow_schema("census").names


def check(arguments: argparse.Namespace) -> None:
    """Read the sides of a difference that are saved; the others stay sources.

    Raises:
        ValueError: for sources beside `--diff`, or a file that is no census.
        FileNotFoundError: for a side that does not exist.
    """
    if arguments.by_version and not arguments.diff:
        raise ValueError("--by-version goes with --diff; a census tells versions apart anyway")
    if not arguments.diff:
        return
    if arguments.sources:
        raise ValueError("--diff A B names what is compared; another SOURCE means nothing")
    arguments.diff = [read(side) if is_saved(side) else side for side in arguments.diff]
    for side in arguments.diff:
        if isinstance(side, str):
            locate(side)


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """List the census; as text without versions, the unknown names first."""
    rows = corpus.table("census")
    shown = _without_versions(rows)
    unknown = pc.sum(pc.invert(shown["is_known"]), min_count=0).as_py()
    caption = f"{counted(unknown, 'name')} not known to the schema, and the known ones behind\n"
    emit_rows(rows, arguments, shown=shown, caption=caption)


def run_diff(a: pa.Table, b: pa.Table, arguments: argparse.Namespace) -> None:
    """List the difference; as text what was added or removed, the unknown names first."""
    rows = census_diff(a, b, by_version=arguments.by_version)
    counts = [pc.sum(pc.equal(rows["change"], change), min_count=0) for change in drift.CHANGES]
    said = ", ".join(f"{n.as_py():,} {c}" for n, c in zip(counts, drift.CHANGES, strict=True))
    drifted = rows.filter(pc.not_equal(rows["change"], "changed"))
    caption = f"{said} (counts that changed are not shown)\n"
    emit_rows(rows, arguments, shown=_unknown_first(drifted), caption=caption)


def is_saved(name: str) -> bool:
    """Whether a file holds a census in Parquet or Arrow, by its first bytes."""
    path = Path(name)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_ARROW)).startswith((_PARQUET, _ARROW))


def read(name: str) -> pa.Table:
    """Read a census that was saved.

    Raises:
        ValueError: for a file that is damaged or holds something else.
    """
    try:
        with Path(name).open("rb") as file:
            if file.read(len(_PARQUET)) == _PARQUET:
                return drift.check(pq.read_table(name), name)
            return drift.check(pa.ipc.open_file(name).read_all(), name)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{name} cannot be read as a census: {error}") from error


def _without_versions(census: pa.Table) -> pa.Table:
    """Add up the versions: how many records, in how many versions."""
    keys = {name: _plain(census[name]) for name in _NAME}
    rows = pa.table({**keys, "count": census["count"], "versions": _plain(census["version"])})
    grouped = rows.group_by(list(_NAME), use_threads=False).aggregate(
        [("count", "sum"), ("versions", "count_distinct")]
    )
    renamed = grouped.select([*_NAME, "count_sum", "versions_count_distinct"])
    return _unknown_first(renamed.rename_columns([*_NAME, "count", "versions"]))


def _unknown_first(rows: pa.Table) -> pa.Table:
    unknown = pc.invert(pc.fill_null(rows["is_known"], fill_value=False))
    return pa.concat_tables([rows.filter(unknown), rows.filter(pc.invert(unknown))])


def _plain(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
