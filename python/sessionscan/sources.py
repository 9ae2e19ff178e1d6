"""From what a caller names to the roots that both engines walk."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sessionscan import homes, urls

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

    from sessionscan.remote import Store

Source = str | os.PathLike[str]
Sources = Source | Iterable[Source]

_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)


class Root(NamedTuple):
    """A path that exists, and the label of the source that led to it.

    The label is always valid Unicode; the path may hold surrogate escapes, as
    Python spells the bytes of a name that is not UTF-8.
    """

    label: str
    path: str


class MissingArchive(Root):
    """The root of a registered archive that is not there, and is not required to be.

    A scan says so in `files` and `diagnostics`, where its absence may matter.
    """

    __slots__ = ()


class Located(NamedTuple):
    """Roots, and the store that they are paths of; None is the disk of this machine."""

    roots: list[Root]
    store: Store | None


def locate(sources: Sources | None, filesystem: FileSystem | None = None) -> Located:
    """Return the roots that `sources` stands for, in order, and where they are.

    Args:
        sources: paths of `filesystem`; without one, as in `resolve`, or URLs of one
            file system.
        filesystem: where the paths are.

    Raises:
        FileNotFoundError, ValueError, TypeError: as `resolve` does.
        ValueError: for a URL that leads nowhere, and sources in several file systems.
        OSError: where a file system does not answer.
    """
    if filesystem is None and (sources is None or not isinstance(sources, Iterable)):
        return Located(resolve(sources), None)
    if sources is None:
        raise ValueError("name paths of the file system; only this machine's homes are discovered")
    listed = _listed(sources)
    if filesystem is None and not any(map(_is_elsewhere, listed)):
        return Located(resolve(listed), None)
    from sessionscan import remote_roots  # noqa: PLC0415 (it imports this module)

    return Located(*remote_roots.find(listed, filesystem))


def on_disk(sources: Sources | None, what: str) -> list[Root]:
    """Return the roots for `what`, which reads more than transcripts.

    Raises:
        ValueError: for a URL of somewhere else.
        FileNotFoundError, ValueError, TypeError: as `resolve` does.

    >>> on_disk("s3://bucket/home", "recover")
    Traceback (most recent call last):
        ...
    ValueError: recover needs sources on disk, not s3://bucket/home
    """
    for source in [] if sources is None else _listed(sources):
        url = urls.parse(source)
        if url is not None and _is_elsewhere(source):
            raise ValueError(f"{what} needs sources on disk, not {url.shown}")
    return resolve(sources)


def _is_elsewhere(source: str) -> bool:
    url = urls.parse(source)
    return url is not None and url.scheme != "file"


def resolve(sources: Sources | None) -> list[Root]:
    """Return the roots on this machine that `sources` stands for, in order.

    Args:
        sources: a path, a glob or several of them; "~" is expanded, and a path
            that exists is taken literally even where it looks like a glob. A URL
            `file://…` stands for its path. None discovers the homes of this machine
            (see `sessionscan.homes`).

    Raises:
        FileNotFoundError: for a path that does not exist, a glob that matches
            nothing, or where discovery finds nothing (it names where it looked).
        RegistryError: where discovery meets a malformed registry of archives, or a
            required archive is missing.
        ValueError: for no source at all, or a path with a NUL in it.
        TypeError: for anything that is not a path.

    >>> resolve("no/such/folder")
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no/such/folder'
    """
    if sources is None:
        return _discover()
    roots = [root for source in _listed(sources) for root in _expand(source)]
    if not roots:
        raise ValueError("no source was given; None discovers the homes of this machine")
    return roots


def _listed(sources: Sources) -> list[str]:
    if isinstance(sources, str | os.PathLike):
        return [_text(sources)]
    if isinstance(sources, bytes) or not isinstance(sources, Iterable):
        raise TypeError(
            f"a source is a str, an os.PathLike or a list of them, not {type(sources).__name__}"
        )
    return [_text(source) for source in sources]


def _text(source: object) -> str:
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"a source is a str or an os.PathLike, not {type(source).__name__}")
    text = os.fspath(source)
    if not isinstance(text, str):
        raise TypeError("a source is a path of str; decode bytes with os.fsdecode first")
    if "\0" in text:
        raise ValueError(f"a path cannot hold a NUL: {text!r}")
    return text


def _expand(source: str) -> list[Root]:
    label = shown(source)
    path = os.path.expanduser(source)  # noqa: PTH111 (Path would drop a trailing slash)
    url = urls.parse(source)
    if url is not None:
        from sessionscan import remote_roots  # noqa: PLC0415 (it imports this module)

        path = remote_roots.local_path(source, url)
        label = source = url.shown
    if _exists(path):
        return [Root(label, path)]
    if glob.has_magic(path):
        matches = glob.glob(path, recursive=True, include_hidden=True)  # noqa: PTH207
        if matches:
            return [Root(label, match) for match in sorted(matches, key=os.fsencode)]
        raise FileNotFoundError(errno.ENOENT, "No file matches", source)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)


def _exists(path: str) -> bool:
    """Whether something is there, be it unreadable: that is a finding of the scan."""
    try:
        Path(path).stat()
    except OSError as error:
        return error.errno not in _ABSENT
    return path != ""


def _discover() -> list[Root]:
    places = homes.places()
    for place in places:
        if place.error is not None:
            raise place.error
    roots = [_root(place) for place in places if place.status == "found" or place.required is False]
    if not any(place.status == "found" for place in places):
        looked = [place.label for place in places if place.kind == "home"]
        looked[-1:-1] = homes.patterns()
        looked += [str(place.home) for place in places if place.kind == "archive"]
        raise FileNotFoundError(
            errno.ENOENT, "no transcripts were found; looked in " + ", ".join(looked)
        )
    return [root for root in roots if root is not None]


def _root(place: homes.Place) -> Root | None:
    """Return the root of a place; None where another place is the same."""
    if place.status == "repeated":
        return None
    kind = Root if place.status == "found" else MissingArchive
    return kind(shown(place.label), str(place.walk))


def shown(path: str) -> str:
    """Return `path` as tables show it: bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")
