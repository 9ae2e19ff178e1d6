"""Print how the lean scan compares with what else reads transcripts: python benches/peers.py.

Every peer that is installed computes usage once per response and tool pairs from one corpus, as
far as it can. They take turns, the shortest run of each counts, and a peer whose totals are not
the generator's is said to differ: its time is that of another job.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import bench_corpus
import loops
import own_targets
from contenders import CONTENDERS
from generate import size
from peer_jobs import PEERS, Peer, differences, floors
from targets import verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TWO, ONE = "rust lean, 2 threads", "rust lean, 1 thread"
OURS = (TWO, ONE)
LF, WC = "read and count LF", "wc -l"


class Run(NamedTuple):
    """The shortest run of a name, and what its totals have that the generator's have not."""

    seconds: float
    differs: tuple[str, ...] = ()


class Failed(NamedTuple):
    """A name that did not come to its end, and why."""

    reason: str


def all_expected(totals: dict[str, Any]) -> dict[str, Any]:
    """Return what any of the runs may be asked for."""
    return loops.expected(totals) | {
        "corpus": {name: totals["corpus"][name] for name in loops.FLAT},
        "three": {
            "input": totals["corpus"]["input_tokens"],
            "output": totals["corpus"]["output_tokens"],
            "cache": totals["corpus"]["cache_creation_input_tokens"]
            + totals["corpus"]["cache_read_input_tokens"],
        },
        "lines": totals["records"],
    }


def jobs(peers: dict[str, Peer]) -> dict[str, Callable[[Path], dict[str, Any]]]:
    """Return everything that is timed, the floors first."""
    found: dict[str, Callable[[Path], dict[str, Any]]] = {
        LF: lambda folder: {"lines": loops.count_lines(folder)}
    }
    if floors.wc_absent() is None:
        found[WC] = lambda folder: {"lines": floors.wc(folder)}
    # What the tables say is asked of them after the clock has stopped.
    found |= {name: CONTENDERS[name].run for name in OURS}
    return found | {name: peer.run for name, peer in peers.items() if peer.absent is None}


def measure(folder: Path, peers: dict[str, Peer], repeats: int) -> dict[str, Run | Failed]:
    """Return the shortest run of each, in turns."""
    expected = all_expected(bench_corpus.totals(folder))
    loops.count_lines(folder)
    best: dict[str, Run | Failed] = {}
    todo = jobs(peers)
    for _ in range(repeats):
        for name, run in todo.items():
            held = best.get(name)
            if isinstance(held, Failed):
                continue
            place = peers[name].place if name in peers else nullcontext
            with place(folder) as home:
                latest = _timed(home, name, run, expected)
            if held is None or isinstance(latest, Failed) or latest.seconds < held.seconds:
                best[name] = latest
    return best


def _timed(
    folder: Path, name: str, run: Callable[[Path], Any], expected: dict[str, Any]
) -> Run | Failed:
    start = time.perf_counter()
    try:
        found = run(folder)
    except Exception as error:  # noqa: BLE001 - a peer's failure is a line of the table
        return Failed(f"{type(error).__name__}: {error}".splitlines()[0][:120])
    seconds = time.perf_counter() - start
    figures = CONTENDERS[name].figures(found) if name in OURS else found
    differs = tuple(differences(figures, expected))
    if differs and name in OURS:
        sys.exit(f"{name} does not find the generator's totals: {'; '.join(differs)}")
    return Run(seconds, differs)


def times(best: dict[str, Run | Failed], total: int) -> list[str]:
    """Return the table of seconds and speeds."""
    lines = [f"{'':22} {'seconds':>9} {'MB/s':>8}"]
    for name, run in best.items():
        if isinstance(run, Run):
            lines.append(f"{name:22} {run.seconds:9.3f} {total / run.seconds / 1e6:8.0f}")
    return lines


def ratios(best: dict[str, Run | Failed], peers: dict[str, Peer]) -> list[str]:
    """Return a line for each peer: how many times as fast we are, or why that is not known."""
    lines = [f"{'times as fast as':16} {'2 threads':>9} {'1 thread':>9}  targets of 2 threads"]
    for name, peer in peers.items():
        run = best.get(name)
        if isinstance(run, Run):
            lines += _ratio(name, peer, run, best)
        else:
            reason = f"failed, {run.reason}" if run else f"skipped, {peer.absent}"
            lines.append(f"{name:16} {reason}")
    return lines


def _ratio(name: str, peer: Peer, run: Run, best: dict[str, Run | Failed]) -> list[str]:
    two, one = (run.seconds / _seconds(best, ours) for ours in OURS)
    said = verdict(two, peer.must, peer.aim)
    lines = [f"{name:16} {two:9.1f} {one:9.1f}  {said:34}  {peer.counts}"]
    if run.differs:
        lines.append(f"{'':16} DIFFERS, so this is another job: {_shortened(run.differs)}")
    return lines


def _seconds(best: dict[str, Run | Failed], name: str) -> float:
    run = best[name]
    if isinstance(run, Failed):
        sys.exit(f"{name} failed: {run.reason}")
    return run.seconds


def _shortened(differs: tuple[str, ...]) -> str:
    more = f"; and {len(differs) - 4} more" if len(differs) > 4 else ""
    return "; ".join(differs[:4]) + more


def against_floors(best: dict[str, Run | Failed], total: int, lf_speed: float) -> list[str]:
    """Return how near the lean scan is to merely looking at the bytes."""
    two, one = (_seconds(best, name) for name in OURS)
    wc = best.get(WC)
    if isinstance(wc, Run):
        over = two / wc.seconds
        lines = [f"wall over wc -l on the same list: {over:.2f}  "]
        lines[0] += verdict(over, 2.0, 1.2, at_most=True)
    else:
        lines = [f"wall over wc -l: skipped, {wc.reason if wc else floors.wc_absent()}"]
    speed = total / one / 1e9
    scaled = speed * floors.LF_GBS / lf_speed
    seen = f"  where LF splitting shows {floors.LF_GBS:g}, not {lf_speed:.1f} as here: {scaled:.2f}"
    lines += [
        f"one core: {speed:.2f} GB/s",
        f"{seen}  {verdict(scaled, 1.8, 3.0)}",
        f"second core on many files: {one / two:.2f} times as fast",
    ]
    return lines


def main() -> int:
    """Measure what is installed and print it; missed targets are printed, not failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=size, default=bench_corpus.asked_size())
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--only", nargs="*", choices=list(PEERS), help="these peers")
    parser.add_argument("--no-own", action="store_true", help="leave our own ratios out")
    options = parser.parse_args()
    folder = bench_corpus.folder(options.size)
    totals = bench_corpus.totals(folder)
    peers = {name: PEERS[name] for name in options.only or PEERS}
    print(f"{totals['bytes']:,} bytes, {totals['files']:,} files, {totals['records']:,} records")
    best = measure(folder, peers, options.repeats)
    print("\n".join(times(best, totals["bytes"])))
    print("\n".join(ratios(best, peers)))
    print("\n".join(against_floors(best, totals["bytes"], floors.lf_speed(folder))))
    if not options.no_own:
        print("\n".join(own_targets.lines(options.size, options.repeats)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
