"""Usage by model, day, session and other keys."""

from __future__ import annotations

import difflib
import zoneinfo
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.options import one_of
from sessionscan.schema import TOKENS
from sessionscan.totals import fits_int64, in_scope

if TYPE_CHECKING:
    from collections.abc import Callable

Key = Literal[
    "model",
    "day",
    "week",
    "month",
    "session",
    "project",
    "agent",
    "is_sidechain",
    "version",
    "git_branch",
    "entrypoint",
]
KEYS: tuple[Key, ...] = Key.__args__  # type: ignore[attr-defined]

_COLUMN = {"session": "session_id", "agent": "agent_id"}
_INT64 = range(-(2**63), 2**63)
_EPOCH = date(1970, 1, 1)
_FIRST_DAY = (date.min - _EPOCH).days
_LAST_DAY = (date.max - _EPOCH).days


def usage_by(
    usage: pa.Table, sessions: Callable[[], pa.Table], by: tuple[str, ...], tz: str, scope: str
) -> pa.Table:
    """Return the table that `Corpus.usage_by` describes.

    `sessions` is asked for only where the project of a session is needed.
    """
    rows = in_scope(usage, scope)
    columns = {key: _key(rows, key, tz, sessions) for key in by}
    sums = sum_groups(pa.table({**columns, **summands(rows)}), by)
    ordered = sums.sort_by([(key, "ascending") for key in by])
    return ordered.replace_schema_metadata({"table": "usage_by", "tz": tz, "scope": scope})


def summands(usage: pa.Table) -> dict[str, pa.ChunkedArray[Any]]:
    """Return what is summed over responses: how many, their tokens, what is odd about them."""
    certainty = usage["certainty"].cast(pa.string())
    return {
        "responses": _ones(usage.num_rows),
        **{name: usage[name] for name in TOKENS},
        "lower_bound": pc.equal(certainty, "lower_bound").cast(pa.int64()),
        "uncertain": pc.equal(certainty, "uncertain").cast(pa.int64()),
        "conflicts": usage["conflict"].cast(pa.int64()),
    }


def check_keys(by: tuple[str, ...]) -> None:
    """Refuse no keys, unknown keys and keys that stand twice."""
    for key in by:
        one_of("key", key, KEYS)
    if not by:
        raise ValueError(f"usage_by needs a key; allowed are {', '.join(KEYS)}")
    if len(set(by)) < len(by):
        raise ValueError(f"a key stands twice in {', '.join(by)}")


def check_tz(tz: str) -> None:
    """Refuse what names no time zone, and say what comes close.

    UTC needs no time zone data, so it works where a machine has none.
    """
    if not isinstance(tz, str):
        raise TypeError(f"tz must be a string, not {type(tz).__name__}")
    if tz == "UTC":
        return
    zones = sorted(zoneinfo.available_timezones())
    if tz not in zones:
        close = difflib.get_close_matches(tz, zones, cutoff=0.5)
        allowed = ", ".join(close or ["UTC", "Europe/Berlin", "America/New_York"])
        raise ValueError(
            f"unknown tz {tz!r}; allowed are the {len(zones)} names of "
            f"zoneinfo.available_timezones(), such as {allowed}"
        )


def _ones(length: int) -> pa.ChunkedArray[Any]:
    return pa.chunked_array([pa.repeat(pa.scalar(1, pa.int64()), length)])


def _key(
    rows: pa.Table, key: str, tz: str, sessions: Callable[[], pa.Table]
) -> pa.ChunkedArray[Any]:
    if key in {"day", "week", "month"}:
        return date_of(rows["first_timestamp"], key, tz)
    if key == "project":
        return _project(rows, sessions())
    column = rows[_COLUMN.get(key, key)]
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def date_of(moments: pa.ChunkedArray[Any], key: str, tz: str) -> pa.ChunkedArray[Any]:
    """Return the first day of the day, ISO week or month that holds each moment in tz."""
    if tz != "UTC":
        moments = pc.local_timestamp(moments.cast(pa.timestamp("us", tz)))
    day = moments.cast(pa.timestamp("us")).cast(pa.date32())
    if key == "day":
        return _representable(day.cast(pa.int32()))
    if key == "week":
        behind = pc.day_of_week(day, count_from_zero=True, week_start=1)
    else:
        behind = pc.subtract(pc.day(day), 1)
    return _representable(pc.subtract(day.cast(pa.int32()), behind.cast(pa.int32())))


def _representable(days: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Leave out the dates that a time zone shifts beyond the years 1 to 9999.

    Neither Python nor pandas has a date for them.
    """
    within = pc.and_(pc.greater_equal(days, _FIRST_DAY), pc.less_equal(days, _LAST_DAY))
    kept: pa.ChunkedArray[Any] = pc.if_else(within, days, None)
    return kept.cast(pa.date32())


def _project(rows: pa.Table, sessions: pa.Table) -> pa.ChunkedArray[Any]:
    place = pc.index_in(rows["session_id"], value_set=sessions["session_id"].combine_chunks())
    project: pa.ChunkedArray[Any] = pc.coalesce(sessions["project"].take(place), rows["cwd"])
    return project


def sum_groups(rows: pa.Table, by: tuple[str, ...]) -> pa.Table:
    """Return the sums of every column but the keys `by`, for each group of keys."""
    summed = [name for name in rows.column_names if name not in by]
    if all(fits_int64(rows[name]) for name in summed):
        grouped = rows.group_by(list(by), use_threads=False).aggregate(
            [(name, "sum", pc.ScalarAggregateOptions(min_count=1)) for name in summed]
        )
        return grouped.select([*by, *(f"{name}_sum" for name in summed)]).rename_columns(
            rows.column_names
        )
    grouped = rows.group_by(list(by), use_threads=False).aggregate(
        [(name, "list") for name in summed]
    )
    exact = [pa.array(map(_exact, grouped[f"{name}_list"]), pa.int64()) for name in summed]
    return pa.table([*(grouped[key] for key in by), *exact], names=rows.column_names)


def _exact(values: pa.ListScalar[Any]) -> int | None:
    """Return a group's sum by ruling 27: null where every value is, or beyond int64."""
    present = [value for value in values.as_py() if value is not None]
    total = sum(present)
    return total if present and total in _INT64 else None
