"""Tables written to Parquet and Arrow files, and read back."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.transcripts import write_home
from sessionscan.schema import TABLE_NAMES


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(write_home(tmp_path), engine=engine)


def test_parquet_gives_every_table_back(corpus, tmp_path):
    folder = tmp_path / "new" / "folder"
    paths = corpus.to_parquet(folder)
    assert paths == [folder / f"{name}.parquet" for name in TABLE_NAMES]
    assert sorted(folder.iterdir()) == sorted(paths)
    for name, path in zip(TABLE_NAMES, paths, strict=True):
        assert pq.read_table(path).equals(corpus.table(name), check_metadata=True)


def test_parquet_replaces_what_is_there(corpus, tmp_path):
    (tmp_path / "usage.parquet").write_bytes(b"old")
    corpus.to_parquet(str(tmp_path))
    assert pq.read_table(tmp_path / "usage.parquet").num_rows == 4


def test_parquet_fails_where_a_file_stands(corpus, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        corpus.to_parquet(tmp_path / "file")


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_arrow_files_give_every_table_back(corpus, tmp_path, name):
    table = corpus.table(name)
    for opened, read in (
        (pa.ipc.new_file, pa.ipc.open_file),
        (pa.ipc.new_stream, pa.ipc.open_stream),
    ):
        with opened(tmp_path / "table", table.schema) as writer:
            writer.write_table(table)
        back = read(pa.memory_map(str(tmp_path / "table"))).read_all()
        assert back.equals(table, check_metadata=True)


def test_no_buffer_points_into_a_file(tmp_path, engine):
    home = write_home(tmp_path)
    corpus = ss.scan(home, engine=engine, mmap="always", text=True)
    before = [corpus.table(name).to_pylist() for name in TABLE_NAMES]
    for path in home.rglob("*.jsonl"):
        path.write_bytes(b"")
    assert [corpus.table(name).to_pylist() for name in TABLE_NAMES] == before
