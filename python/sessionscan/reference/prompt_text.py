"""The words of a prompt, and what kind of text they are by themselves: rule 52.

What the rule needs of other records, known blocks and earlier words, comes
between `before_blocks` and `by_size`, in `prompts`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sessionscan.reference.task_notifications import OPENING as NOTIFICATION
from sessionscan.reference.task_notifications import ORIGIN as NOTIFICATION_ORIGIN
from sessionscan.reference.task_notifications import inside
from sessionscan.reference.white_space import is_blank, trim

INTERRUPTION = "[Request interrupted by user"

_CONTINUATION = "This session is being continued from a previous conversation"
_IMAGE = re.compile(r"\[Image #[0-9]+\]")
_SLASH = re.compile(r"/[A-Za-z][A-Za-z0-9_:-]*(?:[ \t\n\r]|\Z)").match
_TAILS = ("system-reminder", "user-prompt-submit-hook")
_COMMAND = ("<command-name>", "<command-message>", "<command-args>")
_BASH_INPUT = "<bash-input>"
_INJECTED = (
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<system-reminder>",
    "<user-prompt-submit-hook>",
)
_PASTE_CHARS = 2000
_PASTE_ASCII_PERCENT = 60
_PASTE_LINES = 10


class Envelope(NamedTuple):
    """What the record of a text says about it."""

    is_sidechain: bool
    is_compact_summary: bool
    is_meta: bool
    is_attachment: bool
    origin_kind: str | None
    prompt_source: str | None


class Judged(NamedTuple):
    """A text as it is left, its kind (none is decided yet) and the reason."""

    text: str
    kind: str | None
    reason: str | None


def without_images(text: str) -> tuple[str, int]:
    """Cut the placeholders of images, and say how many there were."""
    cut, count = _IMAGE.subn("", text)
    return trim(cut), count


def before_blocks(text: str, envelope: Envelope) -> Judged:
    """Judge a text by its record and by how it begins and ends."""
    kind, reason = _by_envelope(text, envelope)
    if kind is not None:
        return Judged(text, kind, reason)
    judged = _without_tails(text)
    return judged if judged.kind is not None else _by_tag(judged)


def _by_envelope(text: str, envelope: Envelope) -> tuple[str | None, str | None]:
    origin = envelope.origin_kind
    is_from_elsewhere = origin != "human" if origin is not None else envelope.is_attachment
    cases = (
        (envelope.is_sidechain, "sidechain", "isSidechain"),
        (envelope.is_compact_summary, "compact_summary", "isCompactSummary"),
        (text.startswith(_CONTINUATION), "compact_summary", "continuation"),
        (origin == NOTIFICATION_ORIGIN, "notification", "origin"),
        (text.startswith(NOTIFICATION), "notification", "tag"),
        (text.startswith(INTERRUPTION), "interruption", "marker"),
        (envelope.is_meta, "meta", "isMeta"),
        (is_from_elsewhere, "injected", "origin"),
        (envelope.prompt_source in {"system", "sdk"}, "injected", "promptSource"),
    )
    return next(((kind, reason) for holds, kind, reason in cases if holds), (None, None))


def _without_tails(text: str) -> Judged:
    """Cut what the harness appended, one element after the other from the end."""
    reason = None
    while tag := next((tag for tag in _TAILS if text.endswith(f"</{tag}>")), None):
        start = text.rfind(f"<{tag}>")
        if start == 0:
            return Judged(text, "injected", "tag")
        if start < 0:
            break
        text, reason = trim(text[:start]), "tail_cut"
    return Judged(text, None, reason)


def _by_tag(judged: Judged) -> Judged:
    text = judged.text
    if text.startswith(_COMMAND):
        return Judged(_command(text), "command", "tag")
    if text.startswith(_BASH_INPUT):
        return Judged(inside(text, "bash-input") or text, "command", "tag")
    if text.startswith(_INJECTED):
        return Judged(text, "injected", "tag")
    if _SLASH(text):
        return Judged(text, "command", "slash")
    return judged


def _command(text: str) -> str:
    """Give a command as it was typed: its name and what stood behind it."""
    name, args = inside(text, "command-name"), inside(text, "command-args")
    if name is None:
        return text
    return name if args is None else f"{name} {args}"


def by_size(judged: Judged) -> Judged:
    """Tell a paste from a prompt, which keeps the reason that its end was cut."""
    text = judged.text
    if len(text) >= _PASTE_CHARS:
        if sum(char.isascii() for char in text) * 100 >= _PASTE_ASCII_PERCENT * len(text):
            return Judged(text, "paste", "ascii")
        if sum(not is_blank(line) for line in text.split("\n")) >= _PASTE_LINES:
            return Judged(text, "paste", "lines")
    return Judged(text, "prompt", judged.reason)
