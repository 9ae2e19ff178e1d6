"""The command `sources`: what a scan without sources reads, and what it does not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from sessionscan.cli import output
from sessionscan.cli.parsers import EPILOG, Formatter, add_output
from sessionscan.cli.rows import check_columns, emit_rows
from sessionscan.coverage import one_line
from sessionscan.source_list import SCHEMA, sources

if TYPE_CHECKING:
    import argparse

_SHOWN = ("status", "provider", "kind", "label", "n_transcripts", "size_bytes", "reason")
FOUND = 1


def add(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser."""
    help_ = "where transcripts are on this machine, what is missing, and why"
    command = commands.add_parser(
        "sources", help=help_, description=help_, epilog=EPILOG, formatter_class=Formatter
    )
    add_output(command, scope=False, times=False)
    command.set_defaults(tz="UTC")


def run(arguments: argparse.Namespace) -> int:
    """List the places; return 1 where one is an error for a scan without sources."""
    check_columns(arguments, SCHEMA.names)
    output.check(arguments)
    places = sources()
    emit_rows(places, arguments, shown=places.select(_SHOWN))
    errors = places.filter(pc.equal(places["status"], "error"))
    for reason in errors["reason"]:
        print(f"sessionscan: error: {one_line(str(reason))}", file=sys.stderr)
    return FOUND if errors.num_rows else 0
