"""Which sessions may still wait for a person, and counts of kinds by project or day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.schema import VOCABULARIES
from sessionscan.usage_by import date_of

if TYPE_CHECKING:
    from collections.abc import Sequence

By = Literal["project", "day"]
Kinds = Literal["endings", "prompts"]
KINDS = {"endings": VOCABULARIES["ending_kind"], "prompts": VOCABULARIES["prompt_kind"]}
_DATED = {"endings": "last_timestamp", "prompts": "timestamp"}

_FIELDS: list[pa.Field[Any]] = [
    *(pa.field(name, pa.string()) for name in ("session_id", "project", "kind")),
    pa.field("last_assistant_kind", pa.string()),
    pa.field("n_pending", pa.int64()),
    pa.field("last_timestamp", pa.timestamp("us", tz="UTC")),
    pa.field("ends_with_question", pa.bool_()),
    pa.field("tail", pa.string()),
    pa.field("file_id", pa.int64()),
    pa.field("line", pa.int64()),
]
SCHEMA = pa.schema(_FIELDS)


def triage(
    endings: pa.Table, sessions: pa.Table, kinds: Sequence[str], tail_chars: int | None
) -> pa.Table:
    """Return the table that `Corpus.triage` describes."""
    rows = of_kinds(endings, kinds)
    ranks = pc.index_in(rows["kind"].cast(pa.string()), value_set=pa.array(_ORDER))
    # A reply that asks stands before one that does not; null says nothing, like False.
    asks = pc.if_else(pc.fill_null(rows["ends_with_question"], fill_value=False), 0, 1)
    order = pa.table({"rank": ranks, "asks": asks, "last": rows["last_timestamp"]})
    rows = rows.take(
        pc.sort_indices(
            order, [("rank", "ascending"), ("asks", "ascending"), ("last", "descending")]
        )
    )
    columns = {
        "session_id": rows["session_id"],
        "project": project_of(rows, sessions),
        "kind": rows["kind"],
        "last_assistant_kind": rows["last_assistant_kind"],
        "n_pending": pc.list_value_length(rows["pending_tool_use_ids"]),
        "tail": tail(rows["text"], tail_chars),
        **{name: rows[name] for name in ("last_timestamp", "ends_with_question")},
        **{name: rows[name] for name in ("file_id", "line")},
    }
    return pa.table([columns[name] for name in SCHEMA.names], names=SCHEMA.names).cast(SCHEMA)


_ORDER = ("interrupted", "api_error", "no_reply", "done", "empty")


def of_kinds(rows: pa.Table, kinds: Sequence[str]) -> pa.Table:
    """Return the rows of these kinds."""
    found = rows["kind"].cast(pa.string())
    return rows.filter(pc.is_in(found, value_set=pa.array(list(kinds), pa.string())))


def tail(texts: pa.ChunkedArray[Any], chars: int | None) -> pa.ChunkedArray[Any]:
    """Return the end of each text, at most so many characters; None is all."""
    if chars is None:
        return texts
    if chars == 0:
        return pc.if_else(pc.is_valid(texts), "", texts)  # type: ignore[no-any-return]
    return pc.utf8_slice_codeunits(texts, -chars)  # type: ignore[no-any-return]


def project_of(rows: pa.Table, sessions: pa.Table) -> pa.ChunkedArray[Any]:
    """Return the project of each row's session."""
    place = pc.index_in(rows["session_id"], value_set=sessions["session_id"].combine_chunks())
    return sessions["project"].take(place)


def kinds_by(rows: pa.Table, sessions: pa.Table, table: Kinds, by: By, tz: str) -> pa.Table:
    """Return the table that `Corpus.kinds_by` describes."""
    if by == "project":
        keys = project_of(rows, sessions)
    else:
        keys = date_of(rows[_DATED[table]], "day", tz)
    counted = {
        kind: pc.equal(rows["kind"].cast(pa.string()), kind).cast(pa.int64())
        for kind in KINDS[table]
    }
    ones = pa.chunked_array([pa.repeat(pa.scalar(1, pa.int64()), rows.num_rows)])
    flat = pa.table({by: keys, "n": ones, **counted})
    names = ["n", *counted]
    grouped = flat.group_by([by], use_threads=False).aggregate([(name, "sum") for name in names])
    renamed = grouped.select([by, *(f"{name}_sum" for name in names)]).rename_columns([by, *names])
    made = renamed.sort_by([(by, "ascending")])
    return made.replace_schema_metadata({"table": table, "by": by, "tz": tz})
