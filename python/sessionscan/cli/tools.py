"""Calls by tool."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.totals import in_scope

OUTCOMES = ("failed", "not_failed", "unknown", "launched", "no_result")
QUANTILES = {"median_wall_ms": 50, "p90_wall_ms": 90}

_NUMBERS = ("calls", *OUTCOMES, "denied", *QUANTILES)
_FIELDS: list[pa.Field[Any]] = [pa.field("tool_name", pa.string())]
SCHEMA = pa.schema(_FIELDS + [pa.field(name, pa.int64()) for name in _NUMBERS])


def by_tool(calls: pa.Table, scope: str) -> pa.Table:
    """Return a row per tool, the most called first.

    Columns are the calls, their outcomes (SPEC section 5: a result that says nothing
    is `unknown`, not a success), how many were denied, and the median and 90th
    percentile of wall_ms by nearest rank, over the calls that have one.
    """
    rows = in_scope(calls, scope)
    outcome = rows["outcome"].cast(pa.string())
    counted = {
        "calls": pa.array([1] * rows.num_rows, pa.int64()),
        **{name: pc.equal(outcome, name).cast(pa.int64()) for name in OUTCOMES},
        "denied": pc.is_valid(rows["denial_kind"]).cast(pa.int64()),
    }
    columns = {"tool_name": rows["tool_name"].cast(pa.string()), **counted}
    grouped = (
        pa.table({**columns, "wall_ms": rows["wall_ms"]})
        .group_by("tool_name", use_threads=False)
        .aggregate([*((name, "sum") for name in counted), ("wall_ms", "list")])
    )
    walls = [sorted(wall for wall in walls if wall is not None) for walls in _lists(grouped)]
    table = pa.table(
        [
            grouped["tool_name"],
            *(grouped[f"{name}_sum"] for name in counted),
            *(pa.array([_rank(w, part) for w in walls], pa.int64()) for part in QUANTILES.values()),
        ],
        schema=SCHEMA,
    )
    return table.sort_by([("calls", "descending"), ("tool_name", "ascending")])


def _lists(grouped: pa.Table) -> list[list[int | None]]:
    lists: list[Any] = grouped["wall_ms_list"].to_pylist()
    return lists


def _rank(ordered: list[int], percent: int) -> int | None:
    """Return the value that `percent` of them do not exceed; it is one that occurred."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None
