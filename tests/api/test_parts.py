"""A corpus that comes part by part, wherever it can be cut, is the corpus of one scan."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
import sessionscan as ss
from api.transcripts import write_home
from corpora import generate
from hypothesis import HealthCheck, given, settings
from hypothesis_corpora.files import corpora
from hypothesis_corpora.test_ways_to_a_table import EXAMPLES
from parity.compare import difference
from pyarrow import fs
from sessionscan import _core
from sessionscan.coverage import Coverage
from sessionscan.schema import ALL_TABLE_NAMES
from sessionscan.sources import locate, resolve

FIXTURES = Path(__file__).parents[2] / "fixtures"
HOMES = sorted(path for path in (FIXTURES / "claude").iterdir() if path.is_dir())


def in_parts(
    sources, *, segment_bytes=0, tables=ALL_TABLE_NAMES, copies="collapse", filesystem=None
):
    """Return the tables put together, the coverage, and how many parts came."""
    roots, store = locate(sources, filesystem)
    segments = _core.segments(
        roots,
        tables=tables,
        text=True,
        threads=2,
        mmap="auto",
        copies=copies,
        max_line_bytes=None,
        on_progress=None,
        segment_bytes=segment_bytes,
        store=store,
    )
    batches = {name: [] for name in {*tables, "files", "diagnostics"}}
    parts = 0
    while (streams := segments.advance(on_progress=None)) is not None:
        parts += 1
        for name, stream in streams:
            batches[name] += list(pa.RecordBatchReader.from_stream(stream))
    whole = {
        name: pa.Table.from_batches(rows, ss.schema(name)).unify_dictionaries()
        for name, rows in batches.items()
    }
    return whole, Coverage(**segments.coverage()), parts


def assert_same(sources, **options):
    """Compare with one scan; return how many parts came."""
    tables = options.get("tables", ALL_TABLE_NAMES)
    copies = options.get("copies", "collapse")
    found, coverage, parts = in_parts(sources, **options)
    filesystem = options.get("filesystem")
    whole = ss.scan(sources, tables=tables, text=True, copies=copies, filesystem=filesystem)
    assert coverage == whole.coverage
    for name, rows in found.items():
        wrong = difference(name, rows, whole.table(name))
        assert wrong is None, wrong
    return parts


@pytest.mark.parametrize("copies", ["collapse", "keep"])
def test_each_home_of_the_fixtures(copies):
    assert len(HOMES) > 10
    for home in HOMES:
        assert_same(str(home), copies=copies)


def test_all_homes_at_once_in_either_order():
    homes = [str(home) for home in HOMES]
    assert assert_same(homes) > 10
    assert assert_same(homes[::-1]) > 10


def test_homes_that_a_file_system_reaches():
    disk = fs.SubTreeFileSystem(str(FIXTURES), fs.LocalFileSystem())
    homes = [f"claude/{home.name}" for home in HOMES]
    assert assert_same(homes, filesystem=disk) > 10


def test_whichever_tables_are_asked_for():
    for name in ALL_TABLE_NAMES:
        assert_same(str(FIXTURES / "corpus"), tables=(name,))


def test_generated_corpora_with_forks_and_copies(tmp_path):
    for seed in (1, 2):
        home = tmp_path / str(seed)
        home.mkdir()
        generate(home, size=2_000_000, seed=seed, variety=8.0)
        assert assert_same(str(home)) > 1
        assert assert_same([str(home), str(tmp_path)], segment_bytes=300_000) > 1


@settings(
    max_examples=max(EXAMPLES, 50),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(corpora(damage=True))
def test_any_corpus(made):
    with made.on_disk() as roots:
        assert_same(roots)


def test_a_part_that_fails_is_the_last(tmp_path):
    home = write_home(tmp_path)
    segments = _core.segments(
        resolve(home),
        tables=["usage"],
        text=False,
        threads=1,
        mmap="auto",
        copies="collapse",
        max_line_bytes=None,
        on_progress=None,
        segment_bytes=0,
    )

    def refuse(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        segments.advance(on_progress=refuse)
    with pytest.raises(RuntimeError, match="could not be"):
        segments.advance(on_progress=None)
    with pytest.raises(RuntimeError, match="could not be"):
        segments.coverage()
