"""Regular expressions, read in the syntax that `sessionscan.patterns` describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from sessionscan.character_sets import CharacterSet, class_escape
from sessionscan.fold_case import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_DIGITS = {"x": 2, "u": 4}
_MOST_REPEATS = 255
_LARGEST = 20_000


def check_unicode(text: str) -> None:
    """Refuse what no text can hold.

    Raises:
        ValueError: for half of a character.
    """
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError(f"{text!r} is no valid Unicode; nothing that is read can hold it")


def written(char: str) -> str:
    """Return a character as both engines take it in a pattern."""
    return char if char.isascii() and char.isalnum() else f"\\U{ord(char):08x}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pattern: `literal` where it is that text and nothing else."""

    text: str
    is_nullable: bool = False
    contains: tuple[str, ...] = ()
    literal: str | None = None
    size: int = 1


def _of_char(char: str, *, folds: bool) -> Part:
    char = fold(char) if folds else char
    return Part(written(char), contains=(char,), literal=char)


def _joined(parts: Sequence[Part]) -> Part:
    contains: list[str] = []
    run = ""
    for part in parts:
        if part.literal is not None:
            run += part.literal
            continue
        contains += [run, *part.contains]
        run = ""
    is_literal = bool(parts) and all(part.literal is not None for part in parts)
    return Part(
        "".join(part.text for part in parts),
        all(part.is_nullable for part in parts),
        tuple(text for text in (*contains, run) if text),
        run if is_literal else None,
        sum(part.size for part in parts),
    )


