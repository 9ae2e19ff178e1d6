"""The options that select: homes, a project, sessions, a span of time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sessionscan.time_window import window

if TYPE_CHECKING:
    import argparse

    from sessionscan.corpus import Corpus

# Sessions and what they worked on are told by records.
TABLES = ("records",)

_MARKS = ("projects", "sessions", "archived_sessions")


def add_home(command: argparse._ActionsContainer) -> None:
    """Add the option that names homes among the sources."""
    command.add_argument(
        "--home",
        metavar="HOME",
        action="append",
        default=[],
        help="read this home, beside the sources; may stand several times",
    )


def add(command: argparse.ArgumentParser) -> None:
    """Add the options that select rows."""
    group = command.add_argument_group("selection")
    group.add_argument(
        "--project",
        metavar="PATH",
        help="only sessions that worked in this folder or below it; a bare name where only one "
        "folder has it",
    )
    group.add_argument(
        "--session",
        dest="sessions",
        metavar="ID",
        action="append",
        help="only this session, by its id or the beginning of it; may stand several times",
    )
    group.add_argument(
        "--exclude-session", metavar="ID", action="append", help="all but this session, likewise"
    )
    group.add_argument(
        "--since",
        metavar="DATE",
        help="from this day on, in the time zone --tz, else in that of this machine; or from a "
        "moment with its offset (2026-03-04T10:00+01:00)",
    )
    group.add_argument("--until", metavar="DATE", help="to this day or moment, included")


def take_homes(arguments: argparse.Namespace) -> None:
    """Put the homes among the sources.

    Raises:
        FileNotFoundError: for one that is not there.
        ValueError: for a folder that is no home.
    """
    for home in arguments.home:
        folder = Path(home).expanduser()
        folder.stat()
        if not any((folder / mark).is_dir() for mark in _MARKS):
            raise ValueError(f"{home} is no home: it has no folder {' or '.join(_MARKS[:2])}")
        arguments.sources.append(home)


def check(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Check the span of time; return the tables that the selection needs.

    Raises:
        ValueError: for a span that is none.
    """
    if not is_asked(arguments):
        return ()
    window(arguments.since, arguments.until, arguments.day_tz)
    return TABLES


def selected(corpus: Corpus, arguments: argparse.Namespace) -> Corpus:
    """Return the part of the corpus that is asked for.

    Raises:
        ValueError: for a project or session that is not there.
    """
    if not is_asked(arguments):
        return corpus
    return corpus.select(
        project=arguments.project,
        sessions=arguments.sessions,
        exclude_sessions=arguments.exclude_session,
        since=arguments.since,
        until=arguments.until,
        tz=arguments.day_tz,
    )


def tell_untimed(corpus: Corpus, shown: tuple[str, ...]) -> None:
    """Say on standard error how many rows have no time and were left out for it."""
    for name, count in getattr(corpus, "untimed", {}).items():
        if count and name in shown:
            print(f"{name}: {count:,} without a time were left out", file=sys.stderr)


def is_asked(arguments: argparse.Namespace) -> bool:
    """Say whether anything is selected."""
    names = ("project", "sessions", "exclude_session", "since", "until")
    return any(getattr(arguments, name, None) is not None for name in names)
