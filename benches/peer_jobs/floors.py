"""What merely looking at the bytes costs: no reader of lines is quicker."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The machine of the targets split bytes in memory at LF at this many GB/s on a core.
LF_GBS = 8.7
SAMPLE = 64_000_000
# As many paths as fit an argument list everywhere.
PATHS = 2_000


def wc_absent() -> str | None:
    """Return why `wc` cannot be run."""
    return None if shutil.which("wc") else "wc is not on PATH"


def wc(folder: Path) -> int:
    """Return the lines that `wc -l` counts in all transcripts."""
    paths = sorted(str(path) for path in folder.rglob("*.jsonl"))
    lines = 0
    for start in range(0, len(paths), PATHS):
        batch = paths[start : start + PATHS]
        said = subprocess.run(["wc", "-l", *batch], capture_output=True, check=True)  # noqa: S603, S607
        # With more than one file, the last line is their sum.
        lines += int(said.stdout.splitlines()[-1].split()[0])
    return lines


def lf_speed(folder: Path) -> float:
    """Return at how many GB/s a core finds the LF of bytes that are in memory."""
    sample = bytearray()
    for path in sorted(folder.rglob("*.jsonl")):
        sample += path.read_bytes()
        if len(sample) >= SAMPLE:
            break
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        _split(sample)
        best = min(best, time.perf_counter() - start)
    return len(sample) / best / 1e9


def _split(held: bytearray) -> None:
    # `find` is memchr; `count` looks at one byte after the other in some Pythons.
    find, place = held.find, 0
    while place >= 0:
        place = find(b"\n", place + 1)
