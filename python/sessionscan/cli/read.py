"""The command `read`: one session as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from sessionscan.cli import output
from sessionscan.cli.parsers import add_command, add_engine
from sessionscan.cli.selection import add_home, take_homes
from sessionscan.reading import Page, read_session

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser."""
    command = add_command(commands, "read", "one session as a page to read")
    command.add_argument(
        "session", metavar="SESSION", help="a session's id, its beginning, or its transcript"
    )
    command.add_argument("sources", metavar="SOURCE", nargs="*", help="where to look for it")
    group = command.add_argument_group("output")
    group.add_argument(
        "--format", choices=get_args(Page), default="markdown", help="default: markdown"
    )
    group.add_argument("--output", metavar="FILE", help="write here, whole or not at all")
    group.add_argument("--tz", default="UTC", help="time zone of moments (default: UTC)")
    group.add_argument("--images", action="store_true", help="with images, else placeholders")
    group.add_argument(
        "--lenient",
        action="store_true",
        help="show what there is, and say what is lost, where a line cannot be read or is of "
        "another session",
    )
    add_home(add_engine(command, strict=False))


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    take_homes(arguments)
    text = read_session(
        arguments.session,
        arguments.sources or None,
        page=arguments.format,
        images=arguments.images,
        strict=not arguments.lenient,
        tz=arguments.tz,
        engine=arguments.engine,
        threads=arguments.threads,
    )
    output.write_text(arguments.output, text)
    return 0
