"""Blocks that the harness is known to write: rules 52 and 53 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.prompt_text import Judged
from sessionscan.reference.white_space import WHITE_SPACE, trim

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST = 30


class KnownBlocks:
    """Texts that the harness wrote somewhere in the corpus, as they may come again.

    By their last characters it is known how long those are that can be the end of
    a text; whether one is, a set answers for each length.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Keep the texts that are long enough to mean something."""
        self._texts = {text for text in texts if len(text) >= _SHORTEST}
        self._lengths: dict[str, dict[int, None]] = {}
        for text in sorted(self._texts, key=len, reverse=True):
            self._lengths.setdefault(text[-_SHORTEST:], {})[len(text)] = None

    def judge(self, judged: Judged) -> Judged:
        """Call a text injected that is a known block; cut one that stands at its end."""
        text = judged.text
        if text in self._texts:
            return Judged(text, "injected", "known_block")
        for length in self._lengths.get(text[-_SHORTEST:], ()):
            if text[-length:] in self._texts:
                rest = text[:-length]
                left = trim(rest)
                if left and rest[-1] in WHITE_SPACE:
                    return Judged(left, None, "tail_cut")
        return judged
