"""sources -> transcripts: what is there to read, in the order of the tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from sessionscan.reference.beside import side_file
from sessionscan.reference.path_shape import Shape, shape
from sessionscan.reference.storage import DISK, Storage
from sessionscan.reference.walk import Entry, Noted, Walk, order_of_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sessionscan.reference.side_file import SideFile

Physical = TypeVar("Physical", Entry, Noted)


class _Root(NamedTuple):
    label: str
    path: bytes


class Found(NamedTuple, Generic[Physical]):
    """Something found, with what it is ordered by: the rank of its source, and its path."""

    rank: int
    path: bytes
    root: _Root
    entry: Physical


@dataclass(slots=True)
class Transcript:
    """A file found: where it is, what its path says, and what keeps it unread.

    `problem` is the code of a diagnostic and `reason` completes its message.
    Nothing is read beyond `size`.
    """

    raw_path: bytes
    path: str
    source: str
    shape: Shape
    size: int | None
    problem: str | None
    reason: str
    storage: Storage = DISK


class Discovered(NamedTuple):
    """What there is below the roots: transcripts, and what stands beside them."""

    transcripts: list[Transcript]
    beside: list[SideFile]


def discover(
    roots: Sequence[tuple[str, str]],
    sizes: Mapping[str, int] | None = None,
    storage: Storage = DISK,
) -> Discovered:
    """Find what is below `roots`, by source and path, each file once.

    With `sizes` only transcripts named there are given, no longer than it says.
    """
    walk = Walk(storage)
    found: list[Found[Entry]] = []
    noted: list[Found[Noted]] = []
    for rank, root in _ranked(roots):
        found.extend(Found(rank, entry.path, root, entry) for entry in walk.root(root.path))
        noted.extend(Found(rank, note.path, root, note) for note in walk.beside)
        walk.beside.clear()
    transcripts = [_transcript(root, entry, storage) for root, entry in _once(found)]
    beside = [
        side_file(note.kind, note.path, storage.shown(root.path, note.path), root.label, storage)
        for root, note in _once(noted)
    ]
    if sizes is not None:
        transcripts = list(_limited(transcripts, sizes))
    return Discovered(transcripts, beside)


def _ranked(roots: Sequence[tuple[str, str]]) -> list[tuple[int, _Root]]:
    """Give the roots in the order of their files; those of one label are one source."""
    ranks: dict[str, int] = {}
    ranked = [
        (ranks.setdefault(label, len(ranks)), _Root(label, os.fsencode(path)))
        for label, path in roots
    ]
    return sorted(ranked, key=lambda each: (each[0], order_of_folder(each[1].path)))


def _once(found: Iterable[Found[Physical]]) -> Iterable[tuple[_Root, Physical]]:
    """Put what was found in order, and drop what was reached before.

    The name of a side file says whom it is about, so one that is linked under
    another name is another.
    """
    seen: set[tuple[tuple[int, int], bytes]] = set()
    for _, path, root, entry in sorted(found, key=lambda each: each[:2]):
        if entry.identity is not None:
            name = os.path.basename(path) if isinstance(entry, Noted) else b""  # noqa: PTH119
            if (entry.identity, name) in seen:
                continue
            seen.add((entry.identity, name))
        yield root, entry


def _transcript(root: _Root, entry: Entry, storage: Storage) -> Transcript:
    seen = shape(entry.path.decode("utf-8", "replace"))
    if entry.is_folder:
        seen = seen._replace(kind="other")
    shown = storage.shown(root.path, entry.path)
    found = (entry.size, entry.problem, entry.reason)
    return Transcript(entry.path, shown, root.label, seen, *found, storage)


def _limited(transcripts: Iterable[Transcript], sizes: Mapping[str, int]) -> Iterable[Transcript]:
    for transcript in transcripts:
        if transcript.path not in sizes:
            continue
        if transcript.size is not None:
            transcript.size = min(transcript.size, sizes[transcript.path])
        yield transcript
