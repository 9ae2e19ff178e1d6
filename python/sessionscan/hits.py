"""What a search found, and what it searched."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.coverage import counted, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = pa.dictionary(pa.int32(), pa.string())
_COLUMNS: list[pa.Field[Any]] = [
    pa.field("session_id", pa.string()),
    pa.field("project", pa.string()),
    pa.field("path", pa.string(), nullable=False),
    pa.field("line", pa.int64(), nullable=False),
    pa.field("place", pa.int64(), nullable=False),
    pa.field("timestamp", pa.timestamp("us", tz="UTC")),
    pa.field("role", _WORD),
    pa.field("field", _WORD, nullable=False),
    pa.field("key", pa.string()),
    pa.field("tool_name", _WORD),
    pa.field("snippet", pa.string(), nullable=False),
    pa.field("snippet_start", pa.int64(), nullable=False),
    pa.field("starts", pa.list_(pa.int64()), nullable=False),
    pa.field("ends", pa.list_(pa.int64()), nullable=False),
    pa.field("also_in", pa.list_(pa.string()), nullable=False),
]
SCHEMA = pa.schema(_COLUMNS)
_RANKED: list[pa.Field[Any]] = [
    pa.field("session_id", pa.string()),
    pa.field("project", pa.string()),
    pa.field("n_matches", pa.int64(), nullable=False),
    pa.field("n_records", pa.int64(), nullable=False),
    pa.field("n_files", pa.int64(), nullable=False),
    pa.field("first_timestamp", pa.timestamp("us", tz="UTC")),
    pa.field("last_timestamp", pa.timestamp("us", tz="UTC")),
]
RANKING = pa.schema(_RANKED)


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched, and what the selection left out of what was found.

    Attributes:
        files_found: transcripts below the sources.
        files_read: those of them that were searched.
        files_partial: those of the searched that ended or broke on the way.
        files_unreadable: transcripts that could not be read; nothing of them counts.
        sidecars: outputs in files of their own that were searched; 0 unless asked for.
        bytes: bytes of text that were searched.
        lines: lines of transcripts.
        lines_lost: lines that give no record, though the words stand in them.
        other_sessions: records that hold the words, left out by session or project.
        untimed: records that hold them, left out because they have no time.
        outside: records that hold them, left out because of their time.
    """

    files_found: int
    files_read: int
    files_partial: int
    files_unreadable: int
    sidecars: int
    bytes: int
    lines: int
    lines_lost: int
    other_sessions: int = 0
    untimed: int = 0
    outside: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the numbers as plain Python, fit for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        """Say what was searched on one line."""
        beside = f", {counted(self.sidecars, 'sidecar')}" if self.sidecars else ""
        return (
            f"searched {counted(self.files_read, 'file')} of {self.files_found:,}{beside}, "
            f"{counted(self.lines, 'line')}, {counted(self.bytes, 'byte')}; "
            f"{self.files_unreadable:,} unreadable, {self.files_partial:,} partial, "
            f"{counted(self.lines_lost, 'damaged line')} with the words; left out: "
            f"{self.untimed:,} without a time, {self.outside:,} of another time, "
            f"{self.other_sessions:,} of other sessions"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Hits:
    """What a search found; it is true where it found anything.

    Attributes:
        words: what was looked for.
        hits: a row per text that holds words, in order of file, line and place:
            `session_id`; `project`, the folder that its record or else its file worked
            in; `path`, `line` and `place` (from 0, among the records of the line);
            `timestamp`; `role`, or the record's type; `field`, what the text is, and
            `key`, the names that lead to it; `tool_name`; `snippet` and `snippet_start`,
            the characters before it; `starts` and `ends` of every match, in characters
            of the text; `also_in`, other files that hold the same record.
        sessions: a row per session, most matches first, then the latest: `project`,
            `n_matches`, `n_records`, `n_files`, and the times of its first and last hit.
        searched: what was searched and left out.
    """

    words: tuple[str, ...]
    hits: pa.Table
    sessions: pa.Table
    searched: Searched

    def __len__(self) -> int:
        """Return how many texts hold words."""
        return int(self.hits.num_rows)

    def __repr__(self) -> str:
        """Say what was found where."""
        return f"<Hits: {self.headline()}; {self.searched}>"

    def headline(self) -> str:
        """Say on one line how much was found.

        >>> import sessionscan as ss
        >>> ss.search("kiln", "fixtures/corpus").headline().startswith("'kiln': ")
        True
        """
        matches = pc.sum(self.sessions["n_matches"], min_count=0).as_py()
        records = pc.sum(self.sessions["n_records"], min_count=0).as_py()
        words = ", ".join(repr(one_line(word)) for word in self.words)
        where = (counted(records, "record"), counted(self.sessions.num_rows, "session"))
        found = f"{matches:,} {'match' if matches == 1 else 'matches'}"
        return f"{words}: {found} in {where[0]} of {where[1]}"


def ranked(hits: pa.Table) -> pa.Table:
    """Return the row per session that `Hits` describes."""
    counted_hits = pa.table(
        {
            "session_id": hits["session_id"],
            "project": hits["project"],
            "n_matches": pc.list_value_length(hits["starts"]).cast(pa.int64()),
            "n_records": pa.chunked_array([_is_new_record(hits)]),
            "n_files": hits["path"],
            "first_timestamp": hits["timestamp"],
            "last_timestamp": hits["timestamp"],
        }
    )
    found = counted_hits.group_by(["session_id"], use_threads=False).aggregate(
        [
            ("project", "first"),
            ("n_matches", "sum"),
            ("n_records", "sum"),
            ("n_files", "count_distinct"),
            ("first_timestamp", "min"),
            ("last_timestamp", "max"),
        ]
    )
    in_order = ["session_id", *(name for name in found.column_names if name != "session_id")]
    rows = found.select(in_order).rename_columns(RANKING.names).cast(RANKING)
    return rows.take(pc.sort_indices(rows, sort_keys=_ORDER))


_ORDER = [
    ("n_matches", "descending"),
    ("last_timestamp", "descending"),
    ("session_id", "ascending"),
]


def count_records(hits: pa.Table) -> int:
    """Return how many records rows of hits are of; those of one stand together."""
    return int(pc.sum(_is_new_record(hits), min_count=0).as_py())


def _is_new_record(hits: pa.Table) -> pa.Array[Any]:
    """Return 1 for the first row of each record, else 0."""
    if hits.num_rows == 0:
        return pa.array([], pa.int64())
    changes = [_differs(hits[name]) for name in ("line", "place", "path")]
    changed = pc.or_(pc.or_(changes[0], changes[1]), changes[2]).cast(pa.int64())
    return pa.concat_arrays([pa.array([1], pa.int64()), changed])


def _differs(column: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    values = column.combine_chunks()
    return pc.not_equal(values[1:], values[:-1])  # type: ignore[no-any-return]


def listed(words: Sequence[str] | str) -> tuple[str, ...]:
    """Return the words of a search, of which there is one at least.

    Raises:
        ValueError: for none.
        TypeError: for what is no word, or no list of words.
    """
    found = (words,) if isinstance(words, str) else tuple(words)
    for word in found:
        if not isinstance(word, str):
            raise TypeError(f"a word must be a string, not {type(word).__name__}")
    if not found:
        raise ValueError("no word was given")
    return found
