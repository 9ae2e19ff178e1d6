"""A file system of pyarrow gives the tables that the disk gives, to the cell."""

import gzip
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.transcripts import GARDEN, lines, record
from filesystem.handlers import Flaky, Handler, filesystem
from parity.compare import assert_equal, scan
from pyarrow import fs
from sessionscan import _core
from sessionscan.remote import Store
from sessionscan.schema import ALL_TABLE_NAMES

FIXTURES = Path(__file__).parents[2] / "fixtures"
HOMES = sorted(f"claude/{path.name}" for path in FIXTURES.glob("claude/*") if path.is_dir())
SOURCES = [*HOMES, "claude", "corpus"]
OPTIONS = {
    "text": {"text": True},
    "keep, short lines": {"copies": "keep", "max_line_bytes": 700, "threads": 1},
}


@pytest.fixture(autouse=True)
def _at_the_fixtures(monkeypatch):
    """So that a path on the disk and in a file system of the fixtures is spelled alike."""
    monkeypatch.chdir(FIXTURES)


def local():
    return fs.LocalFileSystem()


def subtree():
    return fs.SubTreeFileSystem(str(FIXTURES), fs.LocalFileSystem())


def assert_same(sources, engine, filesystem, **options):
    plain = scan(sources, engine, **options)
    assert_equal(scan(sources, engine, filesystem=filesystem, **options), plain)
    return plain


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("source", SOURCES)
def test_local_file_system(engine, source, options):
    assert_same(source, engine, local(), **options)


@pytest.mark.parametrize("source", ["claude", "corpus", "claude/persisted_output"])
def test_sub_tree(engine, source):
    assert_same(source, engine, subtree(), text=True)
    assert_same(f"{source}/", engine, subtree(), text=True)


def transcripts(home):
    below = Path(home)
    return sorted(str(path) for path in below.rglob("*.jsonl") if path.is_file())


@pytest.mark.parametrize(
    "home",
    [
        "claude/agent_tree_nested",
        "claude/file_history_backups",
        "claude/persisted_output",
        "claude/sidecar_elsewhere",
        "claude/workflow",
    ],
)
def test_what_stands_beside_a_root_is_found_as_on_disk(engine, home):
    """A file or a project alone has metas, outputs and backups that no listing holds."""
    for source in [*transcripts(home), *map(str, Path(home).glob("projects/*"))]:
        assert_same(source, engine, local(), text=True)


def test_sources_that_overlap(engine):
    home = "claude/workflow"
    sources = [home, f"{home}/projects", *transcripts(home)]
    assert_same(sources, engine, subtree())
    assert_same(sources[::-1], engine, subtree())


def test_compressed_files(engine, tmp_path):
    shutil.copytree("claude/workflow", tmp_path / "home")
    for number, path in enumerate(transcripts(tmp_path / "home")):
        text = Path(path).read_bytes()
        if number % 2:
            with pa.CompressedOutputStream(f"{path}.zst", "zstd") as packed:
                packed.write(text)
        else:
            Path(f"{path}.gz").write_bytes(gzip.compress(text))
        Path(path).unlink()
    plain = assert_same(str(tmp_path / "home"), engine, local(), text=True)
    assert set(plain.files["compression"].to_pylist()) == {"gzip", "zstd"}


@pytest.mark.parametrize("seed", range(3))
def test_a_slow_one_that_fails_now_and_then(engine, seed):
    handler = Flaky(FIXTURES, seed)
    for source in ["corpus", "claude/persisted_output", "claude/copies"]:
        assert_same(source, engine, filesystem(handler), text=True)
    assert handler.failures > 5


@pytest.mark.parametrize("chunk", [1000, 70_000])
def test_files_in_chunks(chunk):
    """Of the Rust engine alone: the reference has no chunks."""
    options = dict.fromkeys(("threads", "max_line_bytes", "sizes", "on_progress"))
    options |= {"tables": ALL_TABLE_NAMES, "text": True, "mmap": "auto", "copies": "collapse"}
    roots = [("corpus", "corpus")]
    store = Store(filesystem(Flaky(FIXTURES, 7, failing=0.1, pause=0)), {})
    found, coverage = _core.scan(roots, **options, chunk_bytes=chunk, store=store)
    plain, same = _core.scan(roots, **options, chunk_bytes=chunk)
    assert coverage == same
    for name, stream in found.items():
        assert pa.table(stream).equals(pa.table(plain[name]), check_metadata=True), name


