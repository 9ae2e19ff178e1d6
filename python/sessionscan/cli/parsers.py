"""What commands have in common: how they are parsed, where results go, how they scan."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sessionscan.cli.formats import FORMATS
from sessionscan.cli.selection import add_home

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOO_MANY = 2**63
EPILOG = """\
SOURCE is a home, a folder, a transcript (.jsonl, .jsonl.gz, .jsonl.zst), a glob, or the URL
of one elsewhere (s3://, gs://, abfs://); without one the homes of this machine are read.
The line on standard error says what was covered.
Exit status: 0; 1 where --strict or read finds an error, or where recover or sources cannot do
what it names; 2 for bad arguments or a missing source."""


class Command(argparse.ArgumentParser):
    """A parser that lets options stand between sources.

    `sessionscan table usage --format csv SOURCE` has an option between two positional
    arguments, which argparse takes only in its intermixed mode.
    """

    _mixing = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, with options anywhere."""
        if self._mixing:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of the epilog."""


def add_command(commands: Any, name: str, help_: str) -> Command:  # noqa: ANN401 (argparse has no public name for it)
    """Add a command that takes sources."""
    command: Command = commands.add_parser(
        name, help=help_, description=help_, epilog=EPILOG, formatter_class=Formatter
    )
    return command


def add_output(
    command: argparse.ArgumentParser,
    *,
    columns: bool = True,
    scope: bool = True,
    times: bool = True,
) -> None:
    """Add where a result goes and how it looks."""
    group = command.add_argument_group("output")
    group.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    group.add_argument("--output", metavar="FILE", help="write here, whole or not at all")
    if times:
        group.add_argument("--tz", help="time zone of days and moments (default: UTC)")
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
            "--limit", type=whole, metavar="N", help="rows to give; 0 is all (table format: 50)"
        )


def add_scan(command: argparse.ArgumentParser) -> None:
    """Add every option of a scan."""
    group = add_engine(command)
    add_home(group)
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


def add_engine(command: argparse.ArgumentParser, *, strict: bool = True) -> argparse._ArgumentGroup:
    """Add what reads, and whether it is strict; return the group."""
    group = command.add_argument_group("scan")
    group.add_argument("--engine", choices=("rust", "python"), default="rust", help="default: rust")
    group.add_argument("--threads", type=_positive, metavar="N", help="default: all cores")
    if strict:
        group.add_argument(
            "--strict", action="store_true", help="exit 1 for findings that are errors"
        )
    return group


def add_text(command: argparse.ArgumentParser) -> None:
    """Add the option that fills the columns of words."""
    command.add_argument(
        "--text", action="store_true", help="fill the columns that hold words of the transcript"
    )


def _positive(text: str) -> int:
    value = whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def whole(text: str) -> int:
    """Read a number from 0, as argparse asks for it."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    value = int(text)
    if value >= _TOO_MANY:
        raise argparse.ArgumentTypeError(f"{text} is not below 2^63")
    return value
