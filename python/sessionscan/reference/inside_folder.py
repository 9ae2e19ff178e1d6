"""Looking for a file below a folder without ever leaving it: rules 46 and 47.

Nothing is opened, and a link at any step ends the search.
"""
# ruff: noqa: PTH118  paths are bytes

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.storage import DISK, Storage

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_THERE = frozenset({errno.ENOENT, errno.ENAMETOOLONG})


class Sought(NamedTuple):
    """Whether a file exists, None where that was not looked at, and its size."""

    exists: bool | None
    size_bytes: int | None = None
    leads_outside: bool = False


UNKNOWN = Sought(None)
OUTSIDE = Sought(None, leads_outside=True)
_MISSING = Sought(exists=False)


def is_plain_name(name: str) -> bool:
    """Say whether a text can be nothing but the name of something in a folder."""
    return name not in {"", ".", ".."} and not any(char in name for char in "/\\\0")


def seek(base: bytes, names: Sequence[bytes], storage: Storage = DISK) -> Sought:
    """Look for the regular file that `names` lead to, step by step from `base` down.

    What is no folder on the way, no regular file at its end, or a link leads outside.
    """
    path = base
    for number, name in enumerate(names, start=1):
        path = os.path.join(path, name)
        try:
            found = storage.lstat(path)
        except OSError as error:
            return _MISSING if error.errno in _NOT_THERE else UNKNOWN
        if number == len(names) and stat.S_ISREG(found.st_mode):
            return Sought(exists=True, size_bytes=found.st_size)
        if number == len(names) or not stat.S_ISDIR(found.st_mode):
            break
    return OUTSIDE
