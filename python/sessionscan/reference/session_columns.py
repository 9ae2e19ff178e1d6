"""The columns of `sessions` that other tables fill: rules 35, 43, 50 and 54 of the rulings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.titles import Title


def add_counts(sessions: Iterable[Columns], rows: Mapping[str, Sequence[Columns]]) -> None:
    """Count the rows of other tables that are a session's."""
    prompts = (row for row in rows["prompts"] if _is_prompt(row))
    counted = {
        "n_prompts": prompts,
        "n_agents": rows["agents"],
        "n_compactions": rows["compactions"],
    }
    counts = {column: Counter(row["session_id"] for row in own) for column, own in counted.items()}
    for session in sessions:
        for column, count in counts.items():
            session[column] = count[session["session_id"]]


def _is_prompt(row: Columns) -> bool:
    """Say whether a row is a person's words, and the first to hold them."""
    return row["kind"] == "prompt" and row["duplicate_of_line"] is None


def add_titles(sessions: Iterable[Columns], titles: Mapping[str, Title]) -> None:
    """Add titles and where they come from."""
    for session in sessions:
        session["title"], session["title_source"] = titles.get(session["session_id"], (None, None))


def add_endings(sessions: Iterable[Columns], endings: Iterable[Columns]) -> None:
    """Add how each session ended; both tables have the same order."""
    for session, ending in zip(sessions, endings, strict=True):
        session["ending_kind"] = ending["kind"]
