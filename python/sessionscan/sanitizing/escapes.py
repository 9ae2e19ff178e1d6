"""JSON strings written anew, byte for byte as long as they were.

So every offset and every length in a sanitized transcript is what it was.
"""

from __future__ import annotations

import re

_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PAIR = 12
_LONG = 6


def units(raw: str) -> list[str]:
    """Part the inside of a JSON string into what stands for a character each."""
    return _UNIT.findall(raw) if "\\" in raw else list(raw)


def character(unit: str) -> str:
    """Return the character that a unit stands for; an unpaired surrogate stays one."""
    if unit[0] != "\\":
        return unit
    if len(unit) == _PAIR:
        halves = int(unit[2:6], 16).to_bytes(2, "big") + int(unit[8:], 16).to_bytes(2, "big")
        return halves.decode("utf-16-be")
    if unit[1] == "u":
        return chr(int(unit[2:], 16))  # noqa: FURB166 (`\\u` is no prefix that int knows)
    return _SHORT.get(unit[1], unit[1])


def rewritten(raw: str, old: str, new: str) -> str:
    """Write `new`, a text of as many characters, in the form that `old` has in `raw`."""
    if "\\" not in raw:
        return new
    pairs = zip(units(raw), old, new, strict=True)
    return "".join(
        unit if before == after else _written(unit, after) for unit, before, after in pairs
    )


def _written(unit: str, char: str) -> str:
    if unit[0] != "\\":
        return char
    if len(unit) == _PAIR:
        code = ord(char) - 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    if len(unit) == _LONG:
        # An unpaired surrogate stays a finding, but not which one it was.
        is_lone = unit[2] in "dD" and unit[3] in "89abcdefABCDEF"
        return "\\ud800" if is_lone else f"\\u{ord(char):04x}"
    # Two bytes for one character that says nothing: only a backslash is always one.
    return "\\\\"
