"""JSON strings written anew, byte for byte as long as they were.

So every offset and every length in a sanitized transcript is what it was.
"""

from __future__ import annotations

import json
import re

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_UNIT = re.compile(rf"{_ESCAPE.pattern}|[^\\]", re.DOTALL)
_PAIR = 12
_LONG = 6


def units(raw: str) -> list[str]:
    """Part the inside of a JSON string into what stands for a character each."""
    return _UNIT.findall(raw) if "\\" in raw else list(raw)


def unescaped(raw: str) -> str:
    """Return the text of a JSON string; an unpaired surrogate stays one."""
    return str(json.loads(f'"{raw}"')) if "\\" in raw else raw


def rewritten(raw: str, old: str, new: str) -> str:
    """Write `new`, a text of as many characters, in the form that `old` has in `raw`."""
    if "\\" not in raw:
        return new
    made, place, index = [], 0, 0
    for escape in _ESCAPE.finditer(raw):
        plain = escape.start() - place
        made.append(new[index : index + plain])
        index += plain
        made.append(_written(escape[0], old[index], new[index]))
        place, index = escape.end(), index + 1
    return "".join((*made, new[index:]))


def _written(unit: str, old: str, new: str) -> str:
    """Write a character as an escape of the same kind."""
    if "\ud800" <= old <= "\udfff":
        # An unpaired surrogate stays a finding, but not which one it was.
        return "\\ud800"
    if new == old:
        return unit
    if len(unit) == _PAIR:
        code = ord(new) - 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    if len(unit) == _LONG:
        return f"\\u{ord(new):04x}"
    # Two bytes for one character that says nothing: only a backslash is always one.
    return "\\\\"
