"""What the command takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, get_args

from sessionscan.cli import read, recover, sanitize, search, selection, sources
from sessionscan.cli.parsers import (
    EPILOG,
    Command,
    Formatter,
    add_command,
    add_output,
    add_scan,
    add_text,
    whole,
)
from sessionscan.cli.prompts import KINDS
from sessionscan.schema import ALL_TABLE_NAMES, TABLES, VOCABULARIES
from sessionscan.triage import By
from sessionscan.usage_by import KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

_DESCRIPTION = "Reads transcripts of coding agents into tables, each fact once."
_SESSION = """\
the first may be a session's id or its beginning, else it is what to read; a folder that is
named like a session is read as ./NAME"""

# Commands about the whole of what is read.
_WHOLE = ("lineage", "census", "diagnostics")


def parser() -> argparse.ArgumentParser:
    """Return the parser of `sessionscan`."""
    root = argparse.ArgumentParser(
        prog="sessionscan", description=_DESCRIPTION, epilog=EPILOG, formatter_class=Formatter
    )
    commands = root.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Command
    )
    _add(commands, "summary", "what there is, in one page")
    usage = _add(commands, "usage", "tokens by model, day, session and other keys")
    usage.add_argument(
        "--by",
        default="model",
        metavar="KEY,…",
        help=f"one or more of {', '.join(KEYS)} (default: model)",
    )
    _add(commands, "tools", "calls by tool: outcomes, denials, wall time")
    add_text(_add(commands, "sessions", "a row per session"))
    add_text(_add(commands, "agents", "who started whom: subagents as trees", of_session=True))
    add_text(_add(commands, "lineage", "what sessions were forked from", of_session=True))
    _add_prompts(_add(commands, "prompts", "a person's words, told apart from what is like them"))
    _add_endings(_add(commands, "endings", "how each session ended"))
    _add_endings(_add(commands, "triage", "which sessions may wait for a person, those first"))
    _add(commands, "reconcile", "tokens, ours beside those of the client's own cost record")
    _add_census(_add(commands, "census", "the names of the format, unknown ones first"))
    _add(commands, "diagnostics", "what was repaired, skipped or contradictory, and where")
    _add_parquet(commands)
    table = _add(commands, "table", "a table, whole", of_table=True)
    add_text(table)
    search.add(commands)
    sources.add(commands)
    read.add(commands)
    recover.add(commands)
    sanitize.add(commands)
    _add_cache(commands)
    return root


def _add_cache(commands: Any) -> None:  # noqa: ANN401 (as below)
    help_ = "what scans with --cache have kept, and its removal"
    command = commands.add_parser("cache", help=help_, description=help_)
    command.add_argument("action", choices=("info", "clear"))
    command.add_argument(
        "--cache", metavar="FOLDER", default=True, help="default: that of the user"
    )


def _add_prompts(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--text", action="store_true", help="list them with their words; else they are counted"
    )
    _add_kinds(command, KINDS)


def _add_endings(command: argparse.ArgumentParser) -> None:
    add_text(command)
    _add_kinds(command, VOCABULARIES["ending_kind"])


def _add_kinds(command: argparse.ArgumentParser, kinds: Sequence[str]) -> None:
    command.add_argument("--kind", metavar="KIND,…", help=f"only one or more of {', '.join(kinds)}")
    command.add_argument(
        "--by", choices=get_args(By), help="count the kinds, by project or by day of --tz"
    )
    command.add_argument(
        "--tail-chars",
        type=whole,
        metavar="N",
        help="with words, of each the last N characters",
    )


def _add_census(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--diff",
        nargs=2,
        metavar=("A", "B"),
        help="how the format drifted from A to B, each a source or a census that was saved "
        "with --output and --format parquet or arrow",
    )
    command.add_argument(
        "--by-version", action="store_true", help="in a difference tell client versions apart"
    )


def _add_parquet(commands: Any) -> None:  # noqa: ANN401 (as in _add)
    help_ = "tables as Parquet files, written while they are scanned"
    command = add_command(commands, "parquet", help_)
    command.add_argument("sources", metavar="SOURCE", nargs="*", help="what to read")
    group = command.add_argument_group("output")
    group.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    group.add_argument(
        "--tables",
        metavar="NAME,…",
        help="these tables, or all (default: the core set); files and diagnostics always",
    )
    add_text(command)
    add_scan(command)


def _add(
    commands: Any,  # noqa: ANN401 (argparse has no public name for it)
    name: str,
    help_: str,
    *,
    of_table: bool = False,
    of_session: bool = False,
) -> Command:
    command = add_command(commands, name, help_)
    if of_table:
        command.add_argument("name", metavar="NAME", choices=ALL_TABLE_NAMES, help=_tables())
    if of_session:
        command.add_argument("sources", metavar="SESSION|SOURCE", nargs="*", help=_SESSION)
    else:
        command.add_argument("sources", metavar="SOURCE", nargs="*", help="what to read")
    add_output(command, columns=name != "summary")
    add_scan(command)
    if name not in _WHOLE:
        selection.add(command)
    return command


def _tables() -> str:
    return "; ".join(f"{table.name}: {table.row}" for table in TABLES.values())
