"""The command `search`: sessions that hold words, and what stands around these."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sessionscan.cli import output, progress, selection
from sessionscan.cli.parsers import add_command, add_engine, add_output
from sessionscan.cli.plain import plain_table
from sessionscan.cli.rows import check_columns, limited, selected, text_limit
from sessionscan.cli.selection import add_home, take_homes
from sessionscan.cli.text_table import render
from sessionscan.coverage import counted, one_line
from sessionscan.hits import SCHEMA
from sessionscan.usage_by import check_tz
from sessionscan.word_search import search

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from sessionscan.hits import Hits

FOUND, NOT_FOUND = 0, 1
_EPILOG = """\
A record is found where it holds each WORD, which may be a part of one, or a phrase; white
space in it stands for any. Exit status: 0; 1 where nothing is found; 2 for bad arguments or
a missing source."""


def add(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser."""
    command = add_command(commands, "search", "sessions that hold words, and where")
    command.epilog = _EPILOG
    command.add_argument("words", metavar="WORD", nargs="+", help="what to look for")
    group = command.add_argument_group("search")
    group.add_argument(
        "--in",
        dest="sources",
        metavar="SOURCE",
        action="append",
        default=[],
        help="where to look, may stand several times (default: the homes of this machine)",
    )
    group.add_argument("--regex", action="store_true", help="the words are regular expressions")
    group.add_argument("--any", action="store_true", help="one of the words is enough")
    group.add_argument(
        "--case-sensitive", action="store_true", help="tell letters of different case apart"
    )
    group.add_argument(
        "--sidecars", action="store_true", help="search outputs in files of their own too"
    )
    add_output(command, scope=False)
    add_home(add_engine(command, strict=False))
    selection.add(command)


def run(arguments: argparse.Namespace) -> int:
    """Search, and write what was found; return the exit status.

    Raises:
        ValueError, OSError, ImportError: as `search` does.
    """
    arguments.day_tz, arguments.tz = arguments.tz, arguments.tz or "UTC"
    check_tz(arguments.tz)
    check_columns(arguments, SCHEMA.names)
    output.check(arguments)
    take_homes(arguments)
    with progress.shown() as on_progress:
        found = _search(arguments, on_progress)
    print(found.searched, file=sys.stderr)
    if not found:
        for line in advice(found, arguments):
            print(line, file=sys.stderr)
    output.emit(
        arguments,
        limited(selected(found.hits, arguments), arguments),
        lambda: page(found, arguments),
        None if arguments.columns else lambda: document(found, arguments),
    )
    return FOUND if found else NOT_FOUND


def _search(arguments: argparse.Namespace, on_progress: Callable[..., None] | None) -> Hits:
    return search(
        arguments.words,
        arguments.sources or None,
        regex=arguments.regex,
        case_sensitive=arguments.case_sensitive,
        match="any" if arguments.any else "all",
        since=arguments.since,
        until=arguments.until,
        tz=arguments.day_tz,
        project=arguments.project,
        sessions=arguments.sessions,
        exclude_sessions=arguments.exclude_session,
        sidecars=arguments.sidecars,
        engine=arguments.engine,
        threads=arguments.threads,
        on_progress=on_progress,
    )


def advice(found: Hits, arguments: argparse.Namespace) -> Iterator[str]:
    """Say what was looked for in vain, what was left out, and how to look further."""
    words = ", ".join(repr(one_line(word)) for word in found.words)
    if len(found.words) > 1:
        how = "any of" if arguments.any else "all of"
    else:
        how = "the pattern" if arguments.regex else "the word"
    yield f"nothing holds {how} {words}"
    searched = found.searched
    for count, why, option in (
        (searched.other_sessions, "of other sessions or projects", "--session, --project"),
        (searched.untimed, "without a time", "--since, --until"),
        (searched.outside, "of another time", "--since, --until"),
    ):
        if count:
            hold = "holds" if count == 1 else "hold"
            yield f"{counted(count, 'record')} {why} {hold} them: leave out {option}"
    if searched.lines_lost:
        yield f"{counted(searched.lines_lost, 'damaged line')} with them: see the diagnostics"
    for is_open, what in (
        (not arguments.any and len(found.words) > 1, "one of the words is enough: --any"),
        (arguments.case_sensitive, "letters of any case: leave out --case-sensitive"),
        (not arguments.sidecars, "outputs in files of their own: --sidecars"),
        (bool(arguments.sources), "the homes of this machine: leave out --in, --home"),
    ):
        if is_open:
            yield f"to look further: {what}"


def page(found: Hits, arguments: argparse.Namespace) -> str:
    """Return the ranking, and below it what stands around the matches."""
    if arguments.columns:
        rows = selected(found.hits, arguments)
        return render(rows, tz=arguments.tz, limit=text_limit(arguments))
    if not found:
        return ""
    ranking = render(found.sessions, tz=arguments.tz, limit=text_limit(arguments))
    return f"{found.headline()}\n\n{ranking}{''.join(_snippets(found, arguments))}"


def _snippets(found: Hits, arguments: argparse.Namespace) -> Iterator[str]:
    """Give the hits as lines, those of the first sessions first."""
    rank = {name: place for place, name in enumerate(found.sessions["session_id"].to_pylist())}
    order = sorted(
        enumerate(found.hits["session_id"].to_pylist()), key=lambda row: (rank[row[1]], row[0])
    )
    limit = text_limit(arguments)
    shown = order[:limit] if limit else order
    rows = found.hits.take([number for number, _ in shown])
    times = render(rows.select(["timestamp"]), tz=arguments.tz).splitlines()[1:]
    before: object = 0
    for row, time in zip(rows.to_pylist(), times, strict=True):
        if row["session_id"] != before:
            before = row["session_id"]
            yield f"\n{one_line(str(before or '-'))}  {one_line(str(row['project'] or '-'))}\n"
        yield f"  {time.strip()}  {_what(row)}  {one_line(row['path'])}:{row['line']}\n"
        yield f"    {_around(row)}\n"
    if len(shown) < len(order):
        yield f"… {len(shown):,} of {len(order):,} texts; --limit 0 shows all\n"


def _what(row: dict[str, Any]) -> str:
    named = (row["role"], row["field"], row["tool_name"], row["key"])
    return " ".join(one_line(name) for name in named if name)


def _around(row: dict[str, Any]) -> str:
    """Return the snippet on one line, with a sign where the text goes on."""
    words = " ".join(row["snippet"].split())
    return f"{'…' if row['snippet_start'] else ''}{one_line(words)}"


def document(found: Hits, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return all that was found as plain Python."""
    return {
        "words": list(found.words),
        "searched": found.searched.as_dict(),
        "sessions": plain_table(found.sessions, arguments.tz).to_pylist(),
        "hits": limited(plain_table(found.hits, arguments.tz), arguments).to_pylist(),
    }
