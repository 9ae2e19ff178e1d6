"""What the command takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sessionscan.cli.formats import FORMATS
from sessionscan.cli.prompts import KINDS
from sessionscan.cli.search import add as add_search
from sessionscan.schema import ALL_TABLE_NAMES, TABLES
from sessionscan.usage_by import KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOO_MANY = 2**63
_DESCRIPTION = "Reads transcripts of coding agents into tables, each fact once."
_EPILOG = """\
SOURCE is a home, a folder, a transcript (.jsonl, .jsonl.gz, .jsonl.zst), a glob, or the URL
of one elsewhere (s3://, gs://, abfs://); without one the homes of this machine are read.
The line on standard error says what was covered.
Exit status: 0; 1 where --strict finds an error; 2 for bad arguments or a missing source."""

_SESSION = """\
the first may be a session's id or its beginning, else it is what to read; a folder that is
named like a session is read as ./NAME"""


class _Command(argparse.ArgumentParser):
    """A parser that lets options stand between sources.

    `sessionscan table usage --format csv SOURCE` has an option between two positional
    arguments, which argparse takes only in its intermixed mode.
    """

    _mixing = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self._mixing:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False


def parser() -> argparse.ArgumentParser:
    """Return the parser of `sessionscan`."""
    root = argparse.ArgumentParser(
        prog="sessionscan", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=_Formatter
    )
    commands = root.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=_Command
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
    _add_text(_add(commands, "sessions", "a row per session"))
    _add_text(_add(commands, "agents", "who started whom: subagents as trees", of_session=True))
    _add_text(_add(commands, "lineage", "what sessions were forked from", of_session=True))
    _add_prompts(_add(commands, "prompts", "a person's words, told apart from what is like them"))
    _add_text(_add(commands, "endings", "how each session ended"))
    _add(commands, "reconcile", "tokens, ours beside those of the client's own cost record")
    _add_census(_add(commands, "census", "the names of the format, unknown ones first"))
    _add(commands, "diagnostics", "what was repaired, skipped or contradictory, and where")
    _add_search(commands)
    _add_parquet(commands)
    table = _add(commands, "table", "a table, whole", of_table=True)
    _add_text(table)
    _add_cache(commands)
    return root


def _add_search(commands: Any) -> None:  # noqa: ANN401 (as in _add)
    help_ = "the sessions that hold words, and what stands around these"
    command: _Command = commands.add_parser("search", help=help_, description=help_)
    add_search(command)
    _add_output(command, columns=True, scope=False)
    _add_engine(command)


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
    command.add_argument("--kind", metavar="KIND,…", help=f"only one or more of {', '.join(KINDS)}")


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
    command: _Command = commands.add_parser(
        "parquet", help=help_, description=help_, epilog=_EPILOG, formatter_class=_Formatter
    )
    command.add_argument("sources", metavar="SOURCE", nargs="*", help="what to read")
    group = command.add_argument_group("output")
    group.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    group.add_argument(
        "--tables",
        metavar="NAME,…",
        help="these tables, or all (default: the core set); files and diagnostics always",
    )
    _add_text(command)
    _add_scan(command)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of the epilog."""


def _add(
    commands: Any,  # noqa: ANN401 (argparse has no public name for it)
    name: str,
    help_: str,
    *,
    of_table: bool = False,
    of_session: bool = False,
) -> _Command:
    command: _Command = commands.add_parser(
        name, help=help_, description=help_, epilog=_EPILOG, formatter_class=_Formatter
    )
    if of_table:
        command.add_argument("name", metavar="NAME", choices=ALL_TABLE_NAMES, help=_tables())
    if of_session:
        command.add_argument("sources", metavar="SESSION|SOURCE", nargs="*", help=_SESSION)
    else:
        command.add_argument("sources", metavar="SOURCE", nargs="*", help="what to read")
    _add_output(command, columns=name != "summary")
    _add_scan(command)
    return command


def _tables() -> str:
    return "; ".join(f"{table.name}: {table.row}" for table in TABLES.values())


def _add_output(command: argparse.ArgumentParser, *, columns: bool, scope: bool = True) -> None:
    group = command.add_argument_group("output")
    group.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    group.add_argument("--output", metavar="FILE", help="write here, whole or not at all")
    group.add_argument("--tz", default="UTC", help="time zone of days and moments (default: UTC)")
    if scope:
        group.add_argument(
            "--scope",
            choices=("corpus", "session"),
            help="corpus counts what several sessions repeat once, session in each of them "
            "(default: corpus; of sessions, agents, reconcile and table: session); only calls "
            "and tokens have a scope",
        )
    if columns:
        group.add_argument("--columns", metavar="NAME,…", help="only these columns, in this order")
        group.add_argument(
            "--limit", type=_whole, metavar="N", help="rows to give; 0 is all (table format: 50)"
        )


def _add_engine(command: argparse.ArgumentParser) -> Any:  # noqa: ANN401 (as in _add)
    group = command.add_argument_group("scan")
    group.add_argument("--engine", choices=("rust", "python"), default="rust", help="default: rust")
    group.add_argument("--threads", type=_positive, metavar="N", help="default: all cores")
    return group


def _add_scan(command: argparse.ArgumentParser) -> None:
    group = _add_engine(command)
    group.add_argument("--strict", action="store_true", help="exit 1 for findings that are errors")
    group.add_argument(
        "--copies",
        choices=("collapse", "keep"),
        default="collapse",
        help="whether files that hold the same session are read once (default: collapse)",
    )
    group.add_argument(
        "--max-line-bytes", type=_positive, metavar="N", help="skip lines longer than this"
    )
    group.add_argument(
        "--cache",
        nargs="?",
        const=True,
        default=False,
        metavar="FOLDER",
        help="keep what is found out for the next scan, in FOLDER or the user's folder of "
        "caches (see the command cache); rust engine only",
    )
    command.set_defaults(text=False, diff=None, session=None)


def _add_text(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--text", action="store_true", help="fill the columns that hold words of the transcript"
    )


def _positive(text: str) -> int:
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    value = int(text)
    if value >= _TOO_MANY:
        raise argparse.ArgumentTypeError(f"{text} is not below 2^63")
    return value
