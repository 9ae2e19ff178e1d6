"""The command `reconcile`: our counts beside the client's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc

from sessionscan.cli.rows import emit_rows
from sessionscan.cli.usage import TITLES
from sessionscan.coverage import counted
from sessionscan.reconcile import STATED

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

    from sessionscan.corpus import Corpus

TABLES = ("usage", "ledger", "sessions")

_TITLES = {
    "lower_bound": "lower bound",
    **{f"our_{name}": TITLES[name] for name in STATED},
    **{f"client_{name}": "client's" for name in STATED},
    **{f"difference_{name}": "difference" for name in STATED},
}


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """List the counts of each session and model; as text those that a client counted."""
    rows = corpus.reconcile()
    shown = _with_ledger(rows)
    left_out = pc.count_distinct(rows["session_id"]).as_py()
    left_out -= pc.count_distinct(shown["session_id"]).as_py()
    without = f"{counted(left_out, 'session')} without a cost record left out"
    caption = f"ours, the client's, and ours minus the client's; {without}\n"
    places = ["client_file_id", "client_line"]
    emit_rows(rows, arguments, shown=shown.drop_columns(places), caption=caption, titles=_TITLES)


def _with_ledger(rows: pa.Table) -> pa.Table:
    """Return the rows of sessions in which a client counted anything."""
    counted_ = rows.filter(pc.is_valid(rows["client_line"]))["session_id"].unique()
    return rows.filter(pc.is_in(rows["session_id"], value_set=counted_))
