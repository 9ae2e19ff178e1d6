"""Records, usage and calls -> the rows of `sessions`: rule 35."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.sums import token_sums
from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Place, Record

_LISTS = {"versions": "version", "entrypoints": "entrypoint"}


def session_rows(
    files: Iterable[FileFacts], usage: Iterable[Columns], calls: Iterable[Columns]
) -> list[Columns]:
    """Give a row for every session id, in the order of their first records.

    Each has the `line` of that record too, which `endings` needs, and lacks the
    columns that further tables fill.
    """
    rows: dict[str, Columns] = {}
    places: dict[str, tuple[Place, bool]] = {}
    inline: dict[str, Place] = {}
    for facts in files:
        for record in facts.records:
            if not record.is_replay:
                _add_record(rows, places, facts, record)
                _note_inline(inline, facts, record)
    for session_id, place in inline.items():
        if session_id not in rows:
            rows[session_id] = _new_row(session_id, place.file_id)
            places[session_id] = place, True
    for row in rows.values():
        row["n_files"] = len(row["n_files"])
        row["line"] = places[row["session_id"]][0].line
    _add_usage(rows, usage)
    _add_calls(rows, calls)
    return sorted(rows.values(), key=lambda row: places[row["session_id"]])


def _new_row(session_id: str, file_id: int) -> Columns:
    row: Columns = {"file_id": file_id, "session_id": session_id}
    row |= {"sources": {}, "versions": {}, "entrypoints": {}, "models": {}, "n_files": {}}
    row |= dict.fromkeys(("project", "git_branch", "first_timestamp", "last_timestamp"))
    row |= dict.fromkeys(("forked_from_session_id", "leaf_uuid"))
    counts = ("n_records", "n_responses", "n_tool_calls", "n_failed", "n_denied", "n_api_errors")
    return row | dict.fromkeys(counts, 0) | dict.fromkeys(TOKENS, 0)


def _add_record(
    rows: dict[str, Columns],
    places: dict[str, tuple[Place, bool]],
    facts: FileFacts,
    record: Record,
) -> None:
    if (session_id := record.session_id) is None:
        return
    if session_id not in rows:
        rows[session_id] = _new_row(session_id, record.file_id)
        places[session_id] = record.place, False
    row, columns = rows[session_id], record.columns
    # A dictionary keeps the order of appearance and each key once.
    row["sources"][facts.transcript.source] = None
    row["n_files"][record.file_id] = None
    for column, source in _LISTS.items():
        row[column] |= {} if columns[source] is None else {columns[source]: None}
    row["models"] |= {} if record.message.model is None else {record.message.model: None}
    row["n_records"] += 1
    row["n_api_errors"] += columns["is_api_error"] is True
    _take_first(row, "project", columns["cwd"])
    _take_first(row, "git_branch", columns["git_branch"])
    _take_first(row, "forked_from_session_id", columns["forked_from_session_id"])
    if columns["leaf_uuid"] is not None:
        row["leaf_uuid"] = columns["leaf_uuid"]
    if (moment := columns["timestamp"]) is not None:
        first, last = row["first_timestamp"], row["last_timestamp"]
        row["first_timestamp"] = moment if first is None else min(first, moment)
        row["last_timestamp"] = moment if last is None else max(last, moment)


def _take_first(row: Columns, column: str, value: str | None) -> None:
    if row[column] is None:
        row[column] = value


def _note_inline(inline: dict[str, Place], facts: FileFacts, record: Record) -> None:
    """Remember a session that may have no record but an embedded one."""
    if record.inline is None or facts.kind == "codex":
        return
    session_id = record.inline.columns["session_id"]
    if session_id:
        inline.setdefault(session_id, record.place)


def _add_usage(rows: dict[str, Columns], usage: Iterable[Columns]) -> None:
    tokens: dict[str, list[Columns]] = {}
    for row in usage:
        if session_id := row["session_id"]:
            tokens.setdefault(session_id, []).append(row)
    for session_id, own in tokens.items():
        rows[session_id]["n_responses"] = len(own)
        rows[session_id] |= token_sums(own)


def _add_calls(rows: dict[str, Columns], calls: Iterable[Columns]) -> None:
    for call in calls:
        if session_id := call["session_id"]:
            row = rows[session_id]
            row["n_tool_calls"] += 1
            row["n_failed"] += call["outcome"] == "failed"
            row["n_denied"] += call["denial_kind"] is not None
