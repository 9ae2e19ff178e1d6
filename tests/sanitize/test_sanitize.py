"""A sanitized transcript gives the tables of its source, but for names and words."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
import sessionscan as ss
from sessionscan.sanitizing.kept import WORDS
from sessionscan.schema import VOCABULARIES

FIXTURES = Path(__file__).parents[2] / "fixtures"
KEY = b"a key of the tests"
HOMES = [*sorted((FIXTURES / "claude").iterdir()), FIXTURES / "corpus"]
# What a column of words may not change in: kinds, outcomes and the like.
CLOSED = {
    *("kind", "status", "compression", "severity", "code", "source", "outcome", "evidence"),
    *("result_kind", "carrier", "title_source", "joined_by", "locator", "reason", "version"),
    *("last_assistant_kind", "certainty", "block_type", "role", "model", "stop_reason"),
}
# Packed bytes are as many as they are.
PACKED = {"compressed", "copies", "decompress_error"}


def both(home, tmp_path, engine="rust"):
    options = {"max_line_bytes": 5000} if home.name == "line_too_long" else {}
    ss.sanitize(home, tmp_path / "out", key=KEY)
    return [
        ss.scan(each, tables="all", text=True, engine=engine, **options)
        for each in (home, tmp_path / "out")
    ]


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
def test_the_tables_are_the_same_but_for_names_and_words(home, tmp_path):
    if home.name == "not_a_file":
        pytest.skip("what is no regular file is left out, so its row is missing")
    old, new = both(home, tmp_path)
    if home.name != "host_records":
        assert new.coverage == old.coverage
    for name in old.table_names:
        before, after = old.table(name), new.table(name)
        assert after.num_rows == before.num_rows, name
        for column in before.column_names:
            where = f"{name}.{column}"
            if column == "size_bytes" and home.name in PACKED:
                continue
            if column in CLOSED and where not in {"files.source", "census.source"}:
                assert after[column].to_pylist() == before[column].to_pylist(), where
            elif not _holds_words(before[column].type):
                assert after[column].equals(before[column]), where
            elif column not in {"message", "path", "meta_path", "source", "sources"}:
                _check_renamed(before[column].to_pylist(), after[column].to_pylist(), where)


def _holds_words(type_):
    return any(pa.types.is_string(each) for each in (type_, getattr(type_, "value_type", type_)))


def _check_renamed(before, after, where):
    """Check that lengths and equalities are what they were."""
    new, old = {}, {}
    for first, second in zip(before, after, strict=True):
        assert (first is None) == (second is None), where
        for one, other in zip(_each(first), _each(second), strict=True):
            if where.endswith(("text", "title", "command", "command_name", "description")):
                assert len(one) == len(other) or "command_name" in where, where
                continue
            assert len(one) == len(other), where
            assert new.setdefault(one, other) == other, where
            assert old.setdefault(other, one) == one, where


def _each(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def test_the_same_key_gives_the_same_and_another_does_not(tmp_path):
    for name, key in (("a", KEY), ("b", KEY.decode()), ("c", b"another key of tests"), ("d", None)):
        ss.sanitize(FIXTURES / "corpus", tmp_path / name, key=key)
    trees = [
        {str(path.relative_to(tmp_path / name)): path.read_bytes()
         for path in sorted((tmp_path / name).rglob("*")) if path.is_file()}
        for name in "abcd"
    ]  # fmt: skip
    assert trees[0] == trees[1]
    assert len({frozenset(tree) for tree in trees}) == 3
    texts = [{data for data in tree.values() if data.startswith(b"{")} for tree in trees]
    assert not texts[0] & texts[2]
    assert not texts[2] & texts[3]


def test_joins_hold_across_files_and_names(tmp_path):
    old, new = both(FIXTURES / "corpus", tmp_path)
    assert {row["joined_by"] for row in new.agents.to_pylist()} >= {"tool_use_id"}
    assert new.sidecars["exists"].to_pylist() == old.sidecars["exists"].to_pylist()
    assert new.lineage().to_table().num_rows == 2


def test_backups_and_their_names_go_together(tmp_path, engine):
    old, new = both(FIXTURES / "claude" / "file_history_backups", tmp_path, engine)
    names = ("version", "exists", "size_bytes", "is_tombstone")
    assert new.file_history.select(names).equals(old.file_history.select(names))
    paths = new.file_history["path"].to_pylist()
    assert paths[0] == paths[3]
    assert not any("iva" in path for path in paths)
    backups = (tmp_path / "out" / "file-history").rglob("*@v*")
    assert {path.read_bytes() for path in backups} == {b"x" * 23, b"x" * 21}


def test_one_transcript_to_a_file_or_into_a_folder(tmp_path):
    (source,) = (FIXTURES / "claude" / "private_keys").glob("projects/*/*.jsonl")
    report = ss.sanitize(source, tmp_path / "report.jsonl", key=KEY)
    assert report.to_pylist() == [
        {"kind": "transcript", "path": str(source), "written": str(tmp_path / "report.jsonl")}
    ]
    records = [json.loads(line) for line in (tmp_path / "report.jsonl").read_bytes().splitlines()]
    (tracked,) = (r["snapshot"]["trackedFileBackups"] for r in records if "snapshot" in r)
    assert [path.count("/") for path in tracked] == [4, 4]
    answers = next(r["toolUseResult"]["answers"] for r in records if "toolUseResult" in r)
    assert "colour" not in str(answers)
    (tmp_path / "folder").mkdir()
    (row,) = ss.sanitize(source, tmp_path / "folder", key=KEY).to_pylist()
    assert row["written"].startswith(f"{tmp_path}/folder/0")
    assert len(Path(row["written"]).stem) == len(source.stem)


def test_nothing_is_replaced(tmp_path):
    ss.sanitize(FIXTURES / "corpus", tmp_path / "out", key=KEY)
    with pytest.raises(FileExistsError):
        ss.sanitize(FIXTURES / "corpus", tmp_path / "out", key=KEY)
    (source,) = (FIXTURES / "claude" / "bom").glob("projects/*/*.jsonl")
    (tmp_path / "taken").write_text("keep")
    with pytest.raises(FileExistsError):
        ss.sanitize(source, tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "keep"


def test_what_cannot_be_sanitized(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no transcript"):
        ss.sanitize(tmp_path / "empty", tmp_path / "out")
    with pytest.raises(FileNotFoundError):
        ss.sanitize(tmp_path / "gone", tmp_path / "out")
    rollout = tmp_path / "rollout-2026-03-04T10-00-00-61000000-0000-4000-8000-000000000001.jsonl"
    rollout.write_text("{}\n")
    by_its_records = tmp_path / "full.jsonl"
    by_its_records.write_text('{"type":"compacted"}\n{"type":"session_meta","payload":{}}\n')
    for refused in (rollout, by_its_records):
        with pytest.raises(ValueError, match="Codex rollout"):
            ss.sanitize(refused, tmp_path / "out")
    with pytest.raises(ValueError, match="16 or more"):
        ss.sanitize(FIXTURES / "corpus", tmp_path / "out", key="short")
    with pytest.raises(TypeError, match="not int"):
        ss.sanitize(FIXTURES / "corpus", tmp_path / "out", key=5)
    with pytest.raises(ValueError, match="sources on disk"):
        ss.sanitize("s3://bucket/x", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_words_of_the_format_are_those_that_tables_go_by():
    for name in ("known_record_types", "known_block_types", "known_attachment_types"):
        assert set(VOCABULARIES[name]) <= WORDS
