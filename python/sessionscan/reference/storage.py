"""Where bytes live: on the disk of this machine, or in a store that pyarrow reaches.

Discovery, reading, and what is looked for beside the transcripts ask one of these,
and nothing else. A store is listed once for each root, and answers from that.
"""
# ruff: noqa: PTH116  paths are bytes

from __future__ import annotations

import errno
import hashlib
import os
import stat
from typing import TYPE_CHECKING, Protocol

from sessionscan.remote import before_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.remote import Listed, Store

_PIECE = (4 << 20) + (256 << 10)
"""How much of a file in a store is asked for at once."""


class Member(Protocol):
    """Something in a folder, as `os.DirEntry` has it."""

    @property
    def name(self) -> bytes:
        """Its name."""

    @property
    def path(self) -> bytes:
        """The path of its folder, and its name."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Say whether it is a folder."""

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Say whether it is a regular file."""

    def is_symlink(self) -> bool:
        """Say whether it is a link."""


class Storage(Protocol):
    """What the stages ask of the place where the files are."""

    def stat(self, path: bytes) -> os.stat_result:
        """Say what a path leads to."""

    def lstat(self, path: bytes) -> os.stat_result:
        """Say what is at a path, be it a link."""

    def members(self, folder: bytes) -> list[Member]:
        """Give what a folder holds."""

    def first_bytes(self, path: bytes, size: int) -> bytes:
        """Read `size` bytes of a file, or as many as it has now."""

    def shown(self, root: bytes, path: bytes) -> str:
        """Give a path below a root as tables show it."""


class Disk:
    """The disk of this machine."""

    def stat(self, path: bytes) -> os.stat_result:
        """Say what a path leads to."""
        return os.stat(path)

    def lstat(self, path: bytes) -> os.stat_result:
        """Say what is at a path, be it a link."""
        return os.lstat(path)

    def members(self, folder: bytes) -> list[Member]:
        """Give what a folder holds."""
        with os.scandir(folder) as listed:
            return list(listed)

    def first_bytes(self, path: bytes, size: int) -> bytes:
        """Read `size` bytes of a file, or as many as it has now."""
        # Without O_NONBLOCK a FIFO that took the file's place would block the scan.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError("not a regular file")
            with open(descriptor, "rb", closefd=False) as opened:
                return opened.read(min(size, found.st_size))
        finally:
            os.close(descriptor)

    def shown(self, root: bytes, path: bytes) -> str:  # noqa: ARG002
        """Give a path below a root as tables show it."""
        return path.decode("utf-8", "replace")


DISK: Storage = Disk()


class _Listed:
    """A member of a folder in a store, where nothing is a link."""

    def __init__(self, path: str, mode: int) -> None:
        self.path = path.encode()
        self.name = self.path.rpartition(b"/")[2]
        self._mode = mode

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002
        return stat.S_ISDIR(self._mode)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002
        return stat.S_ISREG(self._mode)

    def is_symlink(self) -> bool:
        return False


class Elsewhere:
    """A store, as it was when its roots were listed."""

    def __init__(self, store: Store, roots: Iterable[str]) -> None:
        """List every root."""
        self._store = store
        self._found: dict[str, os.stat_result] = {}
        self._members: dict[str, set[str]] = {}
        self._roots: dict[str, str] = {}
        for root in roots:
            self._roots[root], listed = store.listing(root)
            for each in listed:
                self._add(root, each)

    def stat(self, path: bytes) -> os.stat_result:
        """Say what a path leads to."""
        text = path.decode()
        if text in self._found:
            return self._found[text]
        is_listed = any(text.startswith(before_names(root)) for root in self._roots)
        found = None if is_listed else self._store.look(text)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
        return _stat(text, found)

    def lstat(self, path: bytes) -> os.stat_result:
        """Say the same: nothing is a link."""
        return self.stat(path)

    def members(self, folder: bytes) -> list[Member]:
        """Give what a folder holds."""
        paths = self._members.get(folder.decode(), set())
        return [_Listed(path, self._found[path].st_mode) for path in sorted(paths)]

    def first_bytes(self, path: bytes, size: int) -> bytes:
        """Read `size` bytes of a file, or as many as it had and still has."""
        left = min(size, self.stat(path).st_size)
        parts: list[bytes] = []
        place = 0
        while left and (part := self._store.read_at(path.decode(), place, min(left, _PIECE))):
            parts.append(part)
            place, left = place + len(part), left - len(part)
        return b"".join(parts)

    def shown(self, root: bytes, path: bytes) -> str:
        """Give a path below a root in the root's own spelling."""
        spelled = self._roots[root.decode()]
        if path == root:
            return spelled
        if path.startswith(before_names(root.decode()).encode()):
            return before_names(spelled) + path.decode().removeprefix(before_names(root.decode()))
        # A side file of a root that is a file stands beside it.
        return before_names(spelled.rpartition("/")[0]) + path.decode().rpartition("/")[2]

    def _add(self, root: str, listed: Listed) -> None:
        """Add something listed, and the folders that its path names on the way."""
        path = root
        names = listed.below.split("/") if listed.below else []
        for number, name in enumerate(names, start=1):
            folder, path = path, before_names(path) + name
            self._members.setdefault(folder, set()).add(path)
            if number < len(names):
                self._found.setdefault(path, _stat(path, listed._replace(is_file=False)))
        self._found[path] = _stat(path, listed)


def _stat(path: str, listed: Listed) -> os.stat_result:
    """Put what a store says into the words of the disk; the path is the identity."""
    modes: dict[bool | None, int] = {True: stat.S_IFREG, False: stat.S_IFDIR, None: stat.S_IFIFO}
    number = int.from_bytes(hashlib.sha256(path.encode()).digest())
    return os.stat_result((modes[listed.is_file], number, 0, 1, 0, 0, listed.size, 0, 0, 0))
