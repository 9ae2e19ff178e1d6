"""One file cut into chunks at any place gives the tables of the whole file."""

from __future__ import annotations

import pytest
from corpora import generate
from invariance.corpus import SESSION, odd_file, write_rollouts
from invariance.extension import assert_same, scanned


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    path = tmp_path_factory.mktemp("cuts") / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    path.write_bytes(odd_file())
    return path, scanned(path)


def test_the_odd_file_has_something_to_lose(odd):
    _, (tables, coverage) = odd
    codes = set(tables["diagnostics"]["code"].to_pylist())
    repaired = {"bom", "nul_run", "glued_records", "torn_prefix", "invalid_utf8", "pending_tail"}
    joined = {"usage_conflict", "uuid_conflict", "duplicate_tool_use_id", "orphan_tool_result"}
    assert repaired | joined <= codes
    assert coverage["lines_lost"] > 0


@pytest.mark.parametrize("start", range(1, 201, 20))
def test_every_small_chunk(odd, start):
    path, expected = odd
    for chunk_bytes in range(start, start + 20):
        assert_same(scanned(path, chunk_bytes=chunk_bytes), expected)


@pytest.fixture(scope="module")
def threads(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads")
    write_rollouts(folder)
    return folder, scanned(folder)


def test_threads_have_something_to_lose(threads):
    _, (tables, _) = threads
    assert sum(tables["files"]["replays"].to_pylist()) == 8
    assert tables["usage"]["input_tokens"].to_pylist() == [60, 10, 20, 0, 1]
    assert tables["tool_calls"]["n_results"].to_pylist() == [1]


@pytest.mark.parametrize("start", range(1, 301, 30))
def test_every_small_chunk_of_threads(threads, start):
    folder, expected = threads
    for chunk_bytes in range(start, start + 30):
        assert_same(scanned(folder, chunk_bytes=chunk_bytes), expected)


@pytest.mark.parametrize("chunk_bytes", [997, 4_096, 65_537, 300_000])
def test_chunks_of_a_larger_file(chunk_bytes, tmp_path):
    generate(tmp_path, size=1_000_000, seed=31, files=1, variety=20)
    expected = scanned(tmp_path, chunk_bytes=10**9, threads=1)
    assert_same(scanned(tmp_path, chunk_bytes=chunk_bytes, threads=8), expected)


def test_chunks_of_a_file_that_ends_in_blank_lines(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_bytes(odd_file().replace(b'{"still being writ', b"\n \n\r\n\n"))
    expected = scanned(path)
    for chunk_bytes in range(1, 60):
        assert_same(scanned(path, chunk_bytes=chunk_bytes), expected)
