"""What joins by session go by: rule 37 of the rulings.

`FileFacts.session_of` says what a column shows; an empty id is shown, but joins nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts

SessionKey = str | int
"""A session id, or the number of a file that has none."""


def session_key(own: str | None, facts: FileFacts) -> SessionKey:
    """Give a thing's own session, else that of its file, else the file itself."""
    return own or facts.session_id or facts.file_id


def key_of_row(row: Columns, files: Sequence[FileFacts]) -> SessionKey:
    """Give the session that a row of `usage` or `tool_calls` joins."""
    return session_key(row["session_id"], files[row["file_id"]])


def session_column(key: SessionKey) -> str | None:
    """Give what a column shows of it."""
    return key if isinstance(key, str) else None
