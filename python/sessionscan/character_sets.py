"""Sets of characters, as patterns name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.fold_case import FOLDED

if TYPE_CHECKING:
    from collections.abc import Iterable

_LAST = 0x10FFFF


class CharacterSet(NamedTuple):
    """Characters: ranges of code points, in order, both ends included."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, characters: str) -> CharacterSet:
        """Return the set of some characters."""
        return cls(_in_order((ord(char), ord(char)) for char in characters))

    @classmethod
    def from_to(cls, first: str, last: str) -> CharacterSet:
        """Return the set of a range."""
        return cls(((ord(first), ord(last)),))

    def union(self, other: CharacterSet) -> CharacterSet:
        """Return what is in either."""
        return CharacterSet(_in_order((*self.ranges, *other.ranges)))

    def complement(self) -> CharacterSet:
        """Return every other character.

        >>> CharacterSet.of("b").complement().ranges
        ((0, 97), (99, 1114111))
        """
        ranges = []
        start = 0
        for first, last in self.ranges:
            if first > start:
                ranges.append((start, first - 1))
            start = last + 1
        if start <= _LAST:
            ranges.append((start, _LAST))
        return CharacterSet(tuple(ranges))

    def folded(self) -> CharacterSet:
        """Return the set with what its letters become where case does not matter.

        >>> CharacterSet.from_to("A", "C").folded().ranges
        ((65, 67), (97, 99))
        """
        reached = [FOLDED[code] for first, last in self.ranges for code in _foldable(first, last)]
        return CharacterSet(_in_order((*self.ranges, *((code, code) for code in reached))))

    @property
    def pattern(self) -> str:
        r"""The set as a pattern.

        >>> print(CharacterSet.of("b").pattern)
        [\U00000062]
        """
        return f"[{''.join(_written(first, last) for first, last in self.ranges)}]"


def class_escape(char: str) -> CharacterSet | None:
    r"""Return the set that `\d`, `\w`, `\s` and their capitals stand for; ASCII."""
    found = _CLASSES.get(char.lower())
    return found.complement() if found is not None and char.isupper() else found


def _in_order(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def _foldable(first: int, last: int) -> list[int]:
    return [code for code in FOLDED if first <= code <= last]


def _written(first: int, last: int) -> str:
    if first == last:
        return f"\\U{first:08x}"
    return f"\\U{first:08x}-\\U{last:08x}"


_CLASSES = {
    "d": CharacterSet.from_to("0", "9"),
    "s": CharacterSet.of(" \t\n\r\f\v"),
    "w": CharacterSet.from_to("0", "9")
    .union(CharacterSet.from_to("A", "Z"))
    .union(CharacterSet.from_to("a", "z"))
    .union(CharacterSet.of("_")),
}
