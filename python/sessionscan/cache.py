"""The folder in which scans keep what they found out, for the next one.

The engine fills it (`scan(..., cache=True)`); this module says where it is, what it
holds, and empties it. Nothing in it is needed: it can be removed at any time, also
while a scan uses it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

Cache = bool | str | os.PathLike[str]

_KEPT = ".ssindex"
_UNFINISHED = ".sspart"
_TAG = "CACHEDIR.TAG"
_OURS = b"The index of sessionscan"


class Kept(NamedTuple):
    """What the folder holds: facts of transcripts, tables of whole scans, their bytes."""

    folder: str
    segments: int
    tables: int
    bytes: int


def folder_of(cache: Cache) -> str | None:
    """Return the folder that `cache` stands for; None where none is used.

    True is `sessionscan` in the user's folder of caches: XDG_CACHE_HOME where it is an
    absolute path, else `~/.cache`.

    Raises:
        TypeError: for what is neither True nor False nor a path.

    >>> folder_of("somewhere")
    'somewhere'
    """
    if isinstance(cache, bool):
        return str(_own_folder()) if cache else None
    path = os.fspath(cache)
    if not isinstance(path, str):
        raise TypeError(f"cache must be True, False or a path, not {type(cache).__name__}")
    if not path:
        raise ValueError("cache must be True, False or a path, not an empty one")
    return path


def _own_folder() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():
        caches = Path.home() / ".cache"
    return caches / "sessionscan"


def is_for_others(folder: str) -> bool:
    """Say whether a folder holds something, and is none of ours."""
    try:
        is_empty = not any(Path(folder).iterdir())
    except OSError:
        return False
    return not is_empty and not _is_tagged(folder)


def _is_tagged(folder: str) -> bool:
    try:
        return _OURS in (Path(folder) / _TAG).read_bytes()[:1000]
    except OSError:
        return False


def info(folder: str) -> Kept:
    """Return what a folder holds; nothing where there is no folder."""
    segments = tables = size = 0
    for entry in _ours(folder):
        size += _size(entry)
        if entry.name.endswith(_KEPT):
            is_table = "-" in entry.name
            tables += is_table
            segments += not is_table
    return Kept(folder, segments, tables, size)


def clear(folder: str) -> Kept:
    """Remove what scans kept, and the folder where nothing else is in it.

    Returns:
        What was removed.

    Raises:
        OSError: where something of it cannot be removed.
    """
    was = info(folder)
    for entry in list(_ours(folder)):
        Path(entry.path).unlink(missing_ok=True)
    if _is_tagged(folder):
        (Path(folder) / _TAG).unlink(missing_ok=True)
        # What is not ours stays, and so does the folder then.
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
    return was


def _ours(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        entries = os.scandir(folder)
    except FileNotFoundError:
        return
    with entries:
        for entry in entries:
            if entry.name.endswith((_KEPT, _UNFINISHED)) and entry.is_file(follow_symlinks=False):
                yield entry


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        # A scan has removed it meanwhile.
        return 0
