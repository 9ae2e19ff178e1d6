"""From paths of a file system, or URLs, to roots in a store."""

from __future__ import annotations

import errno
import glob
import os
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import fs

from sessionscan import urls
from sessionscan.remote import Store
from sessionscan.sources import Root
from sessionscan.sources import shown as shown_path

if TYPE_CHECKING:
    from collections.abc import Sequence

_from_uri = fs.FileSystem.from_uri
_APART = "the sources of one scan are in one file system; scan these apart: {} and {}"


class _Place:
    """A source: its file system, its path there, and how it is shown."""

    def __init__(self, source: str, filesystem: fs.FileSystem | None) -> None:
        url = urls.parse(source)
        if filesystem is None:
            if url is None:
                raise ValueError(
                    f"{source!r} is no URL, and others are; name what is on this disk in a scan "
                    "of its own"
                )
            self.filesystem, path = _of_url(source, url)
            self.shown, self.secrets = url.shown, url.secrets
        else:
            if url is not None:
                raise ValueError(
                    f"with a file system the sources are its paths; {url.shown} is a URL, which "
                    "needs none"
                )
            self.filesystem, path = filesystem, source
            self.shown, self.secrets = source, ()
        self.path = _normal(self.filesystem, path, self.shown)


def find(listed: Sequence[str], filesystem: fs.FileSystem | None) -> tuple[list[Root], Store]:
    """Return the roots that exist, and the store that they are paths of.

    Raises:
        FileNotFoundError: for one that does not exist.
        ValueError: for no source, a URL of no file system, or several file systems.
        TypeError: for what is no file system.
        OSError: where the file system does not answer.
    """
    if filesystem is not None and not isinstance(filesystem, fs.FileSystem):
        raise TypeError(
            f"filesystem must be a pyarrow.fs.FileSystem, not {type(filesystem).__name__}; "
            "fsspec's become one by pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(…))"
        )
    places = [_Place(source, filesystem) for source in listed]
    if not places:
        raise ValueError("no source was given")
    first = places[0]
    for place in places:
        if not first.filesystem.equals(place.filesystem):
            raise ValueError(_APART.format(first.shown, place.shown))
    shown = {place.path: place.shown for place in reversed(places)}
    secrets = tuple(dict.fromkeys(secret for place in places for secret in place.secrets))
    store = Store(first.filesystem, shown, secrets)
    for place in places:
        _check(store, place)
    return [Root(shown_path(place.shown), place.path) for place in places], store


def local_path(source: str, url: urls.Url) -> str:
    """Return the path on this disk that a URL `file://…` stands for.

    Raises:
        ValueError: for any other URL.
    """
    if url.scheme != "file":
        raise ValueError(f"{url.shown} is not on this disk")
    _, path = _of_url(source, url)
    return path


def _of_url(source: str, url: urls.Url) -> tuple[fs.FileSystem, str]:
    failure: Exception
    try:
        filesystem, path = _from_uri(source)
    except (pa.ArrowException, OSError) as error:
        words = str(error).replace(source, url.shown).splitlines()
        reason = urls.scrubbed(words[0] if words else type(error).__name__, url.secrets)
        said = f"{url.shown} leads to no file system: {reason}"
        failure = OSError(said) if isinstance(error, OSError) else ValueError(said)
    else:
        return filesystem, path
    # Outside of the handler: the cause may hold what must not be shown.
    raise failure


def _normal(filesystem: fs.FileSystem, path: str, shown: str) -> str:
    """Return the path without slashes at its end, as the file system spells it."""
    try:
        normal = str(filesystem.normalize_path(path))
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{shown!r} is no path of the file system: {error}") from None
    return normal.rstrip("/") or normal[:1]


def _check(store: Store, place: _Place) -> None:
    try:
        found = store.look(place.path)
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise OSError(f"{place.shown} cannot be reached: {error}") from None
    if found is None:
        missing = os.strerror(errno.ENOENT)
        hint = "; a glob is one on this machine's disk alone" if glob.has_magic(place.path) else ""
        raise FileNotFoundError(errno.ENOENT, missing + hint, place.shown)
