"""Corpora of invented transcripts, as large as wanted, with their exact totals.

from corpora import generate
totals = generate("out", size=1_000_000, seed=1)
"""

from corpora.home import generate

__all__ = ["generate"]
