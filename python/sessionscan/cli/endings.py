"""The command `endings`: how each session ended."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.cli.rows import emit_rows
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sessionscan.corpus import Corpus

TABLES = ("endings",)


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """List the sessions with how they ended; as text also how many ended how."""
    rows = corpus.table("endings")
    said = ", ".join(f"{kind} {n:,}" for kind, n in by_kind(rows["kind"]).items() if n)
    shown = _shown(rows, with_text=arguments.text)
    emit_rows(rows, arguments, shown=shown, caption=f"endings: {said or 'none'}\n")


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
