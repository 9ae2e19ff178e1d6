"""The command `lineage`: what sessions came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan import one_session
from sessionscan.cli.rows import emit_lines

if TYPE_CHECKING:
    import argparse

    from sessionscan.corpus import Corpus

TABLES = ("links", "sessions")


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Draw the tree that holds one session, or all trees."""
    session = arguments.session
    if session is not None:
        ids = (corpus.table("sessions")["session_id"], corpus.table("links")["other_session_id"])
        session = one_session.find(session, [name for each in ids for name in each.to_pylist()])
    found = corpus.lineage(session)
    lines = found.lines()
    if session is None:
        alone = corpus.table("sessions").num_rows - sum(node.found for node in found)
        lines.append(f"sessions that share nothing with another: {alone:,}")
    emit_lines(found.to_table(), arguments, lines, "lines")
