"""Text -> the task notifications that it holds: rule 40 of the rulings.

Only ids, status and usage are read. What an agent wrote stands in `<summary>`
and `<result>` and may quote any of these tags, so the head ends where the first
of the two begins, usage is looked for behind the last `</result>`, and a closing
tag inside them closes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.white_space import trim

if TYPE_CHECKING:
    from collections.abc import Mapping

OPENING, _CLOSING = "<task-notification>", "</task-notification>"
ORIGIN = "task-notification"

_QUOTES = {"<summary>": "</summary>", "<result>": "</result>"}
_WORDS = re.compile("|".join(_QUOTES)).search
_COUNT = re.compile(r"0|-0|[1-9][0-9]*").fullmatch
_INT64_MAX = 2**63 - 1
_INT64_DIGITS = 19


class Notification(NamedTuple):
    """What a notification says, null where it does not."""

    task_id: str | None
    tool_use_id: str | None
    status: str | None
    total_tokens: int | None
    tool_uses: int | None
    duration_ms: int | None


def notifications(text: str, origin_kind: str | None) -> list[Notification]:
    """Give the notifications of a text, in order.

    Words in front of the first one are let through only where the origin says
    that the text is a notification: anyone may write the tag.

    Example:
        >>> notifications("<task-notification><status>done</status>", None)[0].status
        'done'

    """
    if origin_kind != ORIGIN and not trim(text).startswith(OPENING):
        return []
    found = []
    last = {opening: text.rfind(ending) for opening, ending in _QUOTES.items()}
    start = text.find(OPENING)
    while start >= 0:
        start += len(OPENING)
        end = _end(text, start, last)
        found.append(_notification(text[start:] if end < 0 else text[start:end]))
        start = -1 if end < 0 else text.find(OPENING, end + len(_CLOSING))
    return found


def _end(text: str, start: int, last: Mapping[str, int]) -> int:
    """Find the closing tag; what stands in a summary or result is quoted, and ends nothing.

    `last` says where the last end of each of these stands: where none is left, none
    is looked for, or a text of many open ones would be read once for each.
    """
    closing = text.find(_CLOSING, start)
    while closing >= 0:
        words = _WORDS(text, start, closing)
        if words is None:
            return closing
        start = words.end()
        if last[words[0]] >= start:
            start = text.index(_QUOTES[words[0]], start)
            if closing < start:
                closing = text.find(_CLOSING, start)
    return -1


def _notification(element: str) -> Notification:
    words = _WORDS(element)
    head = element if words is None else element[: words.start()]
    tail = element.rpartition("</result>")[2]
    _, opening, rest = tail.rpartition("<usage>")
    usage = rest.partition("</usage>")[0] if opening else ""
    return Notification(
        inside(head, "task-id"),
        inside(head, "tool-use-id"),
        inside(head, "status"),
        _count(inside(usage, "total_tokens")),
        _count(inside(usage, "tool_uses")),
        _count(inside(usage, "duration_ms")),
    )


def inside(text: str, tag: str) -> str | None:
    """Give what the first element of a name holds, trimmed; nothing where it is empty or open."""
    opening = text.find(f"<{tag}>")
    start = opening + len(tag) + 2
    end = text.find(f"</{tag}>", start) if opening >= 0 else -1
    return trim(text[start:end]) or None if end >= 0 else None


def _count(written: str | None) -> int | None:
    """Read an integer from 0 to 2^63-1."""
    if written is None or not _COUNT(written) or len(written) > _INT64_DIGITS:
        return None
    number = int(written)
    return number if number <= _INT64_MAX else None
