"""Where a command's result goes: standard output, or a file that appears whole."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from sessionscan.atomic import replacing
from sessionscan.cli.formats import BINARY, write, write_json_document

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import Any

    import pyarrow as pa


def check(arguments: argparse.Namespace) -> None:
    """Refuse bytes on a terminal before anything is read.

    Raises:
        ValueError: for a binary format that would go to a terminal.
    """
    if arguments.format in BINARY and arguments.output is None and sys.stdout.isatty():
        raise ValueError(f"--format {arguments.format} is not for a terminal; add --output FILE")


def emit(
    arguments: argparse.Namespace,
    table: pa.Table,
    text: Callable[[], str],
    document: Callable[[], dict[str, Any]] | None = None,
) -> None:
    """Write a result: `text` as a table, `document` or `table` in the other formats."""
    with _opened(arguments.output) as (file, seekable):
        if arguments.format == "table":
            file.write(text().encode())
        elif arguments.format == "json" and document is not None:
            write_json_document(document(), file)
        else:
            write(table, arguments.format, file, arguments.tz, seekable=seekable)


def write_text(path: str | None, text: str) -> None:
    """Write a text to a file that appears whole, or to standard output."""
    with _opened(path) as (file, _):
        file.write(text.encode())


@contextmanager
def _opened(output: str | None) -> Iterator[tuple[BinaryIO, bool]]:
    if output is None:
        yield sys.stdout.buffer, False
        sys.stdout.buffer.flush()
        return
    with replacing(output) as file:
        yield file, file.seekable()
