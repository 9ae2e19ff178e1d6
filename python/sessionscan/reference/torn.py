"""The complete record behind a cut-off one: rule 13 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.json_values import JsonStop, Obj

if TYPE_CHECKING:
    from sessionscan.reference.json_text import Parser

_AROUND = " \t\r\n\0"
_EVIDENCE = ("uuid", "sessionId", "timestamp", "leafUuid")


class Spanned(NamedTuple):
    """An object of a line: where it stands, and its unpaired surrogates."""

    obj: Obj
    start: int
    end: int
    lone: int


def after_space(text: str, place: int) -> int:
    """Give the place behind white space and NUL."""
    while place < len(text) and text[place] in _AROUND:
        place += 1
    return place


def rescue(parser: Parser, stopped: JsonStop) -> Spanned | None:
    """Find the record that reaches the end of a line that `parser` stopped in."""
    text, start = parser.text, 0
    while True:
        start = _next_start(text, start, stopped, parser.closed)
        if start < 0:
            return None
        try:
            value, end = parser.value(start)
        except JsonStop as again:
            if again.reason == "too_deep":
                return None
            stopped = again
            continue
        behind = after_space(text, end)
        if behind == len(text):
            found = Spanned(value, start, end, parser.lone)
            return found if _is_record(value) else None
        stopped = JsonStop(behind, "trailing")


def _next_start(text: str, start: int, stopped: JsonStop, closed: tuple[int, int]) -> int:
    if stopped.reason == "end" and closed[1] == len(text):
        return closed[0]
    before = text.rfind("{", start + 1, stopped.place + 1)
    return before if before >= 0 else text.find("{", stopped.place + 1)


def _is_record(obj: Obj) -> bool:
    has_type = isinstance(obj.get("type"), str)
    return has_type and any(obj.get(key) is not None for key in _EVIDENCE)
