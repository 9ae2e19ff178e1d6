"""Print how long a search takes beside `rg -c`: python benches/searching.py --size 500MB.

They take turns in one run, and the shortest of their runs counts. A rare word may take three
times as long as `rg -c`, a common one no longer than the scan of the default tables; else the
status is 1. What is found is checked first, against the lines that `rg` names as the reference
reads them one by one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import bench_corpus
import sessionscan as ss
from generate import size
from sessionscan.patterns import literal
from sessionscan.reference.decode import decode
from sessionscan.reference.search import Query
from sessionscan.reference.search_segments import segments
from sessionscan.reference.split import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Words of the generator: none, a few dozen, and one in a fifth of all records.
ABSENT, RARE, COMMON = "lanternfish", "monitor", "orchard"
AT_MOST = 3.0
# So many lines of a common word are read again.
CHECKED = 400


def lines_with(folder: Path, word: str) -> Iterator[bytes]:
    """Yield the lines in which a word stands as it is, in any case."""
    command = ["rg", "-i", "-N", "-I", "--no-ignore", "--hidden", "--sort=path", "-g*.jsonl", word]
    found = subprocess.run([*command, str(folder)], check=False, stdout=subprocess.PIPE)  # noqa: S603
    yield from found.stdout.splitlines()


def check(folder: Path, word: str) -> None:
    """Compare what is found with what a full parse of the lines finds."""
    hits = ss.search(word, folder).hits
    found = set(zip(hits["snippet"].to_pylist(), hits["snippet_start"].to_pylist(), strict=True))
    query = Query([literal(word, folds=True)], is_any_enough=False, folds=True)
    named = list(lines_with(folder, word))
    step = max(len(named) // CHECKED, 1)
    parsed = set()
    for data in named[::step]:
        line = decode(Line(1, 1, data, is_ended=True), None)
        for record, obj in zip(line.records, line.objects, strict=True):
            texts = query.search(segments(record, obj))
            parsed |= {(text.snippet, text.snippet_start) for text in texts}
    if not parsed <= found or (step == 1 and parsed != found):
        sys.exit(f"a search for {word!r} finds other texts than a full parse: its time is no time")


def count_lines(folder: Path, word: str, *options: str) -> None:
    """Run `rg -c`, which ends with 1 where nothing is found."""
    command = ["rg", "-c", "--no-ignore", "--hidden", *options, word, str(folder)]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)  # noqa: S603


def measure(folder: Path, repeats: int) -> dict[str, float]:
    """Return the shortest time of each job, in seconds."""
    jobs: dict[str, Callable[[], object]] = {"scan": lambda: ss.scan(folder)}
    for word in (ABSENT, RARE, COMMON):
        jobs[f"rg -c {word}"] = lambda word=word: count_lines(folder, word)  # type: ignore[misc]
        jobs[f"rg -c -i {word}"] = lambda word=word: count_lines(folder, word, "-i")  # type: ignore[misc]
        jobs[f"search {word}"] = lambda word=word: ss.search(word, folder)  # type: ignore[misc]
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> int:
    """Measure and print; 1 where a search is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=size, default=bench_corpus.asked_size())
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    if shutil.which("rg") is None:
        sys.exit("there is no rg to compare with")
    folder = bench_corpus.folder(options.size)
    for word in (ABSENT, RARE, COMMON):
        check(folder, word)
    best = measure(folder, options.repeats)
    ratios = [best[f"search {word}"] / best[f"rg -c {word}"] for word in (ABSENT, RARE)]
    common = best[f"search {COMMON}"] / best["scan"]
    for name, seconds in best.items():
        print(f"{name:24} {seconds:7.3f}")
    print(f"a rare word takes {max(ratios):.2f} times as long as rg -c (limit {AT_MOST})")
    print(f"a common word takes {common:.2f} times as long as the scan (limit 1)")
    return int(max(ratios) > AT_MOST or common > 1)


if __name__ == "__main__":
    sys.exit(main())
