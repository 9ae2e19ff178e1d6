"""Tables that are written while they are scanned."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.transcripts import write_home
from parity.compare import difference
from sessionscan.schema import TABLE_NAMES


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path / "made")


def test_every_table_is_that_of_a_scan(home, tmp_path, engine):
    written = ss.to_parquet(home, tmp_path / "a" / "out", tables="all", text=True, engine=engine)
    corpus = ss.scan(home, tables="all", text=True, engine=engine)
    assert written.coverage == corpus.coverage
    assert list(written.paths) == list(TABLE_NAMES)
    for name, path in written.paths.items():
        assert path == tmp_path / "a" / "out" / f"{name}.parquet"
        read = pq.read_table(path).unify_dictionaries()
        assert read.schema.equals(ss.schema(name), check_metadata=True)
        assert difference(name, read, corpus.table(name)) is None
    assert sorted(tmp_path.joinpath("a", "out").iterdir()) == sorted(written.paths.values())


def test_only_what_is_asked_for_with_files_and_diagnostics(home, tmp_path, engine):
    written = ss.to_parquet(home, tmp_path / "out", tables=["usage"], engine=engine)
    assert list(written.paths) == ["files", "usage", "diagnostics"]
    assert all(path.is_file() for path in written.paths.values())


def test_what_was_there_stays_where_the_scan_fails(home, tmp_path, engine):
    out = tmp_path / "out"
    old = {name: path.read_bytes() for name, path in ss.to_parquet(home, out).paths.items()}
    transcript = next(home.rglob("*.jsonl"))
    transcript.write_bytes(transcript.read_bytes() + b"{\n")
    with pytest.raises(ss.StrictError):
        ss.to_parquet(home, out, strict=True, engine=engine)
    assert {path.stem: path.read_bytes() for path in out.iterdir()} == old


def test_an_interruption_leaves_nothing_behind(home, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ss.to_parquet(home, tmp_path / "out", on_progress=interrupt)
    assert list((tmp_path / "out").iterdir()) == []


def test_the_options_are_checked_before_anything_is_made(home, tmp_path, engine):
    out = tmp_path / "out"
    for options, error in [
        ({"tables": ["no"]}, ValueError),
        ({"strict": 1}, TypeError),
        ({"threads": 0}, ValueError),
        ({"engine": "no"}, ValueError),
    ]:
        with pytest.raises(error):
            ss.to_parquet(home, out, **{"engine": engine, **options})
    with pytest.raises(FileNotFoundError):
        ss.to_parquet(tmp_path / "nothing", out, engine=engine)
    assert not out.exists()


def test_progress_reaches_its_end(home, tmp_path):
    seen = []
    ss.to_parquet(home, tmp_path / "out", on_progress=lambda *numbers: seen.append(numbers))
    files, total, bytes_, all_bytes = seen[-1]
    assert (files, bytes_) == (total, all_bytes)
    assert files > 0
