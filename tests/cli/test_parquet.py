"""The command `parquet`."""

import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.transcripts import write_home
from cli.command import output, run
from parity.compare import difference
from sessionscan.schema import CORE, TABLE_NAMES


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path / "made")


def test_it_writes_the_core_tables_and_names_the_files(home, tmp_path, engine):
    out = tmp_path / "out"
    named = output("parquet", home, "--out", out, engine=engine).splitlines()
    corpus = ss.scan(home)
    assert named == [str(out / f"{name}.parquet") for name in CORE]
    for name in CORE:
        read = pq.read_table(out / f"{name}.parquet").unify_dictionaries()
        assert difference(name, read, corpus.table(name)) is None


def test_tables_text_and_coverage(home, tmp_path, engine):
    out = tmp_path / "out"
    done = run("parquet", home, "--out", out, "--tables", "tool_calls, usage", "--text",
               engine=engine)  # fmt: skip
    names = {"files", "usage", "tool_calls", "diagnostics"}
    assert {path.stem for path in out.iterdir()} == names
    assert pq.read_table(out / "tool_calls.parquet")["input_json"].null_count == 0
    assert done.stderr.decode() == f"{ss.scan(home).coverage}\n"


def test_all_is_every_table_but_the_census(home, tmp_path):
    output("parquet", home, "--out", tmp_path / "out", "--tables", "all")
    names = {path.stem for path in (tmp_path / "out").iterdir()}
    assert names == set(TABLE_NAMES)


def test_strict_ends_with_1_and_names_the_errors(home, tmp_path, engine):
    done = run("parquet", home, "--out", tmp_path / "out", "--strict", engine=engine)
    assert done.returncode == 1
    assert "malformed" in done.stderr.decode()
    assert (tmp_path / "out" / "files.parquet").is_file()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([".", "--out", "out", "--tables", "words"], "tool_calls"),
        (["."], "--out"),
        (["nothing-here", "--out", "out"], "nothing-here"),
        ([".", "--out", "file"], "file"),
    ],
)
def test_bad_arguments_end_with_2(tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    done = run("parquet", *arguments)
    assert done.returncode == 2
    assert named in done.stderr.decode()
    assert not (tmp_path / "out").exists()
