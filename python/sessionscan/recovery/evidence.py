"""What the transcripts of a session say about files: tracked backups, and calls that wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionscan import engines
from sessionscan.options import ScanOptions
from sessionscan.recovery.original_path import absolute

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    import pyarrow as pa

    from sessionscan.corpus import Corpus
    from sessionscan.options import Engine
    from sessionscan.sources import Root

TABLES = ("file_history", "tool_calls")
# Of the session's own files also where it worked, and the words of its calls.
_OWN_TABLES = ("tool_calls", "sessions")

_COLUMNS = (
    *("session_id", "file_id", "file_path", "tool_name", "outcome", "denial_kind"),
    *("call_timestamp", "line", "input_json"),
)
_CHANGING = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A tracked path as one record names it; a tombstone has no backup's name."""

    path: str
    name: str | None
    version: int | None
    backup_time: datetime | None
    snapshot_time: datetime | None
    transcript: str
    line: int

    @property
    def moment(self) -> datetime | None:
        """When the backup was taken, as far as the record says."""
        return self.snapshot_time if self.backup_time is None else self.backup_time


@dataclass(frozen=True, slots=True)
class Call:
    """A call that changed a file and is not known to have failed."""

    path: str
    tool_name: str
    moment: datetime | None
    transcript: str
    line: int
    input_json: str | None

    def content(self) -> bytes | None:
        """Return what a Write wrote; None where its input holds no text."""
        # A number of five thousand digits beside the content, which Python refuses, must
        # not matter.
        given = json.loads(self.input_json or "null", parse_int=lambda _: 0)
        content = given.get("content") if isinstance(given, dict) else None
        if not isinstance(content, str):
            return None
        # An unpaired surrogate has no UTF-8; tables show it as U+FFFD, and so does the file.
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def transcripts_of(corpus: Corpus, session_id: str) -> set[int]:
    """Return the files (`file_id`) that are of a session, copies among them, or name it."""
    files = corpus.files.to_pylist()
    found = {file["file_id"] for file in files if session_id in _ids(file)}
    for name in ("file_history", "tool_calls"):
        table = corpus.table(name)
        pairs = zip(table["session_id"].to_pylist(), table["file_id"].to_pylist(), strict=True)
        found |= {file_id for session, file_id in pairs if session == session_id}
    return found


def _ids(file: Mapping[str, Any]) -> tuple[str | None, str | None]:
    return file["session_id"], file["stem_session_id"]


def entries_of(corpus: Corpus, session_id: str) -> list[Entry]:
    """Return what the session's snapshots and deltas say, in order.

    What has neither a name nor says that there was no file is no evidence of either.
    """
    paths = corpus.files["path"].to_pylist()
    return [
        Entry(
            path=row["path"],
            name=row["backup_file_name"],
            version=row["version"],
            backup_time=row["backup_time"],
            snapshot_time=row["snapshot_time"],
            transcript=paths[row["file_id"]],
            line=row["line"],
        )
        for row in corpus.file_history.to_pylist()
        if row["session_id"] == session_id and row["is_tombstone"] is not None
    ]


def calls_of(
    corpus: Corpus, session_id: str, own: set[int], roots: list[Root], engine: Engine
) -> list[Call]:
    """Return the session's calls that change files, but for those known to have failed.

    Only the files of the session, `own`, are read for their words, and of these only the
    bytes that the scan has seen.
    """
    seen = [file for file in corpus.files.to_pylist() if file["file_id"] in own]
    sizes = {file["path"]: file["size_bytes"] or 0 for file in seen}
    options = ScanOptions(tables=_OWN_TABLES, text=True, sizes=sizes)
    tables, _ = engines.run(engine, roots, options)
    files = tables["files"].to_pylist()
    project = _project(tables["sessions"], session_id)
    found = []
    for row in tables["tool_calls"].select(_COLUMNS).to_pylist():
        session = row["session_id"] or files[row["file_id"]]["session_id"]
        if session != session_id or row["tool_name"] not in _CHANGING or not row["file_path"]:
            continue
        if row["outcome"] == "failed" or row["denial_kind"] is not None:
            continue
        path = absolute(row["file_path"], project)
        place = files[row["file_id"]]["path"], row["line"]
        found.append(Call(path, row["tool_name"], row["call_timestamp"], *place, row["input_json"]))
    return found


def _project(sessions: pa.Table, session_id: str) -> str | None:
    rows = zip(sessions["session_id"].to_pylist(), sessions["project"].to_pylist(), strict=True)
    return next((project for name, project in rows if name == session_id), None)
