"""The command `sanitize`: transcripts without their content, for a bug report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessionscan.cli.parsers import EPILOG, Formatter
from sessionscan.coverage import one_line
from sessionscan.sanitizing import sanitize

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser."""
    help_ = "a transcript or a folder of them without what is said in it"
    command = commands.add_parser(
        "sanitize", help=help_, description=help_, epilog=EPILOG, formatter_class=Formatter
    )
    command.add_argument("path", metavar="PATH", help="a transcript, or a folder of them")
    command.add_argument("out", metavar="OUT", help="where to write; nothing there is replaced")
    command.add_argument(
        "--key-file",
        metavar="FILE",
        help="a secret of 16 bytes or more: with the same one the same input gives the same "
        "output (default: a new one each time)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Sanitize, and name what was written."""
    key = None if arguments.key_file is None else Path(arguments.key_file).read_bytes()
    for written in sanitize(arguments.path, arguments.out, key=key)["written"]:
        print(one_line(str(written)))
    return 0
