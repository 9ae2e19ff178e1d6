"""The command `agents`: who started whom."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.cli import one_session
from sessionscan.cli.rows import emit_lines
from sessionscan.coverage import one_line
from sessionscan.schema import arrow_schema

if TYPE_CHECKING:
    import argparse

    from sessionscan.agent_tree import AgentTree
    from sessionscan.corpus import Corpus

TABLES = ("agents", "sessions")

_ADDED: list[pa.Field[Any]] = [pa.field("depth", pa.int64()), pa.field("remark", pa.string())]
COLUMNS = (*arrow_schema("agents").names, *(field.name for field in _ADDED))


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Draw the tree of one session, or of each that has agents."""
    trees = [corpus.agent_tree(session) for session in _sessions(corpus, arguments.session)]
    parts = [_none(), *(tree.to_table() for tree in trees)]
    rows = pa.concat_tables(parts).unify_dictionaries()
    lines = list(chain.from_iterable(_lines(tree, arguments) for tree in trees))
    emit_lines(rows, arguments, lines or ["no agents"], "lines")


def _sessions(corpus: Corpus, named: str | None) -> list[str | None]:
    """Return the sessions to draw, in the order of `agents`."""
    agents: list[str | None] = corpus.table("agents")["session_id"].unique().to_pylist()
    if named is None:
        return agents
    return [one_session.find(named, [*agents, *corpus.table("sessions")["session_id"].to_pylist()])]


def _lines(tree: AgentTree, arguments: argparse.Namespace) -> list[str]:
    if not arguments.text:
        return tree.lines()
    said = [node.row["description"] for node in tree]
    first, *others = tree.lines()
    return [first, *map(_with, others, said)]


def _with(line: str, description: str | None) -> str:
    return line if description is None else f"{line}; {one_line(description)}"


def _none() -> pa.Table:
    schema = arrow_schema("agents")
    for field in _ADDED:
        schema = schema.append(field)
    return schema.empty_table()
