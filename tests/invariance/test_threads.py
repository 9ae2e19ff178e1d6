"""The tables never depend on the number of threads, on chance, or on how bytes are read."""

from __future__ import annotations

import pytest
from corpora import generate
from invariance.corpus import write, write_rollouts
from parity.compare import assert_equal, scan


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    odd, made = tmp_path_factory.mktemp("odd"), tmp_path_factory.mktemp("made")
    write(odd)
    write_rollouts(odd / "codex")
    generate(made, size=3_000_000, seed=21, variety=20)
    return {"odd": odd, "generated": made}


@pytest.fixture(scope="module", params=["odd", "generated"])
def alone(request, sources):
    """Return a corpus's folder with its tables as one thread computes them."""
    folder = sources[request.param]
    return folder, scan(folder, "rust", threads=1, mmap="never", text=True)


@pytest.mark.parametrize("threads", [2, 8, None])
def test_threads(alone, threads):
    folder, expected = alone
    assert_equal(scan(folder, "rust", threads=threads, mmap="never", text=True), expected)


@pytest.mark.parametrize("mmap", ["auto", "always"])
def test_mapping(alone, mmap):
    folder, expected = alone
    assert_equal(scan(folder, "rust", threads=2, mmap=mmap, text=True), expected)


def test_again(alone):
    folder, expected = alone
    for _ in range(5):
        assert_equal(scan(folder, "rust", threads=8, text=True), expected)


def test_tables_one_at_a_time(alone):
    """A table asked for alone is the table computed with all others."""
    import sessionscan as ss  # noqa: PLC0415

    folder, expected = alone
    for name in expected.table_names:
        corpus = ss.scan(folder, tables=[name], threads=2, text=True)
        assert corpus.table(name).equals(expected.table(name), check_metadata=True), name
