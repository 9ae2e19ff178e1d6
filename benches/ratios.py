"""Print how fast each contender is, and how they compare: python benches/ratios.py --size 500MB.

Contenders take turns, so that a slow minute of the machine slows all of them; the shortest of
their runs counts. Every result is checked against the generator's totals before it is printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

import bench_corpus
import loops
import memory
from contenders import CONTENDERS, DEFAULT, EVERY, LEAN, SOME
from generate import size

if TYPE_CHECKING:
    from pathlib import Path

FLOOR = "read and count LF"
# The slowest of each group is what the others are measured by.
BASES = {DEFAULT: "reference", SOME: "json.loads loop"}

# What may be: the cost of every table, in times of the default ones.
ONE_SET, ALL_SETS = "rust, 2 threads", "rust, every table"
AT_MOST = 1.6
# One binary takes up to 30 % longer from one minute to the next.
NOISE = 1.3


def measure(folder: Path, names: list[str], repeats: int) -> dict[str, float]:
    """Return the shortest time of each contender, in seconds."""
    best = dict.fromkeys([FLOOR, *names], float("inf"))
    expected = loops.expected(bench_corpus.totals(folder))
    loops.count_lines(folder)
    for turn in range(repeats):
        best[FLOOR] = min(best[FLOOR], _timed(folder, None, expected))
        for name in names:
            if turn == 0 or not CONTENDERS[name].slow:
                best[name] = min(best[name], _timed(folder, name, expected))
    return best


def _timed(folder: Path, name: str | None, expected: dict[str, object]) -> float:
    run = loops.count_lines if name is None else CONTENDERS[name].run
    start = time.perf_counter()
    found = run(folder)
    seconds = time.perf_counter() - start
    if name is not None and CONTENDERS[name].figures(found) != expected:
        sys.exit(f"{name} does not find the generator's totals: its time means nothing")
    return seconds


def speeds(best: dict[str, float], total: int) -> list[str]:
    """Return the table of times, speeds and ratios."""
    lines = [f"{'':24} {'seconds':>9} {'MB/s':>9}  times as fast"]
    for name, seconds in best.items():
        line = f"{name:24} {seconds:9.3f} {total / seconds / 1e6:9.0f}"
        base = BASES.get(CONTENDERS[name].group) if name in CONTENDERS else None
        if base in best:
            line += f"  {best[base] / seconds:7.1f} of {base}"
        lines.append(line)
    return lines


def scaling(best: dict[str, float]) -> list[str]:
    """Return how much faster two threads are than one."""
    pairs = (("rust", DEFAULT), ("rust lean", SOME))
    lines = []
    for name, what in pairs:
        one, two = f"{name}, 1 thread", f"{name}, 2 threads"
        if one in best and two in best:
            lines.append(f"2 threads are {best[one] / best[two]:.2f} times as fast: {what}")
    return lines


def cost_of_every_table(best: dict[str, float]) -> float | None:
    """Return how many times as long every table takes as the default ones."""
    if ONE_SET not in best or ALL_SETS not in best:
        return None
    return best[ALL_SETS] / best[ONE_SET]


def memories(folder: Path) -> list[str]:
    """Return the peak memory of the Rust engine's jobs."""
    lines = [f"{'peak memory in MB':24} {'resident':>9} {'own':>9}"]
    for name, options in (
        (DEFAULT, {}),
        (f"{DEFAULT}, not mapped", {"mmap": "never"}),
        (EVERY, {"tables": "all"}),
        (SOME, {"tables": LEAN}),
    ):
        found = memory.peak(folder, "rust", threads=2, **options)
        lines.append(f"{name:24} {found['resident'] / 1e6:9.0f} {found['own'] / 1e6:9.0f}")
    return lines


def main() -> int:
    """Measure what was asked for and print it; 1 where every table costs far too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=size, default=bench_corpus.asked_size())
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=list(CONTENDERS), help="these contenders")
    parser.add_argument("--no-slow", action="store_true", help="leave the reference out")
    parser.add_argument("--no-memory", action="store_true")
    options = parser.parse_args()
    folder = bench_corpus.folder(options.size)
    totals = bench_corpus.totals(folder)
    names = [
        name
        for name in options.only or CONTENDERS
        if not (options.no_slow and CONTENDERS[name].slow)
    ]
    print(f"{totals['bytes']:,} bytes, {totals['files']:,} files, {totals['records']:,} records")
    best = measure(folder, names, options.repeats)
    print("\n".join([*speeds(best, totals["bytes"]), *scaling(best)]))
    cost = cost_of_every_table(best)
    if cost is not None:
        print(f"every table takes {cost:.2f} times as long as the default ones (limit {AT_MOST})")
    if not options.no_memory:
        print("\n".join(memories(folder)))
    return int(cost is not None and cost > AT_MOST * NOISE)


if __name__ == "__main__":
    sys.exit(main())
