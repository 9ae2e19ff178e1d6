"""Sums over `usage`: each response once, absence never counted as zero."""

from __future__ import annotations

from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.schema import TOKENS

_INT64_MAX = 2**63 - 1


def totals(usage: pa.Table, iterations: pa.Table, scope: str) -> dict[str, Any]:
    """Return the sums that `Corpus.totals` describes."""
    rows = in_scope(usage, scope)
    certainty = rows["certainty"].cast(pa.string())
    return {
        **_tokens(rows),
        "responses": rows.num_rows,
        "lower_bound": count(pc.equal(certainty, "lower_bound")),
        "uncertain": count(pc.equal(certainty, "uncertain")),
        "conflicts": count(rows["conflict"]),
        "copies": count(usage["is_copy"]),
        "side": _side(usage, iterations, scope),
    }


def in_scope(rows: pa.Table, scope: str) -> pa.Table:
    """Return the rows of a scope: "session" is all, "corpus" leaves out copies."""
    if scope == "session":
        return rows
    return rows.filter(pc.invert(pc.fill_null(rows["is_copy"], fill_value=False)))


def count(flags: pa.ChunkedArray[Any]) -> int:
    """Return how many flags are true."""
    return cast("int", pc.sum(flags, min_count=0).as_py())


def exact_sum(column: pa.ChunkedArray[Any]) -> int | None:
    """Return the sum by ruling 27: null where every row is, 0 where there is no row.

    Arrow's own sum wraps around beyond int64, so it is taken only where it cannot.
    """
    if len(column) == 0:
        return 0
    if column.null_count == len(column):
        return None
    if fits_int64(column):
        return cast("int", pc.sum(column).as_py())
    return sum(cast("list[int]", column.drop_null().to_pylist()))


def fits_int64(column: pa.ChunkedArray[Any]) -> bool:
    """Whether no sum of rows of the column can leave int64."""
    bounds = pc.min_max(column).as_py().values()
    largest: int = max(abs(bound or 0) for bound in bounds)
    return largest * len(column) <= _INT64_MAX


def _tokens(rows: pa.Table) -> dict[str, int | None]:
    return {name: exact_sum(rows[name]) for name in TOKENS}


def _side(usage: pa.Table, iterations: pa.Table, scope: str) -> dict[str, dict[str, int | None]]:
    """Sum what stands outside the responses' own counts, by type (SPEC section 4)."""
    kinds = iterations["type"].cast(pa.string())
    apart = iterations.set_column(iterations.column_names.index("type"), "type", kinds)
    apart = apart.filter(pc.not_equal(apart["type"], "message"))
    if scope == "corpus":
        apart = without_copies(apart, usage)
    sums: dict[str, dict[str, int | None]] = {}
    for kind in sorted(cast("list[str]", apart["type"].unique().to_pylist())):
        rows = apart.filter(pc.equal(apart["type"], kind))
        sums[kind] = {"n": rows.num_rows, **_tokens(rows)}
    return sums


def without_copies(iterations: pa.Table, usage: pa.Table) -> pa.Table:
    """Drop the iterations of responses that are copies.

    A copy has a message id, and with its session and place that names one row.
    """
    key = ("file_id", "line", "session_id", "message_id")
    copies = usage.filter(usage["is_copy"]).select(key)
    left_out = {tuple(row.values()) for row in copies.to_pylist()}
    kept = [tuple(row.values()) not in left_out for row in iterations.select(key).to_pylist()]
    return iterations.filter(pa.array(kept, pa.bool_()))
