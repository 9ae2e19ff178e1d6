"""Fail where the lean scan has become slower: python benches/guard.py.

Two things are looked at, neither of which a busy machine disturbs: how many times as fast as
msgspec the scan is, measured in turns in one run, and how many instructions it takes. The
instructions of a compiler are its own: they are compared where this one's are on record, in
benches/instructions.toml, and written there with --record.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import bench_corpus
import peers
from generate import size
from peer_jobs import PEERS
from sessionscan import _core

HERE = Path(__file__).parent
RECORD = HERE / "instructions.toml"
# Both on one thread, so that a second core which is busy says nothing. What is below this has
# lost something; README.md has what was measured.
TIMES_MSGSPEC = 1.3
RUNS = 5
# How much of the instructions on record a change may add, or save without a word.
TOLERANCE = 0.03
TABLES = ("usage", "tool_calls")


def ratio(corpus_size: int) -> str | None:
    """Print how many times as fast as msgspec we are; return what is wrong with that.

    A machine that is shared slows one of the two down for a while: only what is slower in every
    one of several runs is slower.
    """
    peer = {"msgspec": PEERS["msgspec"]}
    if peer["msgspec"].absent:
        return f"msgspec is missing: {peer['msgspec'].absent}"
    for _ in range(RUNS):
        best = peers.measure(bench_corpus.folder(corpus_size), peer, repeats=5)
        run, ours = best["msgspec"], best[peers.ONE]
        if isinstance(run, peers.Failed):
            return f"msgspec failed: {run.reason}"
        if isinstance(ours, peers.Failed):
            return f"the scan failed: {ours.reason}"
        times = run.seconds / ours.seconds
        print(f"{times:.2f} times as fast as msgspec; at least {TIMES_MSGSPEC:g} is asked")
        if times >= TIMES_MSGSPEC:
            return None
    return "slower beside msgspec than it was, in every run"


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command, cwd=HERE.parent, capture_output=True, text=True, check=True
    )


def compiler() -> str:
    """Return what the instructions depend on besides the code."""
    said = _run("rustc", "-vV").stdout
    found = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
    return f"rustc {found['release']} {found['host']} {_core.machines()[-1]}"


def counted(folder: Path) -> int:
    """Return the instructions of a scan by the example program."""
    _run("cargo", "build", "--release", "--locked", "--example", "scan")
    known = _run("cargo", "metadata", "--format-version=1", "--no-deps", "--locked").stdout
    program = Path(json.loads(known)["target_directory"]) / "release" / "examples" / "scan"
    with tempfile.TemporaryDirectory() as scratch:
        callgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out")
        said = _run(*callgrind, program, folder, *TABLES).stderr
    found = re.search(r"Collected : (\d+)", said)
    if found is None:
        raise RuntimeError(f"callgrind counted nothing: {said[-300:]}")
    return int(found[1])


def instructions(corpus_size: int, *, record: bool) -> str | None:
    """Print how many instructions a scan takes; return what is wrong with that."""
    if shutil.which("valgrind") is None:
        print("instructions: not counted, there is no valgrind here")
        return None
    known = tomllib.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    folder = bench_corpus.folder(corpus_size)
    name, count = compiler(), counted(folder)
    if record:
        known[name] = {folder.name: count}
        _write(known)
    before = known.get(name, {}).get(folder.name)
    if before is None:
        print(f"{count:,} instructions; none are on record for {name}")
        return None
    change = count / before - 1
    print(f"{count:,} instructions, {change:+.1%} of those on record for {name}")
    if change > TOLERANCE:
        return f"{change:.1%} more instructions than on record"
    if change < -TOLERANCE:
        return f"{-change:.1%} fewer instructions: record that with --record"
    return None


def _write(known: dict[str, dict[str, int]]) -> None:
    lines = ["# Instructions of a lean scan, by compiler and corpus; see guard.py.\n"]
    for name, counts in sorted(known.items()):
        lines.append(f'\n["{name}"]\n')
        lines += [f'"{corpus}" = {count}\n' for corpus, count in counts.items()]
    RECORD.write_text("".join(lines), encoding="utf-8")


def main() -> int:
    """Look at both; say what is wrong with either."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=size, default=size("20MB"))
    parser.add_argument("--record", action="store_true", help="put the instructions on record")
    options = parser.parse_args()
    wrong = [
        *filter(None, [instructions(options.size, record=options.record)]),
        *filter(None, [ratio(options.size)]),
    ]
    for what in wrong:
        print(f"guard: {what}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
