"""The command `sessionscan`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sessionscan import findings, one_session
from sessionscan.api import scan
from sessionscan.cli import arguments as command_line
from sessionscan.cli import (
    cache,
    census,
    commands,
    output,
    parquet,
    progress,
    read,
    recover,
    sanitize,
    search,
    selection,
    sources,
)
from sessionscan.coverage import one_line
from sessionscan.errors import SessionScanError, StrictError
from sessionscan.sources import locate

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from sessionscan.corpus import Corpus

FOUND = 1
BAD_ARGUMENTS = 2
INTERRUPTED = 130

_APART: dict[str, Callable[[argparse.Namespace], int]] = {
    "cache": cache.run,
    "parquet": parquet.run,
    "read": read.run,
    "recover": recover.run,
    "sanitize": sanitize.run,
    "search": search.run,
    "sources": sources.run,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status.

    Args:
        argv: the arguments without the program's name; None takes the process's.

    Returns:
        0; 1 where `--strict` or `read` finds an error, `recover` cannot recover a file,
        `sources` names an error, or `search` finds nothing; 2 for bad arguments, a missing
        source or an output that cannot be written; 130 where it is interrupted.
    """
    try:
        parsed = command_line.parser().parse_args(argv)
        apart = _APART.get(parsed.command)
        return _run(parsed) if apart is None else _run_apart(apart, parsed)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(parsed: argparse.Namespace) -> int:
    try:
        cache.check(parsed.cache, parsed.engine)
        selection.take_homes(parsed)
        tables = commands.prepare(parsed)
        output.check(parsed)
        parsed.sources = parsed.sources or None
        if not parsed.diff:
            locate(parsed.sources)
    except (ValueError, OSError) as error:
        return _refuse(error)
    try:
        return _compare(parsed, tables) if parsed.diff else _report(parsed, tables)
    except (ImportError, OSError, one_session.NoSuchSessionError) as error:
        return _refuse(error)


def _run_apart(run: Callable[[argparse.Namespace], int], parsed: argparse.Namespace) -> int:
    """Run a command that scans for itself, or not at all."""
    try:
        return run(parsed)
    except BrokenPipeError:
        _close_quietly()
        return 0
    except StrictError as error:
        print(one_line(str(error)), file=sys.stderr)
        return FOUND
    except (ValueError, ImportError, OSError, SessionScanError) as error:
        return _refuse(error)


def _report(parsed: argparse.Namespace, tables: Sequence[str]) -> int:
    corpus = _scan(parsed, tables)
    print(corpus.coverage, file=sys.stderr)
    status = _report_errors(corpus) if parsed.strict else 0
    try:
        part = selection.selected(corpus, parsed)
    except ValueError as error:
        return _refuse(error)
    return _write(lambda: commands.run(part, parsed), status)


def _compare(parsed: argparse.Namespace, tables: Sequence[str]) -> int:
    """Take the census of each side that is not one already, and write the difference."""
    censuses, status = [], 0
    for side in parsed.diff:
        if not isinstance(side, str):
            censuses.append(side)
            continue
        parsed.sources = side
        corpus = _scan(parsed, tables)
        print(f"{one_line(side)}: {corpus.coverage}", file=sys.stderr)
        status = max(status, _report_errors(corpus) if parsed.strict else 0)
        censuses.append(corpus.table("census"))
    before, after = censuses
    return _write(lambda: census.run_diff(before, after, parsed), status)


def _write(run: Callable[[], None], status: int) -> int:
    """Run what writes the result; a reader that closed the pipe has seen enough."""
    try:
        run()
    except BrokenPipeError:
        _close_quietly()
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
            cache=parsed.cache,
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
