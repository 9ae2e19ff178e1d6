"""What a scan gives, on both engines."""

import pickle

import pyarrow as pa
import pytest
import sessionscan as ss
from api.transcripts import FORK, GARDEN, SHED, lines, record, transcript, write_home
from sessionscan.schema import TABLE_NAMES


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


@pytest.fixture
def corpus(home, engine):
    return ss.scan(home, engine=engine)


def test_every_table_is_an_attribute_with_its_schema(corpus):
    assert corpus.table_names == TABLE_NAMES
    for name in TABLE_NAMES:
        table = getattr(corpus, name)
        assert isinstance(table, pa.Table)
        assert table is corpus.table(name)
        assert table.schema.equals(ss.schema(name), check_metadata=True)
        assert name in dir(corpus)
    assert corpus.usage["session_id"].to_pylist() == [GARDEN, GARDEN, FORK, FORK]


def test_another_name_is_no_table(corpus):
    with pytest.raises(AttributeError, match="tool_calls"):
        _ = corpus.usages
    with pytest.raises(ValueError, match="tool_calls"):
        corpus.table("usages")
    assert not hasattr(corpus, "__array__")


def test_coverage_is_an_object_and_a_line(corpus):
    coverage = corpus.coverage
    assert (coverage.files_found, coverage.files_read, coverage.files_copied) == (3, 3, 0)
    assert (coverage.records, coverage.lines_lost) == (8, 1)
    assert coverage.records_by_type == {"assistant": 5, "user": 2, "weather": 1}
    assert coverage.as_dict()["unknown_types"] == {"weather": 1}
    line = str(coverage)
    assert line.startswith("3 files found: 3 read, 0 copied, 0 partial, 0 unreadable; ")
    assert line.endswith("8 records, 1 line lost; unknown types: weather (1); unknown blocks: none")


def test_the_coverage_line_is_one_line_whatever_a_name_holds(tmp_path, engine):
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines({"type": "a\nb\x1b[31m"}, *({"type": f"t{n}"} for n in range(20))))
    line = str(ss.scan(path, engine=engine).coverage)
    assert line.isprintable()
    assert r"a\nb\x1b[31m (1)" in line
    assert "and 11 more" in line


def test_a_table_that_was_not_asked_for_is_computed_later(home, engine):
    whole = ss.scan(home, engine=engine)
    corpus = ss.scan(home, engine=engine, tables=["usage"])
    assert "records (not computed)" in repr(corpus)
    assert "usage 4" in repr(corpus)
    for name in TABLE_NAMES:
        assert corpus.table(name).equals(whole.table(name), check_metadata=True)
    assert "records 8" in repr(corpus)


def test_what_was_appended_since_stays_out(home, engine):
    whole = ss.scan(home, engine=engine)
    corpus = ss.scan(home, engine=engine, tables=[])
    with transcript(home, GARDEN).open("ab") as file:
        file.write(lines(record("user", GARDEN, "2026-03-09T00:00:00Z")))
    (home / "projects" / "-srv-garden" / "new.jsonl").write_bytes(b'{"type":"user"}\n')
    assert corpus.records.equals(whole.records)
    assert corpus.sessions.equals(whole.sessions)


@pytest.mark.parametrize("change", ["cut", "remove", "rewrite"])
def test_files_that_changed_are_an_error(home, engine, change):
    corpus = ss.scan(home, engine=engine, tables=["usage"])
    path = transcript(home, GARDEN)
    if change == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif change == "remove":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes().replace(b"2026-03-01", b"2026-02-01"))
    assert corpus.usage.num_rows == 4
    with pytest.raises(ss.CorpusChangedError, match="records"):
        _ = corpus.records


def test_strict_names_the_first_error(home, engine):
    with pytest.raises(ss.StrictError) as raised:
        ss.scan(home, engine=engine, strict=True)
    error = raised.value
    assert isinstance(error, ss.SessionScanError)
    assert error.path == str(transcript(home, SHED))
    assert (error.line, error.byte_offset, error.code) == (1, 0, "malformed")
    assert error.reason == "the line ends too early at column 9"
    assert str(error) == f"{error.path}:1:0: malformed: {error.reason}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 (our own bytes)


def test_strict_takes_what_is_whole(home, engine):
    assert ss.scan(transcript(home, GARDEN), engine=engine, strict=True).records.num_rows == 5


def test_text_is_there_where_it_is_asked_for(home, engine):
    assert ss.scan(home, engine=engine).blocks["text"].null_count == 7
    corpus = ss.scan(home, engine=engine, text=True, tables=["blocks"])
    assert "The beds are full." in corpus.blocks["text"].to_pylist()
    assert corpus.tool_calls["command"].to_pylist() == ["ls beds"]


def test_progress_ends_at_the_whole(home, engine):
    seen = []
    ss.scan(home, engine=engine, on_progress=lambda *figures: seen.append(figures))
    size = sum(path.stat().st_size for path in home.rglob("*.jsonl"))
    assert seen[-1] == (3, 3, size, size)
    assert seen == sorted(seen)


def test_what_on_progress_raises_ends_the_scan(home, engine):
    def stop(*_figures):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ss.scan(home, engine=engine, on_progress=stop)


def test_a_missing_source(tmp_path, engine):
    with pytest.raises(FileNotFoundError):
        ss.scan(tmp_path / "nothing", engine=engine)
    with pytest.raises(FileNotFoundError, match="looked in"):
        ss.scan(engine=engine)


def test_an_empty_folder_is_an_empty_corpus(tmp_path, engine):
    corpus = ss.scan(tmp_path, engine=engine)
    assert [corpus.table(name).num_rows for name in TABLE_NAMES] == [0] * len(TABLE_NAMES)
    assert corpus.totals()["responses"] == 0
    assert corpus.usage_by("model", "day", "project").num_rows == 0


def test_a_name_that_is_not_utf8_is_read(tmp_path, engine):
    name = b"caf\xe9.jsonl".decode("utf-8", "surrogateescape")
    (tmp_path / name).write_bytes(b'{"type":"user"}\n')
    corpus = ss.scan(tmp_path / name, engine=engine, tables=["files"])
    assert corpus.files["path"].to_pylist() == [str(tmp_path / "caf\ufffd.jsonl")]
    assert corpus.records.num_rows == 1


def test_a_notebook_shows_the_tables(corpus):
    page = corpus._repr_html_()
    assert "<code>tool_calls</code>" in page
    assert "3 files found" in page
