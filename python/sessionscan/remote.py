"""Files that a `pyarrow.fs.FileSystem` reaches, as both engines ask for them.

A store answers over a network: it is slow to begin, and fails now and then. So a
root is listed once, files are read in large pieces by the engines, and what fails
is tried again here, for either engine in the same way.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pyarrow.fs import FileInfo, FileSelector, FileType

from sessionscan.urls import scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow as pa
    from pyarrow.fs import FileSystem

ATTEMPTS = 3
"""How often something is asked before it has failed."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 1.0
_OPEN_FILES = 64
# These are answers: asking again gives the same.
_ANSWERS = (FileNotFoundError, NotADirectoryError, IsADirectoryError)

_IS_FILE: dict[FileType, bool] = {FileType.File: True, FileType.Directory: False}

T = TypeVar("T")


class Listed(NamedTuple):
    """Something that a store holds: the names below its root, and what it is.

    `is_file` is False for a folder and None for what is neither; `modified` is in ns
    of the epoch.
    """

    below: str
    is_file: bool | None
    size: int
    modified: int | None


class Store:
    """The files of a file system; its methods may be called from many threads.

    Paths are those of the file system. Every error is an OSError whose words hold
    none of `secrets`.

    Args:
        filesystem: the file system.
        shown: how tables and errors spell each root, by its path.
        secrets: what must not be shown.
    """

    def __init__(
        self, filesystem: FileSystem, shown: Mapping[str, str], secrets: tuple[str, ...] = ()
    ) -> None:
        """Keep what is needed; nothing is asked yet."""
        self.filesystem = filesystem
        self._shown = dict(shown)
        self._secrets = secrets
        self._handles = _Handles(filesystem.open_input_file)

    def __reduce__(self) -> tuple[type[Store], tuple[object, ...]]:
        """Travel to another process without what is open."""
        return Store, (self.filesystem, self._shown, self._secrets)

    def listing(self, root: str) -> tuple[str, list[Listed]]:
        """Give the spelling of a root, and all that is at and below it.

        Raises:
            OSError: where it cannot be listed; FileNotFoundError where it is not there.
        """
        shown = self.spelled(root)
        try:
            return shown, self._listed(root)
        except FileNotFoundError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), shown) from None
        except (OSError, UnicodeError) as error:
            raise OSError(f"{shown} cannot be listed: {error}") from None

    def _listed(self, root: str) -> list[Listed]:
        """List once what is below a root, whatever its depth."""
        itself = self.look(root)
        if itself is None:
            raise FileNotFoundError
        if itself.is_file is not False:
            return [itself]
        below = FileSelector(root, recursive=True)
        infos = self._asked(lambda: self.filesystem.get_file_info(below))
        return [itself, *(self._told(info, _below(root, info.path)) for info in infos)]

    def _told(self, info: FileInfo, below: str) -> Listed:
        """Give what a file system says; a file whose length it does not say is opened."""
        size = info.size or 0
        if info.size is None and info.type == FileType.File:
            size = self._asked(lambda: self._handles.size(info.path))
        return Listed(below, _IS_FILE.get(info.type), size, info.mtime_ns)

    def look(self, path: str) -> Listed | None:
        """Give what is at a path, None where nothing is.

        Raises:
            OSError: where that cannot be told.
        """
        (found,) = self._asked(lambda: self.filesystem.get_file_info([path]))
        return None if found.type == FileType.NotFound else self._told(found, "")

    def read_at(self, path: str, offset: int, length: int) -> bytes:
        """Read at most `length` bytes of a file; none at its end only.

        Raises:
            OSError: where they cannot be read.
        """
        return self._asked(lambda: self._handles.read(path, offset, length))

    def spelled(self, root: str) -> str:
        """Give a root as tables show it."""
        return self._shown.get(root, root)

    def path_of(self, shown: str) -> str:
        """Give the path of a file that tables show so.

        Raises:
            ValueError: where it is below no root.
        """
        for root, spelled in self._shown.items():
            if shown == spelled:
                return root
            if shown.startswith(before_names(spelled)):
                return before_names(root) + shown.removeprefix(before_names(spelled))
        raise ValueError(f"{shown!r} is below none of the sources")

    def forget(self) -> None:
        """Let go of what is open; what is being read is read to its end."""
        self._handles.clear()

    def _asked(self, ask: Callable[[], T]) -> T:
        """Ask until there is an answer, at most as often as `ATTEMPTS` says."""
        attempt = 1
        while True:
            try:
                return ask()
            except Exception as error:  # noqa: BLE001 (file systems raise what they like)
                failure = self._failure(error)
                if attempt == ATTEMPTS or not _may_pass(error):
                    break
            time.sleep(min(_FIRST_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE))
            attempt += 1
        # Outside of the handler, so that the cause, which may hold a secret, stays behind.
        raise failure

    def _failure(self, error: Exception) -> OSError:
        if isinstance(error, FileNotFoundError):
            return FileNotFoundError(os.strerror(errno.ENOENT))
        words = (error.strerror if isinstance(error, OSError) else None) or str(error)
        kind = type(error).__name__
        said = words if isinstance(error, OSError) and words else f"{kind}: {words}".rstrip(": ")
        return OSError(scrubbed(" ".join(said.split()), self._secrets))


def before_names(folder: str) -> str:
    """Give a folder's path as it stands before the names in it."""
    return folder if not folder or folder.endswith("/") else f"{folder}/"


def _may_pass(error: Exception) -> bool:
    return isinstance(error, OSError) and not isinstance(error, _ANSWERS)


def _below(root: str, path: str) -> str:
    """Give the names below a root that lead to a path."""
    if not path.startswith(before_names(root)):
        raise OSError(f"{path!r} was listed, which is not below it")
    return path.removeprefix(before_names(root))


class _Handle:
    """A file, opened by the first who reads it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.file: pa.NativeFile | None = None


class _Handles:
    """The files that were read last, each opened once for all threads.

    One that is left out is closed with the last read of it.
    """

    def __init__(self, open_file: Callable[[str], pa.NativeFile]) -> None:
        self._open_file = open_file
        self._lock = threading.Lock()
        self._handles: dict[str, _Handle] = {}

    def size(self, path: str) -> int:
        return self._use(path, lambda file: file.size())

    def read(self, path: str, offset: int, length: int) -> bytes:
        # As the stubs have it, it takes no offset.
        return self._use(path, lambda file: file.read_at(length, offset))  # type: ignore[call-arg]

    def _use(self, path: str, use: Callable[[pa.NativeFile], T]) -> T:
        handle = self._handle(path)
        try:
            with handle.lock:
                if handle.file is None:
                    handle.file = self._open_file(path)
                file = handle.file
            return use(file)
        except Exception:
            # The next attempt opens it anew.
            self._leave_out(path, handle)
            raise

    def clear(self) -> None:
        with self._lock:
            self._handles.clear()

    def _handle(self, path: str) -> _Handle:
        with self._lock:
            handle = self._handles.pop(path, None) or _Handle()
            self._handles[path] = handle
            if len(self._handles) > _OPEN_FILES:
                del self._handles[next(iter(self._handles))]
            return handle

    def _leave_out(self, path: str, handle: _Handle) -> None:
        with self._lock:
            if self._handles.get(path) is handle:
                del self._handles[path]
