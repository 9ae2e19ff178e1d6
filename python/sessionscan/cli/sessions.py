"""Sessions, in either scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.schema import TOKENS
from sessionscan.totals import in_scope

if TYPE_CHECKING:
    from sessionscan.corpus import Corpus

# What fits a screen; the other formats give every column.
SHOWN = (
    "session_id",
    "project",
    "first_timestamp",
    "last_timestamp",
    "n_records",
    "n_prompts",
    "n_responses",
    "n_tool_calls",
    "n_failed",
    "n_denied",
    "n_agents",
    "ending_kind",
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)


def shown(*, with_text: bool) -> tuple[str, ...]:
    """Name the columns that a text shows: titles only where words were asked for."""
    return (*SHOWN, "title") if with_text else SHOWN


def sessions(corpus: Corpus, scope: str) -> pa.Table:
    """Return the table `sessions`; in corpus scope its sums leave copies out.

    The table counts what each session holds. In corpus scope a response or call that
    several sessions repeat counts in the session of the original alone.
    """
    table = corpus.table("sessions")
    if scope == "session":
        return table
    usage = corpus.usage_by("session", scope="corpus")
    calls = _calls(in_scope(corpus.table("tool_calls"), scope))
    renamed = {"n_responses": "responses", **{name: name for name in TOKENS}}
    for name, source in renamed.items():
        table = _replace(table, name, usage["session"], usage[source])
    for name in ("n_tool_calls", "n_failed", "n_denied"):
        table = _replace(table, name, calls["session_id"], calls[f"{name}_sum"])
    return table


def _calls(rows: pa.Table) -> pa.Table:
    counted = {
        "n_tool_calls": pa.array([1] * rows.num_rows, pa.int64()),
        "n_failed": pc.equal(rows["outcome"].cast(pa.string()), "failed").cast(pa.int64()),
        "n_denied": pc.is_valid(rows["denial_kind"]).cast(pa.int64()),
    }
    grouped = pa.table({"session_id": rows["session_id"], **counted}).group_by("session_id")
    return grouped.aggregate([(name, "sum") for name in counted])


def _replace(
    table: pa.Table, name: str, sessions: pa.ChunkedArray[Any], sums: pa.ChunkedArray[Any]
) -> pa.Table:
    """Put the sums of each session in the column `name`, 0 where it has no row."""
    place = pc.index_in(table["session_id"], value_set=sessions)
    column = pc.if_else(pc.is_valid(place), sums.take(place), 0)
    return table.set_column(table.column_names.index(name), table.schema.field(name), column)
