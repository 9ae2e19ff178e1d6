"""Tables that come part by part, each part folded by workers."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from corpora import generate
from executors.stubs import Scripted
from parity.compare import difference
from sessionscan import executors
from sessionscan.schema import ALL_TABLE_NAMES

CORPUS = Path(__file__).parents[2] / "fixtures" / "corpus"


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A corpus of many parts, each of many tasks."""
    monkeypatch.setattr(executors, "SEGMENT_BYTES", 160_000)
    home = tmp_path / "home"
    home.mkdir()
    generate(home, size=700_000, seed=5, variety=8.0)
    return [str(home), str(CORPUS)]


def test_parquet_files_hold_the_tables_of_a_scan(executor, sources, tmp_path):
    options = {"tables": ALL_TABLE_NAMES, "text": True}
    written = ss.to_parquet(sources, tmp_path / "out", executor=executor, **options)
    corpus = ss.scan(sources, **options)
    assert written.coverage == corpus.coverage
    assert list(written.paths) == list(ALL_TABLE_NAMES)
    for name, path in written.paths.items():
        read = pq.read_table(path).unify_dictionaries()
        assert difference(name, read, corpus.table(name)) is None


@pytest.mark.parametrize("table", ["records", "blocks", "usage", "prompts", "census"])
def test_a_reader(executor, sources, table):
    rows = ss.reader(sources, table, batch_rows=100, text=True, executor=executor).read_all()
    plain = ss.scan(sources, tables=[table], text=True).table(table)
    assert difference(table, rows.unify_dictionaries(), plain) is None


class Noting(Scripted):
    """Runs every task, and notes its plan and how many bytes it folds."""

    def __init__(self):
        super().__init__(self.run)
        self.bytes = {}

    def run(self, _, fold, task):
        self.bytes[task.plan] = self.bytes.get(task.plan, 0) + task.bytes
        return fold(task)


def test_a_part_at_a_time_is_handed_out(sources, tmp_path):
    noting = Noting()
    ss.to_parquet(sources, tmp_path / "out", tables=["usage"], executor=noting)
    total = ss.scan(sources, tables=["usage"]).coverage.bytes
    # Once for what links files, once for the rows.
    assert sum(noting.bytes.values()) == 2 * total
    assert len(noting.bytes) > 10
    assert len(noting.futures) > 100


def test_a_small_corpus_is_read_once(tmp_path):
    noting = Noting()
    ss.to_parquet(CORPUS, tmp_path / "out", tables=["sessions"], executor=noting)
    assert list(noting.bytes.values()) == [ss.scan(CORPUS).coverage.bytes]


def test_nothing_is_written_where_a_task_fails(sources, tmp_path):
    def script(number, fold, task):
        if number == 40:
            raise ConnectionResetError(104, "the worker hung up")
        return fold(task)

    with pytest.raises(ConnectionResetError) as caught:
        ss.to_parquet(sources, tmp_path / "out", executor=Scripted(script))
    assert "of the scan: /" in caught.value.__notes__[0]
    assert list((tmp_path / "out").iterdir()) == []


def test_a_reader_whose_task_fails_ends_with_an_error(sources):
    def script(_, fold, task):
        # In the second pass, when there is a stream already.
        if task.tables:
            raise ConnectionResetError(104, "the worker hung up")
        return fold(task)

    batches = ss.reader(sources, "usage", executor=Scripted(script))
    with pytest.raises(pa.ArrowInvalid, match=r"hung up \(task \d+ of the scan: /.*jsonl"):
        batches.read_all()


def test_executors_are_refused_as_by_a_scan(tmp_path):
    out = tmp_path / "out"
    for call in (lambda **more: ss.to_parquet(CORPUS, out, **more), _reader):
        with pytest.raises(TypeError, match="executor must be"):
            call(executor=7)
        with pytest.raises(ValueError, match="only 'rust' has executors"):
            call(executor=Noting(), engine="python")
    assert not out.exists()


def _reader(**more):
    return ss.reader(CORPUS, "usage", **more)
