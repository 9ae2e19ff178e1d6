"""The texts of messages and queued prompts, and who sent them: rules 51 and 52."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import Record


def is_user(columns: Columns) -> bool:
    """Say whether a record is a user's: by its type, or by its role without one."""
    if columns["type"] is None:
        return bool(columns["role"] == "user")
    return bool(columns["type"] == "user")


def words(record: Record) -> list[str]:
    """Give the texts of a message: its text blocks and bare strings."""
    return [each.text for each in record.blocks if each.type == "text" and each.text is not None]


def user_text(record: Record) -> str | None:
    """Give what a user record says, or the prompt of a `queued_command`."""
    if is_user(record.columns):
        return "\n".join(words(record))
    attachment = record.further.attachment
    return None if attachment is None else attachment.prompt


def origin_kind(record: Record) -> str | None:
    """Give the kind of a record's origin, an attachment's own first."""
    attachment = record.further.attachment
    if attachment is not None and attachment.origin_kind is not None:
        return attachment.origin_kind
    kind: str | None = record.columns["origin_kind"]
    return kind
