"""The command `sessionscan`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sessionscan import findings
from sessionscan.api import scan
from sessionscan.cli import arguments as command_line
from sessionscan.cli import commands, output, progress
from sessionscan.coverage import one_line
from sessionscan.sources import resolve

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sessionscan.corpus import Corpus

FOUND = 1
BAD_ARGUMENTS = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status.

    Args:
        argv: the arguments without the program's name; None takes the process's.

    Returns:
        0; 1 where `--strict` finds an error; 2 for bad arguments, a missing source or
        an output that cannot be written; 130 where it is interrupted.
    """
    try:
        return _run(command_line.parser().parse_args(argv))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(parsed: argparse.Namespace) -> int:
    try:
        tables = commands.prepare(parsed)
        output.check(parsed)
        parsed.sources = parsed.sources or None
        resolve(parsed.sources)
    except (ValueError, FileNotFoundError) as error:
        return _refuse(error)
    try:
        return _report(_scan(parsed, tables), parsed)
    except ImportError as error:
        return _refuse(error)


def _report(corpus: Corpus, parsed: argparse.Namespace) -> int:
    print(corpus.coverage, file=sys.stderr)
    status = _report_errors(corpus) if parsed.strict else 0
    try:
        commands.run(corpus, parsed)
    except BrokenPipeError:
        _close_quietly()
    except OSError as error:
        return _refuse(error)
    return status


def _scan(parsed: argparse.Namespace, tables: Sequence[str]) -> Corpus:
    with progress.shown() as on_progress:
        return scan(
            parsed.sources,
            tables=tables,
            text=parsed.text,
            engine=parsed.engine,
            threads=parsed.threads,
            copies=parsed.copies,
            max_line_bytes=parsed.max_line_bytes,
            on_progress=on_progress,
        )


def _report_errors(corpus: Corpus) -> int:
    status = 0
    for finding in findings.errors(corpus.table("files"), corpus.table("diagnostics")):
        print(one_line(str(finding)), file=sys.stderr)
        status = FOUND
    return status


def _refuse(error: Exception) -> int:
    reason = str(error)
    if isinstance(error, OSError) and error.strerror:
        named = "" if error.filename is None else f": {error.filename}"
        reason = f"{error.strerror}{named}"
    print(f"sessionscan: error: {one_line(reason)}", file=sys.stderr)
    return BAD_ARGUMENTS


def _close_quietly() -> None:
    """Keep Python from meeting the closed pipe once more when it flushes at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
