"""The part of what was found that a search asks for: sessions, a project, a span of time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.hits import count_records
from sessionscan.projects import folders_named, is_in
from sessionscan.selected import is_within

if TYPE_CHECKING:
    from sessionscan.time_window import Window


class Selected(NamedTuple):
    """Hits that are asked for, and how many records were left out, and why."""

    hits: pa.Table
    other_sessions: int
    untimed: int
    outside: int


class Selection(NamedTuple):
    """What is asked for; an empty `sessions` is all but `excluded`, None any project."""

    sessions: tuple[str, ...]
    excluded: tuple[str, ...]
    project: str | None
    window: Window

    def of(self, hits: pa.Table) -> Selected:
        """Return what is asked for of hits (ruling 89).

        Raises:
            ValueError: for the bare name of several projects, which are listed.
        """
        kept = hits
        if self.sessions or self.excluded:
            kept = hits.filter(self._is_of_session(hits["session_id"]))
        if self.project is not None:
            kept = kept.filter(_is_in(kept["project"], self.project))
        elsewhere = 0 if kept is hits else count_records(hits) - count_records(kept)
        if self.window.is_everything:
            return Selected(kept, elsewhere, 0, 0)
        timed = kept.filter(pc.is_valid(kept["timestamp"]))
        within = timed.filter(is_within(timed["timestamp"], self.window))
        records = count_records(timed)
        untimed = count_records(kept) - records
        return Selected(within, elsewhere, untimed, records - count_records(within))

    def _is_of_session(self, ids: pa.ChunkedArray[Any]) -> pa.Array[Any]:
        distinct = [name for name in pc.unique(ids).to_pylist() if name is not None]
        mask = pc.invert(pc.is_in(ids, value_set=_named(self.excluded, distinct)))
        if self.sessions:
            mask = pc.and_(mask, pc.is_in(ids, value_set=_named(self.sessions, distinct)))
        return mask  # type: ignore[no-any-return]


def names(value: str | Iterable[str] | None, what: str) -> tuple[str, ...]:
    """Return the ids that an argument names.

    Raises:
        TypeError: for what is no id, or no list of ids.
        ValueError: for an empty id, which is the beginning of all.
    """
    if value is None:
        return ()
    if not isinstance(value, str | Iterable):
        raise TypeError(f"{what} must be an id or a list of ids, not {type(value).__name__}")
    found = (value,) if isinstance(value, str) else tuple(value)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"{what} must name ids, not {type(name).__name__}")
        if not name:
            raise ValueError(f"{what} names an empty id")
    return found


def _named(asked: tuple[str, ...], ids: list[str]) -> pa.Array[Any]:
    """Return the ids that are named, each by itself or else by its beginning."""
    found: list[str] = []
    for name in asked:
        found += [name] if name in ids else [each for each in ids if each.startswith(name)]
    return pa.array(found, pa.string())


def _is_in(folders: pa.ChunkedArray[Any], project: str) -> pa.Array[Any]:
    """Say which folders are the project's or below it."""
    known = [folder for folder in pc.unique(folders).to_pylist() if folder is not None]
    paths = folders_named(project, known)
    inside = [each for each in known if any(is_in(each, path) for path in paths)]
    value_set = pa.array(inside, pa.string())
    return pc.is_in(folders, value_set=value_set)  # type: ignore[no-any-return]
