"""A session as a person names it: by its id, the beginning of that, or among sources."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sessionscan.reference.path_shape import is_uuid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.options import Engine
    from sessionscan.sources import Sources

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
    if is_uuid(first) or (first and _OF_PATHS.isdisjoint(first) and not _exists(first)):
        return first, list(arguments[1:])
    return None, list(arguments)


def and_sources(
    session: str | os.PathLike[str], sources: Sources | None, engine: Engine
) -> tuple[str, Sources | None]:
    """Return the id, or the beginning of one, that `session` stands for, and where to look.

    Args:
        session: an id, its beginning, or the path of a transcript, which is looked into.
        sources: where to look; None is, for a path, the home that holds it, else the
            file alone.
        engine: what looks into a transcript.

    Raises:
        ValueError: for a transcript that names no session, and an empty name.
        FileNotFoundError, TypeError: for what is no path.
    """
    name = os.fspath(session)
    if not isinstance(name, str):
        raise TypeError("a session is named by a str or a path of str")
    if isinstance(session, str) and (is_uuid(name) or not _is_file(name)):
        if not name:
            raise ValueError("an empty text names no session")
        return name, sources
    from sessionscan.api import scan  # noqa: PLC0415 (the API imports what imports this)

    (file,) = scan([name], tables=["files"], engine=engine).files.slice(0, 1).to_pylist()
    found = file["session_id"]
    if not found:
        raise ValueError(f"{name}: no record of it names a session")
    return found, _home_of(name) if sources is None else sources


def _home_of(path: str) -> str:
    folders = path.split("/")[:-1]
    for index in range(len(folders) - 1, -1, -1):
        if folders[index] == "projects":
            return "/".join(folders[:index]) or ("/" if path.startswith("/") else ".")
    return path


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


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
