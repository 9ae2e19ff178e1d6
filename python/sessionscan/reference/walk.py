"""Walking roots: rules 2 and 4 of the rulings.

A physical folder is walked once, at its first place in the order of paths:
folders that link to one another can be reached on more paths than could ever
be walked, and what is in them would be dropped as seen already.

Paths are bytes here, as a name need not be UTF-8; `pathlib` takes none of those.
"""
# ruff: noqa: PTH118

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.beside import META, TOOL_RESULT, kind_beside, meta_beside, outputs
from sessionscan.reference.path_shape import is_transcript_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.storage import Member, Storage

    Identity = tuple[int, int]

_OUTPUTS = b"tool-results"
_NOT_ENTERED = frozenset({_OUTPUTS, b"file-history"})


class Entry(NamedTuple):
    """Something found: a file to read, or what cannot be read and why."""

    path: bytes
    identity: Identity | None
    size: int | None
    problem: str | None = None
    reason: str = ""
    is_folder: bool = False


class Noted(NamedTuple):
    """A regular file beside the transcripts, and what it is there.

    `identity` is None where it can be reached in one way only.
    """

    kind: str
    path: bytes
    identity: Identity | None


class _Folder(NamedTuple):
    """A folder to be walked, `depth` folders below the root."""

    path: bytes
    identity: Identity
    depth: int


class Walk:
    """A walk of one root after the other, which enters no folder twice.

    `beside` gathers what the walk notes beside the transcripts, in any order.
    """

    def __init__(self, storage: Storage) -> None:
        """Start where no folder is walked yet."""
        self._storage = storage
        self._walked: set[Identity] = set()
        self.beside: list[Noted] = []

    def root(self, root: bytes) -> Iterator[Entry]:
        """Give everything below a root that is named like a transcript, in any order.

        A root that is a file counts whatever its name. Of a home only the folders
        that hold transcripts are walked.
        """
        try:
            found = self._storage.stat(root)
        except OSError as error:
            yield self._unreadable(root, error)
            return
        if not stat.S_ISDIR(found.st_mode):
            yield _file(root, found)
            self._note(META, meta_beside(root))
            return
        home = _identity(found)
        yield from self._below(home, self._parts_of_home(root) or [_Folder(root, home, 0)])

    def _below(self, home: Identity, folders: list[_Folder]) -> Iterator[Entry]:
        """Walk folders that are `home` or lie in it, in the order of their paths."""
        above = [home]
        folders.sort(key=_order, reverse=True)
        while folders:
            folder = folders.pop()
            del above[folder.depth :]
            if folder.identity in above:
                identity = self._identity_of(folder.path)
                yield Entry(folder.path, identity, None, "symlink_loop", is_folder=True)
            elif folder.identity not in self._walked:
                self._walked.add(folder.identity)
                above.append(folder.identity)
                inner: list[_Folder] = []
                yield from self._list(folder, inner)
                folders += sorted(inner, key=_order, reverse=True)

    def _list(self, folder: _Folder, inner: list[_Folder]) -> Iterator[Entry]:
        """Give what a folder holds, and add the folders to enter to `inner`."""
        try:
            members = self._storage.members(folder.path)
        except OSError as error:
            yield self._unreadable(folder.path, error, is_folder=True)
            return
        for member in members:
            if is_transcript_name(os.fsdecode(member.name)):
                yield self._named(member.path)
            elif member.name not in _NOT_ENTERED:
                self._note(kind_beside(os.fsdecode(member.path)), member.path)
                yield from self._enter(member, folder.depth + 1, inner)
            elif member.name == _OUTPUTS:
                paths = outputs(member, self._storage)
                self.beside += (Noted(TOOL_RESULT, path, None) for path in paths)

    def _note(self, kind: str | None, path: bytes | None) -> None:
        """Note what a name says, where a regular file is behind it."""
        if kind is None or path is None:
            return
        try:
            found = self._storage.stat(path)
        except OSError:
            return
        if stat.S_ISREG(found.st_mode):
            self.beside.append(Noted(kind, path, _identity(found)))

    def _parts_of_home(self, root: bytes) -> list[_Folder]:
        """Give the folders of a home that hold transcripts, none for any other folder."""
        for names in ((b"projects",), (b"sessions", b"archived_sessions")):
            parts = [self._part(os.path.join(root, name)) for name in names]
            if parts[0] is not None:
                return [part for part in parts if part is not None]
        return []

    def _part(self, path: bytes) -> _Folder | None:
        try:
            found = self._storage.stat(path)
        except OSError:
            return None
        return _Folder(path, _identity(found), 1) if stat.S_ISDIR(found.st_mode) else None

    def _enter(self, member: Member, depth: int, inner: list[_Folder]) -> Iterator[Entry]:
        """Add the folder that a member is or links to; a link that leads nowhere is none."""
        is_folder = False
        try:
            is_folder = member.is_dir(follow_symlinks=False)
            if not is_folder and not member.is_symlink():
                return
            found = self._storage.stat(member.path)
        except OSError as error:
            if is_folder:
                yield self._unreadable(member.path, error, is_folder=True)
            return
        if stat.S_ISDIR(found.st_mode):
            inner.append(_Folder(member.path, _identity(found), depth))

    def _named(self, path: bytes) -> Entry:
        """Give what is named like a transcript, whatever it is."""
        try:
            return _file(path, self._storage.stat(path))
        except OSError as error:
            return self._unreadable(path, error)

    def _unreadable(self, path: bytes, error: OSError, *, is_folder: bool = False) -> Entry:
        reason = error.strerror or str(error)
        return Entry(path, self._identity_of(path), None, "unreadable", reason, is_folder)

    def _identity_of(self, path: bytes) -> Identity | None:
        """Give the identity of what stands at a path, of a link itself."""
        try:
            return _identity(self._storage.lstat(path))
        except OSError:
            return None


def order_of_folder(path: bytes) -> bytes:
    """Give the key that puts a folder where its files stand among all paths."""
    return path + b"/"


def _order(folder: _Folder) -> bytes:
    return order_of_folder(folder.path)


def _file(path: bytes, found: os.stat_result) -> Entry:
    if stat.S_ISREG(found.st_mode):
        return Entry(path, _identity(found), found.st_size)
    return Entry(path, _identity(found), None, "not_a_file")


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino
