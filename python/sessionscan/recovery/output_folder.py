"""Writing files into a folder: each whole or not at all, through no link, over no other file.

All files are first written and synced inside one folder of their own, under numbers. Only
when the last is whole does each get its name, by a hard link: the one call that makes a
file appear whole, and fails where anything stands already. So whenever the process ends,
a name leads to a whole file or to nothing; what may stay behind is the folder of numbers,
`.sessionscan-*.part`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sessionscan import without_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_IN_THE_WAY = (errno.ELOOP, errno.ENOTDIR)


class Planned(NamedTuple):
    """A file to write: where, what, and what that must hash to, if that is known."""

    steps: tuple[str, ...]
    pieces: Callable[[], Iterable[bytes]]
    sha256: str | None


def occupied(folder: str, steps: Sequence[str]) -> str | None:
    """Say why a file cannot be written at `steps` below `folder`; None where it can."""
    with ExitStack() as opened:
        try:
            inside = without_links.open_folder(opened, os.fsencode(folder))
        except FileNotFoundError:
            return None
        except OSError as error:
            return f"{folder}: {_reason(error)}"
        for number, name in enumerate(steps[:-1], start=1):
            try:
                inside = without_links.open_folder(opened, os.fsencode(name), inside)
            except FileNotFoundError:
                return None
            except OSError as error:
                return f"{'/'.join((folder, *steps[:number]))}: {_reason(error)}"
        with suppress(FileNotFoundError):
            os.stat(steps[-1], dir_fd=inside, follow_symlinks=False)
            return f"{'/'.join((folder, *steps))}: something is there already"
    return None


def _reason(error: OSError) -> str:
    if error.errno in _IN_THE_WAY:
        return "a link or a file stands where a folder should"
    return error.strerror or str(error)


def write(folder: str, files: Sequence[Planned]) -> None:
    """Write all files below `folder`, which is made where it is missing.

    Raises:
        OSError: where one cannot be written, or something stands in its place. No file
            is written then, but for those that had their names before something took the
            place of another; these are whole.
        ValueError: where a file is not what it was when it was looked at.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        base = without_links.open_folder(opened, os.fsencode(folder))
        name = f".sessionscan-{secrets.token_hex(8)}.part"
        os.mkdir(name, mode=0o700, dir_fd=base)
        opened.callback(_remove, name, base)
        staging = without_links.open_folder(opened, os.fsencode(name), base)
        opened.callback(_empty, staging, len(files))
        for number, file in enumerate(files):
            _stage(staging, number, file)
        for number, file in enumerate(files):
            _give_name(base, file.steps, staging, number)


def _stage(staging: int, number: int, file: Planned) -> None:
    digest = hashlib.sha256()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    staged = os.open(str(number), flags, mode=0o600, dir_fd=staging)
    try:
        for piece in file.pieces():
            digest.update(piece)
            _write_whole(staged, piece)
        os.fsync(staged)
    finally:
        os.close(staged)
    if file.sha256 not in {None, digest.hexdigest()}:
        raise ValueError(f"{'/'.join(file.steps)}: its backup changed while it was recovered")


def _write_whole(file: int, piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(file, left) :]


def _give_name(base: int, steps: Sequence[str], staging: int, number: int) -> None:
    with ExitStack() as opened:
        inside = base
        for name in steps[:-1]:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=inside)
            inside = without_links.open_folder(opened, os.fsencode(name), inside)
        os.link(
            str(number), steps[-1], src_dir_fd=staging, dst_dir_fd=inside, follow_symlinks=False
        )


def _empty(staging: int, most: int) -> None:
    for number in range(most):
        with suppress(OSError):
            os.unlink(str(number), dir_fd=staging)


def _remove(name: str, base: int) -> None:
    with suppress(OSError):
        os.rmdir(name, dir_fd=base)
