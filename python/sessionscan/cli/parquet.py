"""The command `parquet`: tables written while they are scanned."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from sessionscan import findings
from sessionscan.cli import progress, selection
from sessionscan.coverage import one_line
from sessionscan.options import table_names
from sessionscan.parquet import to_parquet

if TYPE_CHECKING:
    import argparse

    from sessionscan.parquet import Written


def tables(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the tables that `--tables` names.

    Raises:
        ValueError: for a name that is no table.
    """
    if arguments.tables in (None, "all"):
        return table_names(arguments.tables)
    return table_names([name.strip() for name in arguments.tables.split(",")])


def run(arguments: argparse.Namespace) -> int:
    """Write the tables and name the files; return 1 where `--strict` finds an error."""
    selection.take_homes(arguments)
    with progress.shown() as on_progress:
        written = to_parquet(
            arguments.sources or None,
            arguments.out,
            tables=tables(arguments),
            text=arguments.text,
            engine=arguments.engine,
            threads=arguments.threads,
            copies=arguments.copies,
            max_line_bytes=arguments.max_line_bytes,
            on_progress=on_progress,
        )
    print(written.coverage, file=sys.stderr)
    status = _report_errors(written) if arguments.strict else 0
    for path in written.paths.values():
        print(one_line(str(path)))
    return status


def _report_errors(written: Written) -> int:
    files, diagnostics = (pq.read_table(written.paths[name]) for name in ("files", "diagnostics"))
    status = 0
    for finding in findings.errors(files, diagnostics):
        print(one_line(str(finding)), file=sys.stderr)
        status = 1
    return status
