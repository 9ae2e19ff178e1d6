"""Real transcripts beside the repository: where they are, and each scan of them done once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from parity.compare import scan

FOLDER = Path(__file__).parents[3] / "shared" / "realdata"


def require():
    """Skip the test where the transcripts are absent: they are no part of the repository."""
    if not FOLDER.is_dir():
        pytest.skip("real transcripts are not part of the repository, and are not beside it")


@cache
def scanned(engine, **options):
    """Return the tables of one engine; the reference takes its time, so only once."""
    return scan(FOLDER, engine, **options)
