"""The steps of a line before its JSON: rule 10 of the rulings.

Gives the text that is parsed and, for every character of it, the byte of the
file that it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sessionscan.reference.diagnose import Span

BOM = b"\xef\xbb\xbf"
REPLACEMENT = "\ufffd"

_NUL_RUN = re.compile(rb"\0+")
_BLANK = b" \t\r\0"

# Unicode table 3-7: what is well formed, and the longest beginnings of it.
_WELL_FORMED = (
    rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]"
    rb"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_BEGINNING = (
    rb"\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]?|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?"
)
# Bounded, as an unbounded repeat of a group keeps a state for every character.
_PARTS = re.compile(
    rb"(?:" + _WELL_FORMED + rb"){1,4096}|(" + _BEGINNING + rb"|[\x80-\xff])",
)


@dataclass(slots=True)
class Repaired:
    """The text of a line without what stands around it.

    `start` is where it begins in the file; `replaced` are the parts of the file
    that became U+FFFD, `nul_runs` those of NUL around it.
    """

    text: str
    start: int
    data: bytes
    replaced: list[Span] = field(default_factory=list)
    nul_runs: list[Span] = field(default_factory=list)


def repair(data: bytes, start: int) -> Repaired:
    """Strip white space and NUL from the bytes at `start`, and make them UTF-8."""
    inner_start = len(data) - len(data.lstrip(_BLANK))
    inner = data.strip(_BLANK)
    runs = [
        Span(start + run.start(), run.end() - run.start())
        for run in _NUL_RUN.finditer(data)
        if not inner_start <= run.start() < inner_start + len(inner)
    ]
    begin = start + inner_start
    try:
        return Repaired(inner.decode(), begin, inner, [], runs)
    except UnicodeDecodeError:
        text, replaced = _replace(inner, begin)
        return Repaired(text, begin, inner, replaced, runs)


def _replace(data: bytes, start: int) -> tuple[str, list[Span]]:
    """Put U+FFFD for each maximal ill-formed part."""
    pieces: list[str] = []
    replaced: list[Span] = []
    for part in _PARTS.finditer(data):
        if part[1] is None:
            pieces.append(part[0].decode())
        else:
            pieces.append(REPLACEMENT)
            replaced.append(Span(start + part.start(), part.end() - part.start()))
    return "".join(pieces), replaced


class Places:
    """Turns indices of a repaired text into offsets in the file.

    It remembers how far it came, as the places of a line are asked for from left
    to right.
    """

    def __init__(self, repaired: Repaired) -> None:
        """Begin at the start of the text."""
        self._repaired = repaired
        self._is_plain = len(repaired.text) == len(repaired.data) and not repaired.replaced
        self._index = 0
        self._offset = repaired.start
        self._next_replaced = 0

    def offset(self, index: int) -> int:
        """Give the offset in the file of the character at `index`, or of the end."""
        if self._is_plain:
            return self._repaired.start + index
        if index < self._index:
            self._index, self._offset, self._next_replaced = 0, self._repaired.start, 0
        passed = self._repaired.text[self._index : index]
        self._index = index
        self._offset = self._advance(self._offset, passed)
        return self._offset

    def _advance(self, offset: int, passed: str) -> int:
        """Add the bytes of the file that `passed` stands for."""
        offset += len(passed.encode())
        replaced = self._repaired.replaced
        while self._next_replaced < len(replaced) and replaced[self._next_replaced].offset < offset:
            length = replaced[self._next_replaced].length
            offset += length - len(REPLACEMENT.encode())
            self._next_replaced += 1
        return offset
