"""What the scan is measured by against itself: more tables, one file, more bytes, memory.

Its runs take turns too, the shortest counts, and each is checked against the totals of the
corpus it read.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import bench_corpus
import loops
import memory
import sessionscan as ss
from contenders import LEAN, corpus_figures
from targets import verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

LEAN_RUN, CORE, TEXT = "usage + tool_calls", "core tables", "core tables and text"
ONE_FILE, ONE_FILE_ALONE, QUARTER = "one file", "one file, 1 thread", "a quarter of the bytes"

MEMORY_SIZE = 1_990_000_000


class Own(NamedTuple):
    """A scan that is timed: what it reads, how, and the totals that it must find."""

    folder: Path
    scan: Callable[[Path], ss.Corpus]
    totals: dict[str, Any]


def lines(size: int, repeats: int) -> list[str]:
    """Return a line for each ratio, on corpora of `size` bytes."""
    many, single = bench_corpus.folder(size), bench_corpus.folder(size, files=1)
    runs = scans(many, single, bench_corpus.folder(size // 4))
    best = measure(runs, repeats)
    growth = runs[LEAN_RUN].totals["bytes"] / runs[QUARTER].totals["bytes"]
    return [*ratios(best, growth), *private_memory(many)]


def scans(many: Path, single: Path, quarter: Path) -> dict[str, Own]:
    """Return what is timed: each way to scan, and the corpus for it."""
    lean = partial(ss.scan, engine="rust", tables=LEAN)
    core = partial(ss.scan, engine="rust", threads=2)
    ways = {
        LEAN_RUN: (many, partial(lean, threads=2)),
        CORE: (many, core),
        TEXT: (many, partial(core, text=True)),
        ONE_FILE: (single, partial(lean, threads=2)),
        ONE_FILE_ALONE: (single, partial(lean, threads=1)),
        QUARTER: (quarter, partial(lean, threads=2)),
    }
    return {
        name: Own(folder, scan, bench_corpus.totals(folder))
        for name, (folder, scan) in ways.items()
    }


def measure(runs: dict[str, Own], repeats: int) -> dict[str, float]:
    """Return the shortest time of each scan, in seconds."""
    best = dict.fromkeys(runs, float("inf"))
    for folder in {run.folder for run in runs.values()}:
        loops.count_lines(folder)
    for _ in range(repeats):
        for name, run in runs.items():
            start = time.perf_counter()
            corpus = run.scan(run.folder)
            best[name] = min(best[name], time.perf_counter() - start)
            if corpus_figures(corpus) != loops.expected(run.totals):
                sys.exit(f"{name} does not find the generator's totals: its time means nothing")
    return best


def ratios(best: dict[str, float], growth: float) -> list[str]:
    """Return the ratios; `growth` is how many times the bytes of a quarter the whole has."""
    core, text = best[CORE] / best[LEAN_RUN], best[TEXT] / best[LEAN_RUN]
    second = best[ONE_FILE_ALONE] / best[ONE_FILE]
    # The corpora are of about the sizes asked for: the rest is taken as linear.
    more = best[LEAN_RUN] / best[QUARTER] * 4 / growth
    return [
        f"all core tables over {LEAN_RUN}: {core:.2f}  {verdict(core, 1.6, 1.25, at_most=True)}",
        f"the same with message text: {text:.2f}  {verdict(text, 2.2, 1.5, at_most=True)}",
        f"second core on one file: {second:.2f} times as fast  {verdict(second, 1.5, 1.8)}",
        f"time from n to 4n bytes: {more:.2f}  {verdict(more, 4.2, 4.0, at_most=True)}",
    ]


def private_memory(folder: Path) -> list[str]:
    """Return the peak of the process's own memory beyond the tables that it returned."""
    corpus = ss.scan(folder, tables=LEAN)
    tables = sum(_bytes(table) for table in (corpus.usage, corpus.tool_calls))
    own = memory.peak(folder, "rust", threads=2, tables=LEAN)["own"]
    beyond = (own - tables) / 1e6
    said = verdict(round(beyond), 64, 32, at_most=True)
    lines = [f"own memory beyond {tables / 1e6:.0f} MB of tables: {beyond:.0f} MB  {said}"]
    if bench_corpus.totals(folder)["bytes"] < MEMORY_SIZE:
        lines.append("  that target is of a corpus of 2 GB: --size 2GB")
    return lines


def _bytes(table: pa.Table) -> int:
    return int(table.get_total_buffer_size())
