"""A table's rows in either scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.cli.sessions import sessions
from sessionscan.schema import TABLES
from sessionscan.totals import in_scope, without_copies

if TYPE_CHECKING:
    import pyarrow as pa

    from sessionscan.corpus import Corpus


def needed(name: str, scope: str) -> tuple[str, ...]:
    """Name the tables from which `rows` makes the rows of one."""
    if scope == "corpus" and name == "sessions":
        return ("sessions", "usage", "tool_calls")
    if scope == "corpus" and name == "usage_iterations":
        return ("usage_iterations", "usage")
    return (name,)


def rows(corpus: Corpus, name: str, scope: str) -> pa.Table:
    """Return a table; in corpus scope without what repeats another session's.

    Tables that say nothing of copies, such as `records`, are the same in both.
    """
    table = corpus.table(name)
    if scope == "session":
        return table
    if name == "sessions":
        return sessions(corpus, scope)
    if name == "usage_iterations":
        return without_copies(table, corpus.table("usage"))
    has_copies = any(column.name == "is_copy" for column in TABLES[name].columns)
    return in_scope(table, scope) if has_copies else table
