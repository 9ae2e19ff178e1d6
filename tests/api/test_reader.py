"""One table as a stream of batches."""

import pyarrow as pa
import pytest
import sessionscan as ss
from api.transcripts import write_home
from sessionscan.schema import TABLE_NAMES


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


@pytest.mark.parametrize("table", TABLE_NAMES)
@pytest.mark.parametrize("batch_rows", [1, 3, 65536])
def test_the_batches_are_the_table(home, engine, table, batch_rows):
    reader = ss.reader(home, table, batch_rows=batch_rows, engine=engine)
    assert isinstance(reader, pa.RecordBatchReader)
    assert reader.schema.equals(ss.schema(table), check_metadata=True)
    batches = list(reader)
    assert all(0 < batch.num_rows <= batch_rows for batch in batches)
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert rows == ss.scan(home, engine=engine).table(table).to_pylist()


def test_the_text_is_there_where_it_is_asked_for(home, engine):
    rows = ss.reader(home, "tool_calls", engine=engine, text=True).read_all().to_pylist()
    assert [row["input_json"] for row in rows] == ['{"command": "ls beds"}']


def test_a_missing_source(tmp_path, engine):
    with pytest.raises(FileNotFoundError):
        ss.reader(tmp_path / "nothing", "usage", engine=engine)


def test_a_reader_that_is_dropped_early(home, engine):
    reader = ss.reader(home, "records", batch_rows=1, engine=engine)
    first = reader.read_next_batch()
    reader.close()
    assert first.num_rows == 1
