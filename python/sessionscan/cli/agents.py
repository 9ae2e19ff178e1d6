"""The command `agents`: who started whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan import one_session
from sessionscan.agent_tree import agent_trees, as_table
from sessionscan.cli.rows import emit_lines
from sessionscan.coverage import one_line
from sessionscan.schema import arrow_schema

if TYPE_CHECKING:
    import argparse

    from sessionscan.agent_tree import AgentTree
    from sessionscan.corpus import Corpus

TABLES = ("agents", "sessions")

COLUMNS = (*arrow_schema("agents").names, "depth", "remark")


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Draw the tree of one session, or of each that has agents."""
    rows = corpus.table("agents")
    trees = agent_trees(rows) if arguments.session is None else [_one(corpus, arguments.session)]
    lines = [line for tree in trees for line in _lines(tree, arguments)]
    emit_lines(as_table(rows, trees), arguments, lines or ["no agents"], "lines")


def _one(corpus: Corpus, named: str) -> AgentTree:
    ids = (corpus.table(name)["session_id"].to_pylist() for name in TABLES)
    return corpus.agent_tree(one_session.find(named, [name for each in ids for name in each]))


def _lines(tree: AgentTree, arguments: argparse.Namespace) -> list[str]:
    if not arguments.text:
        return tree.lines()
    said = [node.row["description"] for node in tree]
    first, *others = tree.lines()
    return [first, *map(_with, others, said)]


def _with(line: str, description: str | None) -> str:
    return line if description is None else f"{line}; {one_line(description)}"
