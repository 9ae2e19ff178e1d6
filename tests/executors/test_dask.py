"""Workers of Dask in processes of their own, one of which dies."""

import concurrent.futures
import os
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.readme import ROOT, blocks, program_output
from corpora import generate
from dask.base import tokenize
from distributed import Client, LocalCluster
from executors.killing import Killing
from parity.compare import assert_equal, difference, scan
from sessionscan import executors, tasks

# A cluster has its port for HTTP, and a second one another.
pytestmark = pytest.mark.filterwarnings("ignore:Port 8787 is already in use")

FIXTURES = ROOT / "fixtures"
PAGE = ROOT / "docs" / "executors.md"


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Fixtures and a generated corpus, so that copies, forks and pairs lie in different tasks."""
    monkeypatch.setattr(tasks, "TASK_BYTES", 40_000)
    home = tmp_path / "home"
    home.mkdir()
    generate(home, size=1_000_000, seed=3, variety=8.0)
    return [str(home), str(FIXTURES / "claude"), str(FIXTURES / "corpus")]


def test_processes_of_a_cluster_give_the_same_tables(client, sources):
    corpus = scan(sources, "rust", text=True, executor=client.get_executor())
    assert_equal(corpus, scan(sources, "rust", text=True))


def test_so_they_do_where_one_is_killed_in_the_middle(client, sources, tmp_path):
    count = len(ss.plan(sources, task_bytes=tasks.TASK_BYTES).tasks)
    assert count > 30
    pids = set(client.run(os.getpid).values())
    killing = Killing(client.get_executor(), tmp_path, middle=count // 2)
    reached = []
    corpus = scan(
        sources,
        "rust",
        text=True,
        executor=killing,
        on_progress=lambda files, *_: reached.append(files),
    )
    killing.killer.join()
    assert killing.killed in pids
    assert reached[-1] == corpus.coverage.files_found - _not_read(corpus)
    assert_equal(corpus, scan(sources, "rust", text=True))


def test_parquet_files_are_the_same_where_one_is_killed(client, sources, tmp_path, monkeypatch):
    monkeypatch.setattr(executors, "SEGMENT_BYTES", 640_000)
    killing = Killing(client.get_executor(), tmp_path, middle=7)
    written = ss.to_parquet(sources, tmp_path / "out", tables=["usage", "links"], executor=killing)
    killing.killer.join()
    assert killing.killed
    corpus = ss.scan(sources, tables=["usage", "links"])
    assert written.coverage == corpus.coverage
    for name, path in written.paths.items():
        read = pq.read_table(path).unify_dictionaries()
        assert difference(name, read, corpus.table(name)) is None


def test_a_task_is_known_by_its_plan_and_number():
    one, other = (ss.plan(FIXTURES / "corpus", task_bytes=50_000).tasks for _ in range(2))
    tokens = {tokenize(task) for task in (*one, *other)}
    assert len(tokens) == 2 * len(one) > 2
    assert tokenize(replace(one[0], units=[])) == tokenize(one[0])


def _not_read(corpus):
    """Count what is no regular file, which no task reads."""
    return corpus.diagnostics["code"].to_pylist().count("not_a_file")


def test_facts_are_not_those_of_an_earlier_scan(client, tmp_path):
    """Dask gives equal calls one result for as long as somebody holds it."""
    path = tmp_path / "a.jsonl"
    executor = client.get_executor()
    path.write_bytes(b'{"type":"user"}\n')
    first = ss.scan(path, tables=["records"], executor=executor)
    path.write_bytes(b'{"type":"mode"}\n')
    second = ss.scan(path, tables=["records"], executor=executor)
    types = [corpus.records["type"].to_pylist() for corpus in (first, second)]
    assert types == [["user"], ["mode"]]


def test_the_program_of_the_page_prints_what_it_says():
    text = PAGE.read_text(encoding="utf-8")
    assert program_output(blocks(text, "python")[0], "rust") == blocks(text, "text")[0]


def test_the_other_programs_of_the_page_run(monkeypatch, tmp_path):
    programs = blocks(PAGE.read_text(encoding="utf-8"), "python")[1:3]
    names = {"ss": ss, "concurrent": concurrent}
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    monkeypatch.chdir(tmp_path)
    for program in programs:
        exec(program, names)  # noqa: S102 (our own page)
    usage = ss.scan("fixtures/corpus").usage
    assert pq.read_table(names["written"].paths["usage"]).equals(usage)
    assert names["corpus"].usage.equals(usage)
