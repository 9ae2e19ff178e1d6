"""The corpus that benches read: generated once, kept until its size or its generator changes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import corpora
from generate import size

HERE = Path(__file__).parent
SEED = 1


def asked_size() -> int:
    """Return the bytes that SESSIONSCAN_BENCH_SIZE asks for; 50MB without it."""
    return size(os.environ.get("SESSIONSCAN_BENCH_SIZE", "50MB"))


def folder(bytes_wanted: int, files: int | None = None) -> Path:
    """Return the folder of a corpus of that size, written where it is not there yet.

    `files` is how many transcripts it has; by size without it.
    """
    sources = sorted(Path(corpora.__file__).parent.glob("*.py"))
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    made = HERE / ".corpora" / f"{bytes_wanted}-{SEED}-{mark}{f'-{files}' if files else ''}"
    if not made.exists():
        # Written beside and renamed, so that a stopped run leaves no half corpus.
        partial = made.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        corpora.generate(partial, size=bytes_wanted, seed=SEED, files=files)
        partial.rename(made)
    return made


def totals(corpus: Path) -> dict[str, Any]:
    """Return the exact totals that the generator kept."""
    found: dict[str, Any] = json.loads((corpus / "expected.json").read_text(encoding="utf-8"))
    return found
