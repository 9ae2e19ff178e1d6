"""What stands in a sidecar, a piece at a time: on request only, and never from elsewhere."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from sessionscan import without_links
from sessionscan.reference.inside_folder import is_plain_name
from sessionscan.reference.session_folder import session_folder, steps_to
from sessionscan.without_links import PIECE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionscan.remote import Store

_FETCHED = 4 * 1024 * 1024


def pieces(
    sidecar: Mapping[str, Any], file_path: str, max_bytes: int, store: Store | None = None
) -> Iterator[bytes]:
    """Give the first `max_bytes` of a sidecar, in pieces of at most 64 KiB.

    Args:
        sidecar: a row of `sidecars`.
        file_path: the path of its transcript.
        max_bytes: where to stop.
        store: where both are; None is the disk.

    Raises:
        ValueError: where its path leads out of the session's folder (ruling 46), or
            to what is no regular file.
        OSError: where it is not there, or a link stands on the way.

    """
    if store is not None:
        base, names = _way(sidecar, store.path_of(file_path))
        path = os.fsdecode(b"/".join([base, *names] if base else names))
        return _read_elsewhere(store, path, max_bytes)
    base, names = _way(sidecar, file_path)
    return _read(base or b".", names, max_bytes)


def _read(base: bytes, names: list[bytes], most: int) -> Iterator[bytes]:
    with ExitStack() as opened:
        yield from without_links.pieces(without_links.open_file(opened, base, names), most)


def _read_elsewhere(store: Store, path: str, left: int) -> Iterator[bytes]:
    found = store.look(path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not found.is_file:
        raise ValueError(f"{path!r} is no regular file; it was not read")
    place = 0
    while left > 0 and (fetched := store.read_at(path, place, min(left, _FETCHED))):
        left, place = left - len(fetched), place + len(fetched)
        yield from (fetched[at : at + PIECE] for at in range(0, len(fetched), PIECE))


def _way(sidecar: Mapping[str, Any], file_path: str) -> tuple[bytes, list[bytes]]:
    path = sidecar["path"]
    folder = session_folder(os.fsencode(file_path), sidecar["session_id"])
    if path is not None and folder is not None:
        base, name = folder
        steps = steps_to(path, os.fsdecode(name)) if is_plain_name(os.fsdecode(name)) else None
        if steps is not None:
            return base, [name, *map(os.fsencode, steps)]
    raise ValueError(f"{path!r} is no path in the folder of its session; it was not read")