def read(pattern: str, *, folds: bool) -> Part:
    """Read a pattern; for folded text where `folds`.

    Raises:
        ValueError: for what is none in the shared syntax, and for one that matches the
            empty text.
    """
    check_unicode(pattern)
    reader = _Reader(pattern, folds=folds)
    part = reader.alternatives()
    if not reader.is_at_end:
        reader.refuse("a ) without its (")
    if part.is_nullable:
        raise ValueError(f"{pattern!r} matches the empty text, which is everywhere")
    return part


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, *, folds: bool) -> None:
        self.pattern = pattern
        self.at = 0
        self.folds = folds

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.pattern)

    def refuse(self, what: str) -> NoReturn:
        place = f"character {self.at + 1} of {self.pattern!r}"
        raise ValueError(f"{what} at {place}; see sessionscan.patterns for the syntax")

    def take(self, text: str) -> bool:
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def char(self) -> str:
        if self.is_at_end:
            self.refuse("the pattern ends too early")
        self.at += 1
        return self.pattern[self.at - 1]

    def alternatives(self) -> Part:
        branches = [self._branch()]
        while self.take("|"):
            branches.append(self._branch())
        if len(branches) == 1:
            return branches[0]
        text = "|".join(branch.text for branch in branches)
        is_nullable = any(branch.is_nullable for branch in branches)
        return Part(text, is_nullable, size=sum(branch.size for branch in branches))

    def _branch(self) -> Part:
        parts = []
        while not self.is_at_end and self.pattern[self.at] not in "|)":
            parts.append(self._repeated(self._atom()))
        return _joined(parts)

    def _repeated(self, part: Part) -> Part:
        start = self.at
        bounds = self._bounds()
        if bounds is None:
            return part
        least, most = bounds
        quantifier = self.pattern[start : self.at]
        if part.is_nullable:
            self.refuse("a repetition of what may be empty")
        if self.take("?"):
            quantifier += "?"
        if not self.is_at_end and self.pattern[self.at] in "*+?{":
            self.refuse("a repetition of a repetition")
        size = part.size * max(most or least, 1)
        if size > _LARGEST:
            self.refuse("a pattern that is too large")
        contains = part.contains if least else ()
        return Part(f"(?:{part.text}){quantifier}", least == 0, contains, size=size)

    def _bounds(self) -> tuple[int, int | None] | None:
        """Read `*`, `+`, `?` or `{m,n}`, where one stands."""
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return bounds
        if not self.take("{"):
            return None
        least = self._count()
        most: int | None = least
        if self.take(","):
            most = None if self.pattern.startswith("}", self.at) else self._count()
        if not self.take("}") or (most is not None and most < max(least, 1)):
            self.refuse("no {m}, {m,} or {m,n}")
        return least, most

    def _count(self) -> int:
        start = self.at
        while not self.is_at_end and self.pattern[self.at] in "0123456789":
            self.at += 1
        digits = self.pattern[start : self.at]
        if not digits or len(digits) > len(str(_MOST_REPEATS)) or int(digits) > _MOST_REPEATS:
            self.refuse(f"no number up to {_MOST_REPEATS}")
        return int(digits)

    def _atom(self) -> Part:
        if self.take("("):
            return self._group()
        if self.take("["):
            return Part(self._set().pattern)
        if self.take("."):
            return Part(CharacterSet.of("\n").complement().pattern)
        for sign in "^$":
            if self.take(sign):
                return Part(f"(?m:{sign})", is_nullable=True)
        if self.pattern[self.at] in "*+?{":
            self.refuse("a repetition of nothing")
        if self.take("\\"):
            return self._escape()
        return _of_char(self.char(), folds=self.folds)

    def _group(self) -> Part:
        if self.take("?") and not self.take(":"):
            self.refuse("a group of a kind that is not shared")
        inner = self.alternatives()
        if not self.take(")"):
            self.refuse("a ( without its )")
        return Part(
            f"(?:{inner.text})", inner.is_nullable, inner.contains, inner.literal, inner.size
        )

    def _escape(self) -> Part:
        if self.take("b"):
            return Part(r"\b", is_nullable=True)
        found = class_escape(self.pattern[self.at : self.at + 1])
        if found is not None:
            self.at += 1
            return Part(found.pattern)
        return _of_char(self._escaped_char(), folds=self.folds)

    def _escaped_char(self) -> str:
        """Read what stands behind a backslash, and is a character."""
        char = self.char()
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char in _DIGITS:
            digits = self.pattern[self.at : self.at + _DIGITS[char]]
            is_hex = all(digit in "0123456789abcdefABCDEF" for digit in digits)
            if len(digits) < _DIGITS[char] or not is_hex:
                self.refuse(f"no {_DIGITS[char]} hex digits")
            self.at += len(digits)
            check_unicode(chr(int(digits, 16)))
            return chr(int(digits, 16))
        if not char.isascii() or char.isalnum() or not char.isprintable():
            self.refuse(f"the escape \\{char}, which is not shared,")
        return char

    def _set(self) -> CharacterSet:
        is_complement = self.take("^")
        letters = classes = CharacterSet.of("")
        is_first = True
        while is_first or not self.take("]"):
            member, is_class = self._member()
            if is_class:
                classes = classes.union(member)
            else:
                letters = letters.union(member)
            is_first = False
        # Classes say what is in folded text as they are: its letters are small ones.
        found = classes.union(letters.folded() if self.folds else letters)
        return found.complement() if is_complement else found

    def _member(self) -> tuple[CharacterSet, bool]:
        """Read a character, a range or a class; say whether it is a class."""
        first = self._set_char()
        if isinstance(first, CharacterSet):
            return first, True
        is_range = self.pattern.startswith("-", self.at)
        if not is_range or self.pattern.startswith("-]", self.at):
            return CharacterSet.of(first), False
        self.at += 1
        last = self._set_char()
        if isinstance(last, CharacterSet) or last < first:
            self.refuse("no range")
        return CharacterSet.from_to(first, last), False

    def _set_char(self) -> str | CharacterSet:
        if self.take("\\"):
            found = class_escape(self.pattern[self.at : self.at + 1])
            if found is not None:
                self.at += 1
                return found
            return self._escaped_char()
        char = self.char()
        if char in "[]":
            self.refuse(f"a {char} in a set without a backslash")
        return char