def test_tables_that_are_computed_later(engine):
    first = ss.scan("claude", engine=engine, tables=["files"], filesystem=subtree())
    plain = ss.scan("claude", engine=engine, tables=["files"])
    for name in ("usage", "sessions", "sidecars", "file_history", "diagnostics"):
        assert first.table(name).equals(plain.table(name), check_metadata=True), name


@pytest.mark.parametrize("table", ["records", "blocks", "usage"])
def test_a_reader(engine, table):
    """The dictionary of a batch holds what was seen up to it, which depends on the work's cuts."""
    options = {"batch_rows": 50, "engine": engine}
    ours = ss.reader("corpus", table, filesystem=subtree(), **options).read_all()
    plain = ss.reader("corpus", table, **options).read_all()
    assert ours.unify_dictionaries().equals(plain.unify_dictionaries(), check_metadata=True)


def test_parquet(engine, tmp_path):
    corpus = ss.scan("corpus", engine=engine, filesystem=subtree())
    for path in corpus.to_parquet(tmp_path):
        assert pq.read_table(path).equals(corpus.table(path.stem)), path.stem


def test_parquet_while_scanning(engine, tmp_path):
    corpus = ss.scan("corpus", engine=engine)
    written = ss.to_parquet("corpus", tmp_path, engine=engine, filesystem=subtree())
    assert written.coverage == corpus.coverage
    for name, path in written.paths.items():
        assert pq.read_table(path).equals(corpus.table(name)), name


def test_a_census(engine):
    ours = ss.census("claude", engine=engine, filesystem=subtree())
    assert ours.equals(ss.census("claude", engine=engine), check_metadata=True)


@pytest.mark.parametrize("below", [False, True])
def test_the_content_of_sidecars(engine, below):
    home = "claude/persisted_output"
    sources = transcripts(home) if below else home
    plain = ss.scan(sources, engine=engine)
    ours = ss.scan(sources, engine=engine, filesystem=subtree())
    rows = plain.sidecars.to_pylist()
    assert any(row["exists"] for row in rows)
    for row, sidecar in enumerate(rows):
        if sidecar["exists"]:
            for limit in (0, 10, 1 << 20):
                pieces = list(ours.sidecar(row, limit))
                assert pieces == list(plain.sidecar(row, limit))
        elif sidecar["exists"] is False:
            with pytest.raises(FileNotFoundError):
                list(ours.sidecar(row))
        else:
            with pytest.raises(ValueError, match="not read"):
                list(ours.sidecar(row))


def test_small_files_are_opened_and_read_once(engine):
    handler = Handler(FIXTURES)
    corpus = ss.scan(
        "corpus", engine=engine, filesystem=filesystem(handler), tables=["usage"], copies="keep"
    )
    paths = corpus.files["path"].to_pylist()
    assert paths
    for path in paths:
        assert (handler.opened[path], handler.reads[path]) == (1, 1), path


def test_large_files_are_opened_once_and_read_in_large_pieces(engine, tmp_path):
    path = tmp_path / "large.jsonl"
    path.write_bytes(lines(record("user", GARDEN, "2026-03-01T22:30:00Z", pad="x" * 99_000)) * 200)
    handler = Handler(tmp_path)
    corpus = ss.scan("", engine=engine, filesystem=filesystem(handler), copies="keep")
    assert corpus.coverage.records == 200
    assert corpus.coverage.bytes == path.stat().st_size
    assert handler.opened["large.jsonl"] == 1
    assert handler.reads["large.jsonl"] in {5, 6}


def test_many_answers_are_waited_for_at_once():
    handler = Flaky(FIXTURES, 1, failing=0, pause=0.02)
    ss.scan("corpus", filesystem=filesystem(handler), tables=["usage"])
    assert handler.most_asked > 1
