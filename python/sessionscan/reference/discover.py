"""sources -> transcripts: what is there to read, in the order of the tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.path_shape import Shape, shape
from sessionscan.reference.walk import Entry, Walk, order_of_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


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


def discover(
    roots: Sequence[tuple[str, str]], sizes: Mapping[str, int] | None = None
) -> list[Transcript]:
    """Find the transcripts below `roots`, by source and path, each file once.

    With `sizes` only what is named there is given, no longer than it says.
    """
    walk = Walk()
    found: list[tuple[int, bytes, str, Entry]] = []
    for rank, root, label in _ranked(roots):
        found.extend((rank, entry.path, label, entry) for entry in walk.root(root))
    found.sort(key=lambda each: each[:2])
    transcripts = (_transcript(label, entry) for label, entry in _once(found))
    if sizes is None:
        return list(transcripts)
    return list(_limited(transcripts, sizes))


def _ranked(roots: Sequence[tuple[str, str]]) -> list[tuple[int, bytes, str]]:
    """Give the roots in the order of their files; those of one label are one source."""
    ranks: dict[str, int] = {}
    ranked = [
        (ranks.setdefault(label, len(ranks)), os.fsencode(root), label) for label, root in roots
    ]
    return sorted(ranked, key=lambda each: (each[0], order_of_folder(each[1])))


def _once(found: Iterable[tuple[int, bytes, str, Entry]]) -> Iterable[tuple[str, Entry]]:
    """Drop what was reached before: one physical file has one row."""
    seen: set[tuple[int, int]] = set()
    for _, _, label, entry in found:
        if entry.identity is not None and entry.identity in seen:
            continue
        if entry.identity is not None:
            seen.add(entry.identity)
        yield label, entry


def _transcript(label: str, entry: Entry) -> Transcript:
    path = entry.path.decode("utf-8", "replace")
    seen = shape(path)
    if entry.is_folder:
        seen = seen._replace(kind="other")
    return Transcript(entry.path, path, label, seen, entry.size, entry.problem, entry.reason)


def _limited(transcripts: Iterable[Transcript], sizes: Mapping[str, int]) -> Iterable[Transcript]:
    for transcript in transcripts:
        if transcript.path not in sizes:
            continue
        if transcript.size is not None:
            transcript.size = min(transcript.size, sizes[transcript.path])
        yield transcript
