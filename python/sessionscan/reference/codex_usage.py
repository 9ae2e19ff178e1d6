"""A thread's totals -> the rows of `usage` that they grew by: rule 96 of the rulings.

A rollout tells how much its thread has used so far, again and again, and never
what one response used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.codex_records import SESSION_META, TURN_CONTEXT
from sessionscan.reference.codex_totals import (
    CACHED,
    COUNTS,
    INPUT,
    OUTPUT,
    REASONING,
    Total,
    grow,
)
from sessionscan.reference.usage import is_synthetic
from sessionscan.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Place, Record

_COLUMNS = tuple(column.name for column in TABLES["usage"].columns)
_OF_CLIENT = ("version", "git_branch", "entrypoint")


class Growth(NamedTuple):
    """A row of what a thread used, and where its total stands."""

    place: Place
    row: Columns


def growths(files: Iterable[FileFacts]) -> Iterator[Growth]:
    """Give what the totals of each file grew by, in order."""
    for facts in files:
        was: Total = dict.fromkeys(COUNTS, 0)
        context: Columns = dict.fromkeys(("model", "effort", "cwd", *_OF_CLIENT))
        for record in facts.records:
            if record.rollout is None:
                continue
            _note(context, record)
            if record.rollout.total is None:
                continue
            growth = grow(was, record.rollout.total)
            # A replayed total was used by the parent: it is only what others start from.
            if any(growth.values()) and not record.is_replay:
                yield Growth(record.place, _row(facts, record, context, growth))


def _note(context: Columns, record: Record) -> None:
    """Take over what a record says of those behind it: the last word, of the client the first."""
    kind, columns = record.columns["type"], record.columns
    said: Columns = {}
    if kind == TURN_CONTEXT:
        said = {"model": record.message.model, "effort": columns["effort"], "cwd": columns["cwd"]}
    elif kind == SESSION_META:
        said = {column: columns[column] for column in _OF_CLIENT if context[column] is None}
        said["cwd"] = columns["cwd"]
    context.update({column: value for column, value in said.items() if value is not None})


def _row(facts: FileFacts, record: Record, context: Columns, growth: Total) -> Columns:
    return {
        **dict.fromkeys(_COLUMNS),
        **context,
        "file_id": record.file_id,
        "line": record.line,
        "session_id": record.columns["session_id"],
        "agent_id": facts.agent_id,
        "source": "file",
        "first_timestamp": record.columns["timestamp"],
        "last_timestamp": record.columns["timestamp"],
        "n_records": 1,
        "conflict": False,
        "certainty": "exact",
        "is_synthetic": is_synthetic(context["model"]),
        "is_copy": False,
        "input_tokens": _not_cached(growth),
        "output_tokens": growth[OUTPUT],
        "cache_read_input_tokens": growth[CACHED],
        "thinking_tokens": growth[REASONING],
    }


def _not_cached(growth: Total) -> int | None:
    """Take the cached part, which stands in a column of its own, from the input."""
    whole = growth[INPUT]
    return None if whole is None else whole - (growth[CACHED] or 0)
