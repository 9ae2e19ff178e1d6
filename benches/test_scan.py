"""pytest benches/test_scan.py: rust, reference and plain loops over one generated corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bench_corpus
import loops
import pytest
from contenders import CONTENDERS

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture


@pytest.fixture(scope="module")
def corpus() -> Path:
    """Return the corpus, read once so that every contender finds it in the page cache."""
    folder = bench_corpus.folder(bench_corpus.asked_size())
    assert loops.count_lines(folder) == bench_corpus.totals(folder)["records"]
    return folder


@pytest.mark.parametrize("name", CONTENDERS)
def test_scan(benchmark: BenchmarkFixture, corpus: Path, name: str) -> None:
    """Time one contender; its figures must be the generator's."""
    contender = CONTENDERS[name]
    totals = bench_corpus.totals(corpus)
    benchmark.group = contender.group
    benchmark.extra_info["bytes"] = totals["bytes"]
    rounds = 1 if contender.slow else 5
    found = benchmark.pedantic(contender.run, args=(corpus,), rounds=rounds, iterations=1)
    assert contender.figures(found) == loops.expected(totals)


def test_count_lines(benchmark: BenchmarkFixture, corpus: Path) -> None:
    """Time reading the bytes and counting LF: no reader of lines is quicker."""
    benchmark.group = "floor"
    lines = benchmark.pedantic(loops.count_lines, args=(corpus,), rounds=5, iterations=1)
    assert lines == bench_corpus.totals(corpus)["records"]
