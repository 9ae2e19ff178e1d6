"""How many bytes each file gets, so that a corpus has the size and files that were asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpora.dice import Dice

# Bytes of a file on average, and the fewest that still hold a few turns.
MEAN_FILE = 270_000
SMALL_FILE = 25_000
SMALL_CORPUS_FILES = 40

# A file's size is log-normal around the mean: few parents are huge, agents are alike.
_SPREAD = {"parent": (9.0, 1.9), "agent": (0.5, 1.0), "journal": (0.0, 0.0)}
_LARGEST_SHARE = 0.6
_CAP_SHARE = 150
_SMALLEST_CAP = 400


class Budget:
    """The bytes and files that are still to be written."""

    def __init__(self, size: int, files: int | None) -> None:
        """Plan for `size` bytes; without `files`, as many as transcripts usually have."""
        few = max(2, min(SMALL_CORPUS_FILES, size // SMALL_FILE))
        self.size = size
        self.files_left = files or max(few, size // MEAN_FILE)
        self.written = 0
        # In a small corpus one long result must not be all there is.
        self.cap = max(_SMALLEST_CAP, size // _CAP_SHARE)

    def open(self, dice: Dice, shape: str) -> int:
        """Take a file and return the bytes that it may have."""
        left = max(self.size - self.written, 0)
        mean, spread = _SPREAD[shape]
        share = left / max(self.files_left, 1)
        self.files_left -= 1
        if self.files_left <= 0:
            return left
        draw = dice.about(mean * math.exp(-spread * spread / 2), spread) if mean else 0.0
        return int(min(share * draw, left * _LARGEST_SHARE))

    def spare(self) -> int:
        """Return how many files may stand beside a parent: the last file is a parent."""
        return max(self.files_left - 1, 0)
