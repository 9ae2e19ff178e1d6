"""Whoever folds the files, the tables are those of a scan in this process, to the cell."""

import gzip
from pathlib import Path

import pytest
import sessionscan as ss
from api.transcripts import GARDEN, lines, record, write_home
from corpora import generate
from filesystem.handlers import Flaky, filesystem
from hypothesis import HealthCheck, given, settings
from hypothesis_corpora.files import corpora
from hypothesis_corpora.test_ways_to_a_table import EXAMPLES
from parity.compare import assert_equal, scan
from pyarrow import fs
from sessionscan import remote, tasks
from sessionscan.schema import ALL_TABLE_NAMES

FIXTURES = Path(__file__).parents[2] / "fixtures"
HOMES = sorted(path for path in (FIXTURES / "claude").iterdir() if path.is_dir())

pytestmark = pytest.mark.usefixtures("small_tasks")


def assert_same(sources, executor, **options):
    """Compare with a scan in this process, which is returned."""
    plain = scan(sources, "rust", **options)
    assert_equal(scan(sources, "rust", executor=executor, **options), plain)
    return plain


def test_each_home_of_the_fixtures(executor):
    assert len(HOMES) > 10
    for home in HOMES:
        assert_same(str(home), executor, text=True)


@pytest.mark.parametrize("copies", ["collapse", "keep"])
def test_all_homes_at_once_in_either_order(executor, copies):
    homes = [str(home) for home in HOMES]
    assert len(ss.plan(homes, task_bytes=tasks.TASK_BYTES).tasks) > len(homes)
    plain = assert_same(homes, executor, copies=copies)
    assert_same(homes[::-1], executor, copies=copies, max_line_bytes=700)
    codes = set(plain.diagnostics["code"].to_pylist())
    assert ("diverging_copy" in codes) == (copies == "collapse")
    assert {"decompress_error", "pending_tail", "orphan_tool_result"} <= codes


def test_generated_corpora_with_forks_copies_and_subagents(executor, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "TASK_BYTES", 60_000)
    for seed in (1, 2):
        home = tmp_path / str(seed)
        home.mkdir()
        generate(home, size=2_000_000, seed=seed, variety=8.0)
        assert len(ss.plan(home, task_bytes=tasks.TASK_BYTES).tasks) > 20
        plain = assert_same(str(home), executor, text=True)
        assert plain.links.num_rows
        assert plain.agents.num_rows


@settings(
    max_examples=max(EXAMPLES // 5, 10),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(corpora(damage=True))
def test_any_corpus(made):
    """In this process, where every task is cheap: that others can fold is tested above."""
    with made.on_disk() as roots:
        plan = ss.plan(roots, tables=ALL_TABLE_NAMES, text=True, task_bytes=200)
        joined = plan.join(ss.fold(task) for task in reversed(plan.tasks))
        assert_equal(joined, scan(roots, "rust", text=True))


def test_whichever_tables_are_asked_for(executor, monkeypatch):
    monkeypatch.setattr(tasks, "TASK_BYTES", 40_000)
    for name in ALL_TABLE_NAMES:
        corpus = ss.scan(FIXTURES / "corpus", tables=[name], executor=executor)
        plain = ss.scan(FIXTURES / "corpus", tables=[name])
        for given_ in {name, "files", "diagnostics"}:
            ours = corpus.table(given_)
            assert ours.equals(plain.table(given_), check_metadata=True), (name, given_)
        assert corpus.coverage == plain.coverage


def test_one_large_file_is_work_for_many(executor, tmp_path):
    moments = (f"2026-03-01T22:{minute:02}:00Z" for minute in range(60))
    records = [record("user", GARDEN, moment, pad="x" * 1500) for moment in moments]
    text = lines(*records).replace(b"\n", b"\n{broken\n", 7)
    (tmp_path / f"{GARDEN}.jsonl").write_bytes(text)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(text))
    plan = ss.plan(tmp_path, task_bytes=tasks.TASK_BYTES)
    ranges = [lines for task in plan.tasks for _, lines, _ in task.units if lines]
    assert len(ranges) == len(plan.tasks) - 1 > 20
    assert_same(str(tmp_path), executor)


def test_relative_paths_lead_workers_to_the_same_files(executor, tmp_path, monkeypatch):
    """Processes that began elsewhere look from there."""
    write_home(tmp_path)
    executor.submit(abs, 1).result()
    monkeypatch.chdir(tmp_path)
    plain = assert_same("home", executor)
    assert plain.coverage.files_read == 3
    assert plain.files["path"][0].as_py().startswith("home/")


def test_names_that_are_not_utf_8(executor, tmp_path):
    home = write_home(tmp_path)
    path = next(home.rglob("*.jsonl"))
    path.rename(str(path.parent / "a\udcff.jsonl"))
    assert_same(str(home), executor)


def test_a_file_system_goes_with_the_tasks(executor):
    disk = fs.SubTreeFileSystem(str(FIXTURES), fs.LocalFileSystem())
    assert_same("corpus", executor, filesystem=disk, text=True)
    assert_same((FIXTURES / "claude" / "copies").as_uri(), executor)


def test_one_that_fails_now_and_then_and_cannot_be_pickled(monkeypatch, executor):
    monkeypatch.setattr(remote, "_FIRST_PAUSE", 0.001)
    handler = Flaky(FIXTURES, 3)
    if "Thread" in type(executor).__name__:
        plain = scan("corpus", "rust", filesystem=filesystem(Flaky(FIXTURES, 1)))
        assert_equal(
            scan("corpus", "rust", filesystem=filesystem(handler), executor=executor), plain
        )
        assert handler.failures > 5
    else:
        with pytest.raises(ValueError, match=r"PyFileSystem\) cannot be sent to other processes"):
            ss.scan("corpus", filesystem=filesystem(handler), executor=executor)
    with pytest.raises(ValueError, match="cannot be sent to other processes"):
        ss.plan("corpus", filesystem=filesystem(handler))


def test_tables_that_are_computed_later_need_no_executor(executor):
    corpus = ss.scan(FIXTURES / "corpus", tables=["usage"], executor=executor)
    plain = ss.scan(FIXTURES / "corpus", tables=["usage"])
    assert corpus.sessions.equals(plain.sessions, check_metadata=True)


def test_threads_read_within_a_task(executor):
    assert_same(str(FIXTURES / "corpus"), executor, threads=2)


def test_progress_reaches_its_end(executor):
    seen = []
    corpus = ss.scan(
        FIXTURES / "corpus", executor=executor, on_progress=lambda *numbers: seen.append(numbers)
    )
    files, total, bytes_, all_bytes = seen[-1]
    assert (files, bytes_) == (total, all_bytes) == (16, corpus.coverage.bytes)
    assert seen == sorted(seen)


def test_a_strict_scan_names_the_first_error(executor, tmp_path):
    home = write_home(tmp_path)
    with pytest.raises(ss.StrictError) as plain:
        ss.scan(home, strict=True)
    with pytest.raises(ss.StrictError) as caught:
        ss.scan(home, strict=True, executor=executor)
    assert str(caught.value) == str(plain.value)
