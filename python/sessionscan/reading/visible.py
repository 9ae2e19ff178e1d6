"""Text that shows what it is: nothing in it drives a terminal or turns lines around."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

# Controls but tab and LF, and what reorders or hides text: bidirectional marks, line and
# paragraph separators, tags, zero-width characters but the joiners that emoji are made with.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def visible(text: str) -> str:
    r"""Return `text` with CR LF as LF, and hidden characters as their escapes.

    >>> visible("red\x1b[31m\r\nblack")
    'red\\x1b[31m\nblack'
    """
    return _HIDDEN.sub(_escaped, text.replace("\r\n", "\n"))


def on_one_line(text: str, most: int = 200) -> str:
    r"""Return the beginning of `text` on one line.

    >>> on_one_line("make\ttest\n  --all")
    'make test --all'
    """
    line = " ".join(visible(text[: most * 4]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def clock(moment: int | None, tz: str) -> str:
    """Return a moment, in microseconds since the epoch, as people read it."""
    if moment is None:
        return "no time"
    try:
        local = (_EPOCH + timedelta(microseconds=moment)).astimezone(ZoneInfo(tz))
    except OverflowError:
        return "no time"
    return f"{local:%Y-%m-%d %H:%M:%S}"
