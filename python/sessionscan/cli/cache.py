"""`sessionscan cache`: what scans have kept, and how to be rid of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan import cache
from sessionscan.coverage import one_line

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print what the folder holds, or held before it was cleared.

    Raises:
        OSError: where it cannot be read or cleared.
    """
    folder = cache.folder_of(arguments.cache) or ""
    kept = cache.info(folder) if arguments.action == "info" else cache.clear(folder)
    done = "" if arguments.action == "info" else "removed from "
    print(f"{done}{one_line(kept.folder)}")
    print(f"segments {kept.segments:>15,}  facts of transcripts")
    print(f"tables   {kept.tables:>15,}  of whole scans")
    print(f"bytes    {kept.bytes:>15,}")
    return 0


def check(given: cache.Cache, engine: str) -> None:
    """Refuse an engine that has none, and a folder that something else is in.

    `--cache SOURCE` is written easily where `--cache` was meant, and a scan must not
    write among transcripts.

    Raises:
        ValueError: for either.
    """
    if given is not False and engine == "python":
        raise ValueError("engine 'python' has no cache; only 'rust' does")
    if isinstance(given, str) and cache.is_for_others(given):
        raise ValueError(
            f"{given} is not empty, and no folder of an index; without a folder --cache stands "
            "last, or before another option"
        )
