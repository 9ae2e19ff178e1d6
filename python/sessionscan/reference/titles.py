"""Titles of sessions, and where they come from: rule 50 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.session_key import session_key
from sessionscan.reference.white_space import is_blank, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.session_key import SessionKey

    Title = tuple[str, str]

_RANKS = ("custom-title", "ai-title", "summary", "first_prompt")


def titles(files: Sequence[FileFacts], prompts: Iterable[Columns]) -> dict[str, Title]:
    """Give the title of each session that has one, and its source."""
    found: dict[str, dict[str, str]] = {source: {} for source in _RANKS}
    homes = _homes(files)
    for facts in files:
        for record in facts.counted:
            title = record.further.title
            session = _session(facts, record, homes)
            if isinstance(session, str) and title is not None and not is_blank(title):
                found[record.columns["type"]][session] = trim(title)
    for row in prompts:
        if row["session_id"] is not None and row["kind"] == "prompt" and row["text"]:
            found["first_prompt"].setdefault(row["session_id"], trim(row["text"].split("\n")[0]))
    best: dict[str, Title] = {}
    for source in reversed(_RANKS):
        best |= {session: (title, source) for session, title in found[source].items()}
    return best


def _homes(files: Iterable[FileFacts]) -> dict[str, SessionKey]:
    """Give the session of the first record of each uuid."""
    homes: dict[str, SessionKey] = {}
    for facts in files:
        for record in facts.counted:
            if uuid := record.columns["uuid"]:
                homes.setdefault(uuid, session_key(record.session_id, facts))
    return homes


def _session(facts: FileFacts, record: Record, homes: dict[str, SessionKey]) -> SessionKey | None:
    """Give the session that a title is of.

    A summary without a session of its own stands in any file: its leaf says whose it is.
    """
    if record.columns["type"] == "summary" and record.session_id is None:
        return homes.get(record.columns["leaf_uuid"] or "")
    return session_key(record.session_id, facts)
