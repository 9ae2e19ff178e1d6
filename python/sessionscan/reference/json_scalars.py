"""Strings, numbers and literals of JSON, and where each of them stops being one.

Rule 11 of the rulings: the place of an error is the first character that no
valid text with that beginning could have; past the end of the text the reason
is always that it ends.
"""

from __future__ import annotations

import re

from sessionscan.reference.json_values import JsonStop, Number

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").match
_LITERALS: dict[str, tuple[str, bool | None]] = {
    "t": ("true", True),
    "f": ("false", False),
    "n": ("null", None),
}
_INT64 = range(-(2**63), 2**63)
_INT64_CHARACTERS = 20
_CONTROL = 0x20
_ESCAPES = frozenset('"\\/bfnrtu')
_HEX = frozenset("0123456789abcdefABCDEF")


def stop(text: str, place: int, reason: str) -> JsonStop:
    """Say that text stops being JSON at `place`, or that it ends there."""
    if place >= len(text):
        return JsonStop(len(text), "end")
    return JsonStop(place, reason)


def string_stop(text: str, place: int) -> JsonStop:
    """Find where the string stops whose content begins at `place` and never ends."""
    while place < len(text):
        if ord(text[place]) < _CONTROL:
            return JsonStop(place, "control")
        if text[place] != "\\":
            place += 1
            continue
        digits = 4 if text[place + 1 : place + 2] == "u" else 0
        if text[place + 1 : place + 2] not in _ESCAPES:
            return stop(text, place + 1, "escape")
        place += 2
        for _ in range(digits):
            if text[place : place + 1] not in _HEX:
                return stop(text, place, "escape")
            place += 1
    return JsonStop(len(text), "end")


def scalar(text: str, place: int) -> tuple[bool | int | Number | None, int]:
    """Read a literal or a number; give it and the index behind it.

    Raises:
        JsonStop: neither stands there.

    """
    literal = _LITERALS.get(text[place : place + 1])
    if literal is None:
        return _number(text, place)
    word, value = literal
    for offset, char in enumerate(word):
        if text[place + offset : place + offset + 1] != char:
            raise stop(text, place + offset, "literal")
    return value, place + len(word)


def _number(text: str, place: int) -> tuple[int | Number, int]:
    match = _NUMBER(text, place)
    if match is None:
        if text[place : place + 1] == "-":
            raise stop(text, place + 1, "number")
        raise stop(text, place, "value")
    written, end = match.group(), match.end()
    _check_number_is_over(text, written, end)
    # "-0" keeps its text: as an epoch it is refused, as an integer it is 0.
    if len(written) > _INT64_CHARACTERS or written == "-0":
        return Number(written), end
    try:
        value = int(written)
    except ValueError:
        return Number(written), end
    return (value if value in _INT64 else Number(written)), end


def _check_number_is_over(text: str, written: str, end: int) -> None:
    """Refuse a fraction or an exponent that has no digit, at the digit's place."""
    char = text[end : end + 1]
    has_exponent = "e" in written or "E" in written
    if char == "." and "." not in written and not has_exponent:
        raise stop(text, end + 1, "number")
    if char and char in "eE" and not has_exponent:
        sign = text[end + 1 : end + 2]
        raise stop(text, end + 2 if sign and sign in "+-" else end + 1, "number")
