"""A session named on the command line, among sources."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SHOWN = 5
_OF_PATHS = frozenset("/\\*?[~")


class NoSuchSessionError(ValueError):
    """The corpus holds no session of that name, or several."""


def split(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the session that stands before the sources, and the sources.

    A first argument of a UUID's shape is a session, also where a folder has that name:
    in a project's folder each session's own one does, and `./<id>` reads it. Any other
    word is a session where no file is so named.

    >>> split(["0a1b2c3d-0000-4000-8000-000000000001", "home"])
    ('0a1b2c3d-0000-4000-8000-000000000001', ['home'])
    >>> split(["fixtures/corpus"])
    (None, ['fixtures/corpus'])
    """
    first = arguments[0] if arguments else ""
    if _UUID.fullmatch(first) or (first and _OF_PATHS.isdisjoint(first) and not _exists(first)):
        return first, list(arguments[1:])
    return None, list(arguments)


def find(named: str, ids: Iterable[str | None]) -> str:
    """Return the session whose id is `named`, else the one whose id starts with it.

    Raises:
        NoSuchSessionError: where there is none, or more than one.
    """
    known = sorted({name for name in ids if name})
    matching = [named] if named in known else [name for name in known if name.startswith(named)]
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise NoSuchSessionError(f"{named}: no such file, and no session's id starts so")
    first = ", ".join(matching[:_SHOWN]) + (" and others" if matching[_SHOWN:] else "")
    raise NoSuchSessionError(f"{named}: {len(matching):,} sessions' ids start so: {first}")


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False
