"""A part of a corpus: its rows of some sessions, of a project, of a span of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.corpus import Corpus
from sessionscan.schema import ALL_TABLE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.time_window import Window

WHOLE = frozenset({"files", "diagnostics", "census"})
# The column that dates a row.
_TIME = {
    "records": "timestamp",
    "usage": "first_timestamp",
    "tool_calls": "call_timestamp",
    "compactions": "timestamp",
    "attachments": "timestamp",
    "events": "timestamp",
    "file_history": "snapshot_time",
    "prompts": "timestamp",
    "endings": "last_timestamp",
    "ledger": "timestamp",
}
# Tables without a time of their own: the table whose rows date theirs, by file and line.
_DATED_BY = {
    "blocks": "records",
    "skills": "records",
    "sidecars": "records",
    "journal": "records",
    "usage_iterations": "usage",
}
# The rest has a row for what may last long: it counts where its session was at work.
_LINES = 1 << 36


class Selection(NamedTuple):
    """What is kept: `sessions` (None is all) but `excluded`, within `window`."""

    sessions: frozenset[str] | None
    excluded: frozenset[str]
    window: Window


class SelectedCorpus(Corpus):
    """The rows of another corpus that a selection keeps; `Corpus.select` makes it.

    Attributes:
        untimed: by table, how many rows of the selected sessions the window left out
            because they have no time.
    """

    def __init__(self, whole: Corpus, selection: Selection) -> None:
        """Keep what is selected of what; tables are made when they are looked at."""
        # All but the tables is the whole's: where it was read, how, and what it covered.
        self.__dict__.update(whole.__dict__)
        self._tables: dict[str, pa.Table] = {}
        self._whole = whole
        self._selection = selection
        self.untimed: dict[str, int] = {}

    def _compute(self, names: Iterable[str]) -> None:
        needed = ["files", *names]
        self._whole._compute(needed)  # noqa: SLF001 (it is a corpus itself)
        for name in ALL_TABLE_NAMES:
            if name in needed and name not in self._tables:
                self._tables[name] = self._selected(name)

    def _selected(self, name: str) -> pa.Table:
        rows = self._whole.table(name)
        if name in WHOLE:
            return rows
        if name == "blocks":
            return rows.filter(_is_among(rows, self.table("records")))
        rows = rows.filter(self._of_sessions(rows))
        if self._selection.window.is_everything:
            return rows
        if name in _TIME:
            return self._in_window(name, rows, rows[_TIME[name]])
        if name in _DATED_BY:
            return rows.filter(_is_among(rows, self.table(_DATED_BY[name])))
        return rows.filter(pc.is_in(rows["session_id"], value_set=self._at_work()))

    def _of_sessions(self, rows: pa.Table) -> pa.Array[Any]:
        """Say which rows are of a selected session, their file's where they name none."""
        kept, excluded = self._selection.sessions, self._selection.excluded
        sessions = session_of(rows, self._whole.table("files"))
        mask = pc.invert(pc.is_in(sessions, value_set=pa.array(sorted(excluded), pa.string())))
        if kept is not None:
            mask = pc.and_(mask, pc.is_in(sessions, value_set=pa.array(sorted(kept), pa.string())))
        return mask  # type: ignore[no-any-return]

    def _in_window(self, name: str, rows: pa.Table, times: pa.ChunkedArray[Any]) -> pa.Table:
        self.untimed[name] = times.null_count
        return rows.filter(is_within(times, self._selection.window))

    def _at_work(self) -> pa.Array[Any]:
        """Return the sessions that have a record in the window."""
        return pc.unique(session_of(self.table("records"), self.table("files")))  # type: ignore[no-any-return]


def is_within(times: pa.ChunkedArray[Any], window: Window) -> pa.ChunkedArray[Any]:
    """Say which moments a span of time holds; null is none."""
    mask = pc.is_valid(times)
    if window.first is not None:
        mask = pc.and_(mask, pc.greater_equal(times, pa.scalar(window.first, times.type)))
    if window.before is not None:
        mask = pc.and_(mask, pc.less(times, pa.scalar(window.before, times.type)))
    return pc.fill_null(mask, fill_value=False)  # type: ignore[no-any-return]


def worked(records: pa.Table, files: pa.Table) -> list[tuple[str, str | None]]:
    """Return each pair of a session and a folder that its records name, null where none."""
    pairs = pa.table({"session": session_of(records, files), "cwd": records["cwd"]})
    rows = pairs.group_by(["session", "cwd"], use_threads=False).aggregate([]).to_pylist()
    return [(row["session"], row["cwd"]) for row in rows if row["session"] is not None]


def session_of(rows: pa.Table, files: pa.Table) -> pa.ChunkedArray[Any]:
    """Return the session of each row, its file's where it names none (ruling 37)."""
    return pc.coalesce(rows["session_id"], files["session_id"].take(rows["file_id"]))  # type: ignore[no-any-return]


def _is_among(rows: pa.Table, others: pa.Table) -> pa.Array[Any]:
    """Say which rows stand on a line of a row of `others`."""
    return pc.is_in(_place(rows), value_set=pc.unique(_place(others)))  # type: ignore[no-any-return]


def _place(rows: pa.Table) -> pa.ChunkedArray[Any]:
    return pc.add(pc.multiply(rows["file_id"], _LINES), rows["line"])  # type: ignore[no-any-return]
