"""The commands `endings` and `triage`: how each session ended, and which may need a person."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.cli.rows import emit_rows
from sessionscan.options import one_of
from sessionscan.schema import VOCABULARIES, arrow_schema
from sessionscan.triage import KINDS, SCHEMA, of_kinds, tail

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from sessionscan.corpus import Corpus

TABLES = ("endings", "sessions")
TABLES_OF_LIST = ("endings",)

_TRIAGED = ("kind", "last_timestamp", "project", "session_id", "n_pending", "ends_with_question")


def check(arguments: argparse.Namespace) -> None:
    """Take the kinds apart; a tail is words, so it asks for text.

    Raises:
        ValueError: for what is no kind.
    """
    if arguments.kind is not None:
        kinds = [kind.strip() for kind in arguments.kind.split(",")]
        arguments.kind = [one_of("kind", kind, KINDS["endings"]) for kind in kinds]
    arguments.text = arguments.text or arguments.tail_chars is not None


def columns(arguments: argparse.Namespace) -> Sequence[str]:
    """Name the columns of `endings`, or of its counts."""
    if arguments.by is not None:
        return (arguments.by, "n", *KINDS["endings"])
    return arrow_schema("endings").names


def columns_of_triage(arguments: argparse.Namespace) -> Sequence[str]:
    """Name the columns of `triage`, or of its counts."""
    return SCHEMA.names if arguments.by is None else columns(arguments)


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """List the sessions with how they ended; as text also how many ended how."""
    if arguments.by is not None:
        _count(corpus, arguments)
        return
    rows = corpus.table("endings")
    if arguments.kind is not None:
        rows = of_kinds(rows, arguments.kind)
    place = rows.schema.get_field_index("text")
    rows = rows.set_column(
        place, rows.schema.field(place), tail(rows["text"], arguments.tail_chars)
    )
    shown = _shown(rows, with_text=arguments.text)
    emit_rows(rows, arguments, shown=shown, caption=_caption(rows))


def run_triage(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """List the sessions, those first that may wait for a person."""
    if arguments.by is not None:
        _count(corpus, arguments)
        return
    rows = corpus.triage(kinds=arguments.kind, tail_chars=arguments.tail_chars)
    shown = rows.select((*_TRIAGED, "tail") if arguments.text else _TRIAGED)
    emit_rows(rows, arguments, shown=shown, caption=_caption(rows))


def _count(corpus: Corpus, arguments: argparse.Namespace) -> None:
    rows = corpus.kinds_by("endings", arguments.by, tz=arguments.tz)
    emit_rows(of_columns(rows, arguments.by, arguments.kind), arguments)


def of_columns(counts: pa.Table, by: str, kinds: Sequence[str] | None) -> pa.Table:
    """Return counts of some kinds only, and the rows that have any."""
    if kinds is None:
        return counts
    total = counts[kinds[0]]
    for kind in kinds[1:]:
        total = pc.add(total, counts[kind])
    kept = counts.select([by, *kinds]).add_column(1, "n", total)
    return kept.filter(pc.greater(kept["n"], 0))


def _caption(rows: pa.Table) -> str:
    said = ", ".join(f"{kind} {n:,}" for kind, n in by_kind(rows["kind"]).items() if n)
    return f"endings: {said or 'none'}\n"


def by_kind(kinds: pa.ChunkedArray[Any]) -> Mapping[str, int]:
    """Return how many sessions ended in each way, 0 included."""
    counts = Counter(kinds.to_pylist())
    return {kind: counts[kind] for kind in VOCABULARIES["ending_kind"]}


def _shown(rows: pa.Table, *, with_text: bool) -> pa.Table:
    """Return what fits a screen: of the pending calls only how many there are."""
    pending = pc.list_value_length(rows["pending_tool_use_ids"]).cast(pa.int64())
    columns = ["session_id", "kind", "last_assistant_kind", "last_timestamp", "ends_with_question"]
    shown = rows.select(columns).add_column(3, "pending", pending)
    return shown.append_column("text", rows["text"]) if with_text else shown
