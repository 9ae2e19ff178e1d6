"""The job as Polars does it: the JSON lines as a lazy frame, blocks exploded and joined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import loops
import polars as pl

from peer_jobs.fold import LAUNCHED, REDACTED

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = pl.String
_BLOCKS = pl.List(
    pl.Struct(
        {
            "type": _TEXT,
            "id": _TEXT,
            "name": _TEXT,
            "tool_use_id": _TEXT,
            "is_error": pl.Boolean,
            "content": pl.Struct({"type": _TEXT}),
        }
    )
)
_SCHEMA: dict[str, Any] = {
    "type": _TEXT,
    "uuid": _TEXT,
    "sessionId": _TEXT,
    "timestamp": _TEXT,
    "toolUseResult": pl.Struct({"status": _TEXT}),
    "message": pl.Struct(
        {
            "id": _TEXT,
            "model": _TEXT,
            "stop_reason": _TEXT,
            "usage": pl.Struct(dict.fromkeys(loops.FLAT, pl.Int64)),
            "content": _BLOCKS,
        }
    ),
}


def run(folder: Path) -> dict[str, Any]:
    """Return the totals of all transcripts below `folder`."""
    records = _records(folder)
    responses, blocks = _responses(records), _blocks(records)
    kept, calls = pl.collect_all([responses, _calls(blocks)])
    return {
        "responses": kept.height,
        "session": {name: int(kept[name].sum()) for name in loops.FLAT},
        "models": _counts(kept["model"]),
        "calls": calls.height,
        "outcomes": _counts(calls["outcome"]),
        "tools": _counts(calls["name"]),
    }


def _records(folder: Path) -> pl.LazyFrame:
    """Return the records that hold a message, replays left out."""
    return (
        pl.scan_ndjson(
            sorted(folder.rglob("*.jsonl")),
            schema=_SCHEMA,
            include_file_paths="path",
            row_index_name="row",
            # What is text in one record and an object in the next is null where it is text.
            ignore_errors=True,
        )
        .filter(pl.col("message").is_not_null())
        .filter(pl.col("uuid").is_null() | pl.struct("path", "uuid").is_first_distinct())
        .rename({"type": "record_type"})
        .unnest("message")
    )


def _responses(records: pl.LazyFrame) -> pl.LazyFrame:
    rank = ["sent", "stopped", "at", "row"]
    return (
        records.filter(pl.col("record_type") == "assistant", pl.col("usage").is_not_null())
        .select("row", "sessionId", "id", "model", "stop_reason", "timestamp", "usage")
        .unnest("usage")
        .with_columns(
            key=pl.coalesce("id", pl.col("row").cast(_TEXT)),
            sent=pl.col("output_tokens").fill_null(0),
            stopped=pl.col("stop_reason").is_not_null(),
            at=pl.col("timestamp").fill_null(""),
        )
        .group_by("sessionId", "key")
        .agg(pl.col("model", *loops.FLAT).sort_by(rank).last())
    )


def _blocks(records: pl.LazyFrame) -> pl.LazyFrame:
    """Return the blocks that tell of calls and results, in the order of the lines."""
    return (
        records.filter(pl.col("content").list.len() > 0)
        .select("row", "path", "toolUseResult", message_id="id", block="content")
        .explode("block")
        .unnest("block")
        .sort("row", maintain_order=True)
    )


def _calls(blocks: pl.LazyFrame) -> pl.LazyFrame:
    kind = pl.col("type")
    calls = (
        blocks.filter(kind.str.ends_with("tool_use"))
        .unique(["path", "id", "message_id"], keep="first", maintain_order=True)
        .select("path", "id", "name", place=pl.int_range(pl.len()).over("path", "id"))
    )
    results = blocks.filter(kind.str.ends_with("tool_result")).select(
        "path",
        id="tool_use_id",
        place=pl.int_range(pl.len()).over("path", "tool_use_id"),
        outcome=_outcome(),
    )
    joined = calls.join(results, on=["path", "id", "place"], how="left")
    return joined.select("name", pl.col("outcome").fill_null("no_result"))


def _outcome() -> pl.Expr:
    said = pl.col("is_error")
    status = pl.col("toolUseResult").struct.field("status")
    kind = pl.col("content").struct.field("type")
    return (
        pl.when(said)
        .then(pl.lit("failed"))
        .when(said.not_())
        .then(pl.lit("not_failed"))
        .when(status.is_in(sorted(LAUNCHED)))
        .then(pl.lit("launched"))
        .when((status == "completed") | (kind == REDACTED))
        .then(pl.lit("not_failed"))
        .otherwise(pl.lit("unknown"))
    )


def _counts(column: pl.Series) -> dict[str, int]:
    return dict(sorted(column.value_counts().iter_rows()))
