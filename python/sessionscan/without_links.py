"""Opening what stands below a folder without following a link on the way."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack

PIECE = 64 * 1024

_CLOSED = os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# Without O_NONBLOCK a pipe that has taken the file's place would block.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def open_file(opened: ExitStack, base: bytes, names: Sequence[bytes]) -> int:
    """Open the regular file that `names` lead to from the folder `base`.

    Each step is opened inside the one before it, so that nothing that is moved or
    linked meanwhile leads elsewhere. `base` itself may be reached by a link.

    Raises:
        ValueError: where what stands at the end is no regular file.
        OSError: where it is not there, or a link or a file stands on the way.
    """
    folder = _open(opened, base, os.O_RDONLY | os.O_DIRECTORY, None)
    for name in names[:-1]:
        folder = open_folder(opened, name, folder)
    file = _open(opened, names[-1], _FILE, folder)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise ValueError(f"{os.fsdecode(names[-1])!r} is no regular file; it was not read")
    return file


def open_folder(opened: ExitStack, name: bytes, inside: int | None = None) -> int:
    """Open the folder `name`, which must be no link; `opened` closes it."""
    return _open(opened, name, _FOLDER, inside)


def pieces(file: int, most: int | None = None) -> Iterator[bytes]:
    """Give what an open file holds, or its first `most` bytes, in pieces of 64 KiB."""
    left = most
    while left is None or left > 0:
        piece = os.read(file, PIECE if left is None else min(left, PIECE))
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece


def _open(opened: ExitStack, name: bytes, flags: int, folder: int | None) -> int:
    number = os.open(name, flags | _CLOSED, dir_fd=folder)
    opened.callback(os.close, number)
    return number
