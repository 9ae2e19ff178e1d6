"""Prompts that repeat what an assistant said before: rules 52 and 53 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionscan.reference.facts import Place

_EQUAL_CHARS = 30
_CONTAINED_CHARS = 60
_STEP = 30
"""A text of 60 characters covers one whole piece of 30, wherever it begins."""


class Said(NamedTuple):
    """Words, when they were said, and where they stand."""

    text: str
    timestamp: int | None
    place: Place

    def is_before(self, other: Said) -> bool:
        """Say whether these words are earlier; without times only a file has an order."""
        if self.timestamp is not None and other.timestamp is not None:
            return self.timestamp < other.timestamp
        return self.place.file_id == other.place.file_id and self.place < other.place


class Echoes:
    """What assistants said, findable by whole texts and by pieces of them."""

    def __init__(self, words: Iterable[Said]) -> None:
        """Index the words that are long enough to be repeated."""
        self._whole: dict[str, list[Said]] = {}
        self._by_piece: dict[str, list[str]] = {}
        for said in words:
            if len(said.text) >= _EQUAL_CHARS:
                self._whole.setdefault(said.text, []).append(said)
        for text in self._whole:
            last = len(text) - _STEP
            for piece in {text[at : at + _STEP] for at in range(0, last + 1, _STEP)}:
                self._by_piece.setdefault(piece, []).append(text)

    def reason(self, said: Said) -> str | None:
        """Say how a text repeats earlier words: `equal`, `contained` or not at all."""
        length = len(said.text)
        if length >= _EQUAL_CHARS and _any_before(self._whole.get(said.text, ()), said):
            return "equal"
        if length >= _CONTAINED_CHARS and _any_before(self._holding(said.text), said):
            return "contained"
        return None

    def _holding(self, text: str) -> Iterator[Said]:
        # Each piece and each text once: a line of dashes has thirty equal pieces.
        pieces = dict.fromkeys(text[start : start + _STEP] for start in range(_STEP))
        wholes = dict.fromkeys(w for piece in pieces for w in self._by_piece.get(piece, ()))
        for whole in wholes:
            if text in whole:
                yield from self._whole[whole]


def _any_before(words: Iterable[Said], said: Said) -> bool:
    return any(each.is_before(said) for each in words)
