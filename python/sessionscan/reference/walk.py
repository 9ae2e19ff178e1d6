"""Walking one root: rules 2 and 4 of the rulings.

Paths are bytes here, as a name need not be UTF-8; `pathlib` takes none of those.
"""
# ruff: noqa: PTH112, PTH116, PTH118, PTH208

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.path_shape import is_transcript_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    Identity = tuple[int, int]

_NOT_ENTERED = frozenset({b"tool-results", b"file-history"})


class Entry(NamedTuple):
    """Something found: a file to read, or what cannot be read and why."""

    path: bytes
    identity: Identity | None
    size: int | None
    problem: str | None = None
    reason: str = ""
    is_folder: bool = False


def walk(root: bytes) -> Iterator[Entry]:
    """Give everything below a root that is named like a transcript, in any order.

    A root that is a file counts whatever its name. Of a home only the folders
    that hold transcripts are walked.
    """
    try:
        found = os.stat(root)
    except OSError as error:
        yield _unreadable(root, None, None, error)
        return
    if not stat.S_ISDIR(found.st_mode):
        yield _file(root, found)
        return
    # Folders to walk, each with the folders that it lies in, itself included.
    home = _identity(found)
    open_folders = [(folder, frozenset({home, _identity_of(folder)})) for folder in _parts(root)]
    while open_folders:
        folder, above = open_folders.pop()
        try:
            names = os.listdir(folder)
        except OSError as error:
            yield _unreadable(folder, _identity_of(folder), None, error, is_folder=True)
            continue
        for name in names:
            path = os.path.join(folder, name)
            if (below := _folder_below(path, name)) is None:
                yield from _named(path, name)
            elif below in above:
                yield Entry(path, _identity_of(path), None, "symlink_loop", is_folder=True)
            else:
                open_folders.append((path, above | {below}))


def _parts(root: bytes) -> list[bytes]:
    """Give the folders of a home that hold transcripts, or the root itself."""
    for names in ((b"projects",), (b"sessions", b"archived_sessions")):
        folders = [os.path.join(root, name) for name in names]
        if os.path.isdir(folders[0]):
            return [folder for folder in folders if os.path.isdir(folder)]
    return [root]


def _folder_below(path: bytes, name: bytes) -> Identity | None:
    """Give the identity of a folder that is to be entered, None for anything else."""
    if name in _NOT_ENTERED or is_transcript_name(os.fsdecode(name)):
        return None
    try:
        found = os.stat(path)
    except OSError:
        return None
    return _identity(found) if stat.S_ISDIR(found.st_mode) else None


def _named(path: bytes, name: bytes) -> Iterator[Entry]:
    """Give what is named like a transcript, whatever it is."""
    if not is_transcript_name(os.fsdecode(name)):
        return
    try:
        found = os.stat(path)
    except OSError as error:
        yield _unreadable(path, _identity_of(path), None, error)
        return
    yield _file(path, found)


def _file(path: bytes, found: os.stat_result) -> Entry:
    if stat.S_ISREG(found.st_mode):
        return Entry(path, _identity(found), found.st_size)
    return Entry(path, _identity(found), None, "not_a_file")


def _unreadable(
    path: bytes,
    identity: Identity | None,
    size: int | None,
    error: OSError,
    *,
    is_folder: bool = False,
) -> Entry:
    return Entry(path, identity, size, "unreadable", error.strerror or str(error), is_folder)


def _identity_of(path: bytes) -> Identity | None:
    """Give the identity of what stands at a path, of a link itself."""
    try:
        return _identity(os.lstat(path))
    except OSError:
        return None


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino
