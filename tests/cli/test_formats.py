"""Every format holds the same rows, on standard output and in a file."""

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.transcripts import write_home
from cli.command import output, run


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


@pytest.fixture
def sessions(home):
    return ss.scan(home, engine="python").sessions


def written(home, tmp_path, format_, *more):
    path = tmp_path / "out"
    assert output("table", "sessions", home, "--format", format_, "--output", path, *more) == ""
    return path.read_bytes()


def piped(home, format_):
    return run("table", "sessions", home, "--format", format_).stdout


def test_json_and_ndjson(home, tmp_path, sessions):
    rows = json.loads(piped(home, "json"))
    assert [row["session_id"] for row in rows] == sessions["session_id"].to_pylist()
    assert rows[0]["models"] == ["claude-opus-4-1", "claude-haiku-4-5"]
    assert list(rows[0]) == sessions.column_names
    assert [json.loads(line) for line in piped(home, "ndjson").splitlines()] == rows
    assert json.loads(written(home, tmp_path, "json")) == rows


def test_json_of_no_rows(tmp_path):
    assert json.loads(output("table", "usage", tmp_path, "--format", "json")) == []
    assert output("table", "usage", tmp_path, "--format", "ndjson") == ""


def test_csv(home, sessions):
    rows = list(csv.DictReader(io.StringIO(piped(home, "csv").decode())))
    assert [row["session_id"] for row in rows] == sessions["session_id"].to_pylist()
    assert json.loads(rows[0]["models"]) == ["claude-opus-4-1", "claude-haiku-4-5"]
    assert rows[0]["first_timestamp"] == "2026-03-01T22:30:00.000000Z"
    assert rows[2]["output_tokens"] == "0"
    assert rows[0]["title"] == ""


def test_csv_tells_empty_from_missing(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"type":"user","cwd":""}\n')
    options = ("--columns", "cwd,slug", "--format", "csv")
    assert output("table", "records", tmp_path, *options) == '"cwd","slug"\n"",\n'


def test_parquet(home, tmp_path, sessions):
    for data in (piped(home, "parquet"), written(home, tmp_path, "parquet")):
        assert pq.read_table(io.BytesIO(data)).equals(sessions, check_metadata=True)


def test_arrow_is_a_stream_in_a_pipe_and_a_file_on_disk(home, tmp_path, sessions):
    streamed = pa.ipc.open_stream(piped(home, "arrow")).read_all()
    assert streamed.equals(sessions, check_metadata=True)
    filed = pa.ipc.open_file(written(home, tmp_path, "arrow")).read_all()
    assert filed.equals(sessions, check_metadata=True)


@pytest.mark.parametrize("command", ["summary", "usage", "tools", "diagnostics"])
@pytest.mark.parametrize("format_", ["json", "csv", "ndjson", "parquet", "arrow"])
def test_every_command_has_every_format(home, tmp_path, command, format_):
    path = tmp_path / "out"
    output(command, home, "--format", format_, "--output", path)
    assert path.stat().st_size > 0


def test_a_table_holds_no_control_characters(tmp_path):
    cwd = r"\u001b[31m\u0007 a\nb 木"
    (tmp_path / "a.jsonl").write_bytes(b'{"type":"user","cwd":"%s"}\n' % cwd.encode())
    shown = output("table", "records", tmp_path, "--columns", "line,cwd")
    assert shown == "line  cwd\n   1  \\x1b[31m\\x07 a\\nb 木\n"
