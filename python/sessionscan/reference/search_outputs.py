"""Outputs that stand in files of their own: rule 91."""
# ruff: noqa: PTH118  paths are bytes

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.search_rows import Hit
from sessionscan.reference.search_segments import Segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionscan.reference.discover import Transcript
    from sessionscan.reference.search import Query
    from sessionscan.reference.storage import Storage

_FOLDER = b"tool-results"
_SUBAGENTS = b"/subagents/"
_ENDING = re.compile(rb"[.]jsonl([.]gz|[.]zst)?\Z")


class Output(NamedTuple):
    """An output that was read."""

    path: str
    session_id: str
    data: bytes

    def hit(self, query: Query) -> Hit | None:
        """Search it as one text, whose line is that of the first match."""
        text = self.data.decode("utf-8", "replace")
        texts = query.search([Segment("sidecar", None, None, None, text)])
        if not texts:
            return None
        line = 1 + text.count("\n", 0, texts[0].spans[0][0])
        return Hit(self.path, line, 0, self.session_id, None, None, None, texts)


class _Session(NamedTuple):
    """The folder of a session, and how tables show it."""

    path: bytes
    shown: str
    session_id: str
    storage: Storage


def outputs(transcripts: Iterable[Transcript]) -> Iterator[Output]:
    """Give what can be read in the folders of the sessions that transcripts are of."""
    folders: dict[bytes, _Session] = {}
    for transcript in transcripts:
        folder = _session_folder(transcript)
        if folder is not None:
            folders.setdefault(folder.path, folder)
    for _, folder in sorted(folders.items()):
        for path in sorted(_files(os.path.join(folder.path, _FOLDER), folder.storage)):
            below = path[len(folder.path) :].decode("utf-8", "replace")
            try:
                size = folder.storage.lstat(path).st_size
                data = folder.storage.first_bytes(path, size)
            except OSError:
                continue
            yield Output(folder.shown + below, folder.session_id, data)


def _session_folder(transcript: Transcript) -> _Session | None:
    """Give the folder beside a parent, or the one that holds `subagents`."""
    shape, path = transcript.shape, transcript.raw_path
    if shape.session_id is None or shape.kind is None:
        return None
    if shape.kind == "parent":
        ending = _ENDING.search(path)
        cut = shown_cut = -len(ending[0]) if ending else len(path)
    else:
        cut, shown_cut = path.rfind(_SUBAGENTS), transcript.path.rfind(_SUBAGENTS.decode())
        if cut < 0:
            return None
    shown = transcript.path[:shown_cut]
    return _Session(path[:cut], shown, shape.session_id, transcript.storage)


def _files(top: bytes, storage: Storage) -> Iterator[bytes]:
    """Give the regular files below a folder; links are left alone."""
    open_ = [top] if _is_folder(top, storage) else []
    while open_:
        try:
            members = storage.members(open_.pop())
        except OSError:
            continue
        for member in members:
            if member.is_file(follow_symlinks=False):
                yield member.path
            elif member.is_dir(follow_symlinks=False):
                open_.append(member.path)


def _is_folder(path: bytes, storage: Storage) -> bool:
    try:
        return stat.S_ISDIR(storage.lstat(path).st_mode)
    except OSError:
        return False
