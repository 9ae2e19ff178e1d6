"""The command `prompts`: what may be a person's words, counted or listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.cli.endings import of_columns
from sessionscan.cli.rows import emit_rows
from sessionscan.options import one_of
from sessionscan.schema import VOCABULARIES, arrow_schema
from sessionscan.triage import of_kinds, tail

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sessionscan.corpus import Corpus

TABLES = ("prompts",)
TABLES_BY = ("prompts", "sessions")
KINDS = VOCABULARIES["prompt_kind"]

_SHOWN = ("timestamp", "session_id", "kind", "reason", "text")
_FIELDS: list[pa.Field[Any]] = [
    *(pa.field(name, pa.string()) for name in ("kind", "reason")),
    *(pa.field(name, pa.int64()) for name in ("n", "duplicates", "chars", "n_images")),
]
COUNTS = pa.schema(_FIELDS)


def columns(arguments: argparse.Namespace) -> Sequence[str]:
    """Name the columns: of the list with `--text`, else of the counts."""
    if arguments.by is not None:
        return (arguments.by, "n", *KINDS)
    return arrow_schema("prompts").names if arguments.text else COUNTS.names


def check(arguments: argparse.Namespace) -> None:
    """Take the kinds apart.

    Raises:
        ValueError: for what is no kind.
    """
    if arguments.kind is not None:
        arguments.kind = [one_of("kind", k.strip(), KINDS) for k in arguments.kind.split(",")]
    arguments.text = arguments.text or arguments.tail_chars is not None


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Count by kind and reason, by project or day, or list with the words."""
    if arguments.by is not None:
        counts = corpus.kinds_by("prompts", arguments.by, tz=arguments.tz)
        emit_rows(of_columns(counts, arguments.by, arguments.kind), arguments)
        return
    rows = corpus.prompts
    if arguments.kind is not None:
        rows = of_kinds(rows, arguments.kind)
    if arguments.text:
        place = rows.schema.get_field_index("text")
        words = tail(rows["text"], arguments.tail_chars)
        rows = rows.set_column(place, rows.schema.field(place), words)
        emit_rows(rows, arguments, shown=rows.select(_SHOWN))
    else:
        emit_rows(by_kind(rows), arguments)


def by_kind(prompts: pa.Table) -> pa.Table:
    """Return a row per kind and reason, in the order of the vocabularies.

    `n` counts rows, `duplicates` those of them that hold the same prompt by another way;
    `chars` and `n_images` are sums over all.
    """
    counted = pa.table(
        {
            "kind": prompts["kind"].cast(pa.string()),
            "reason": prompts["reason"].cast(pa.string()),
            "n": pa.array([1] * prompts.num_rows, pa.int64()),
            "duplicates": pc.is_valid(prompts["duplicate_of_line"]).cast(pa.int64()),
            "chars": prompts["chars"],
            "n_images": prompts["n_images"],
        }
    )
    summed = COUNTS.names[2:]
    grouped = counted.group_by(["kind", "reason"], use_threads=False).aggregate(
        [(name, "sum") for name in summed]
    )
    named = grouped.select(["kind", "reason", *(f"{name}_sum" for name in summed)])
    rows = named.rename_columns(COUNTS.names).to_pylist()
    reasons = VOCABULARIES["prompt_reason"]
    rows.sort(
        key=lambda row: (
            KINDS.index(row["kind"]),
            -1 if row["reason"] is None else reasons.index(row["reason"]),
        )
    )
    return pa.Table.from_pylist(rows, schema=COUNTS)
