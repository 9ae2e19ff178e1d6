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

    They are kept by their last characters, so that a text is compared with the
    few that can be its end.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Keep the texts that are long enough to mean something."""
        self._texts = {text for text in texts if len(text) >= _SHORTEST}
        self._by_end: dict[str, list[str]] = {}
        for text in sorted(self._texts, key=len, reverse=True):
            self._by_end.setdefault(text[-_SHORTEST:], []).append(text)

    def judge(self, judged: Judged) -> Judged:
        """Call a text injected that is a known block; cut one that stands at its end."""
        text = judged.text
        if text in self._texts:
            return Judged(text, "injected", "known_block")
        for block in self._by_end.get(text[-_SHORTEST:], ()):
            if text.endswith(block):
                rest = text[: -len(block)]
                left = trim(rest)
                if left and rest[-1] in WHITE_SPACE:
                    return Judged(left, None, "tail_cut")
        return judged
