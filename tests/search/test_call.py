"""The call as a whole: its arguments, its result, and reading elsewhere than on disk."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
import sessionscan as ss
from pyarrow import fs
from sessionscan.fold_case import fold
from sessionscan.hits import RANKING, SCHEMA

CORPUS = "fixtures/corpus"


def equal(one, other):
    """Say whether two searches found the same in the same."""
    tables = zip((one.hits, one.sessions), (other.hits, other.sessions), strict=True)
    same = all(a.equals(b, check_metadata=True) for a, b in tables)
    return same and one.searched == other.searched


@pytest.mark.parametrize("words", ["kiln", "a", ["the", "lamp"], "no such word"])
def test_engines_agree_on_the_corpus(words):
    asked = {"sidecars": True, "since": "2025-07-06", "tz": "UTC"}
    found = [ss.search(words, CORPUS, engine=engine, **asked) for engine in ("rust", "python")]
    assert equal(*found)


def test_the_result_has_its_schemas_and_says_what_it_is(engine):
    found = ss.search("kiln", CORPUS, engine=engine)
    assert found.hits.schema.equals(SCHEMA)
    assert found.sessions.schema.equals(RANKING)
    assert len(found) == found.hits.num_rows > 0
    assert found.words == ("kiln",)
    assert repr(found).startswith("<Hits: 'kiln': ")
    none = ss.search("no such word", CORPUS, engine=engine)
    assert not none
    assert none.hits.schema.equals(SCHEMA)
    assert none.sessions.schema.equals(RANKING)
    assert "0 matches in 0 records of 0 sessions" in repr(none)


def test_sessions_are_ranked_by_matches_then_by_time(engine, tmp_path):
    lines = [
        '{"type":"user","sessionId":"few","timestamp":"2026-03-05T00:00:00Z","message":"heron"}',
        '{"type":"user","sessionId":"old","timestamp":"2026-03-01T00:00:00Z","message":"heron"}',
        '{"type":"user","sessionId":"untimed","message":"heron"}',
        '{"type":"user","sessionId":"many","message":"heron heron"}',
        '{"type":"user","message":"heron"}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = ss.search("heron", tmp_path, engine=engine, exclude_sessions="nobody")
    # A record without a session is of its file's, which is the first that is named.
    ranking = found.sessions.select(["session_id", "n_matches"]).to_pylist()
    assert [tuple(row.values()) for row in ranking] == [
        ("few", 2),
        ("many", 2),
        ("old", 1),
        ("untimed", 1),
    ]


def test_every_letter_is_folded_alike(engine, tmp_path):
    codes = [*range(0x21, 0x5C), *range(0x5D, 0xD800), *range(0xE000, 0x11000)]
    letters = "".join(map(chr, codes)).replace('"', "").replace("\x7f", "")
    record = json.dumps({"type": "user", "message": letters}, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_text(record, encoding="utf-8")
    found = ss.search(fold(letters), tmp_path, engine=engine)
    assert found.hits["ends"].to_pylist() == [[len(letters)]]


def test_lines_longer_than_what_is_read_at_a_time(engine, tmp_path):
    long = "x" * (600 << 10)
    lines = [
        '{"type":"user","message":"heron"}',
        f'{{"type":"user","message":"{long} heron"}}',
        f'{{"type":"user","uuid":"a","message":"heron {long}{long}"}}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = ss.search("heron", tmp_path, engine=engine)
    assert found.hits["line"].to_pylist() == [1, 2, 3]
    assert found.hits["starts"].to_pylist() == [[0], [len(long) + 1], [0]]
    assert (found.searched.lines, found.searched.lines_lost) == (3, 0)


def test_a_file_system_is_searched_like_the_disk(engine):
    elsewhere = fs.SubTreeFileSystem("fixtures", fs.LocalFileSystem())
    found = ss.search("a", "corpus", filesystem=elsewhere, sidecars=True, engine=engine)
    disk = ss.search("a", CORPUS, sidecars=True, engine=engine)
    paths = pa.compute.replace_substring_regex(disk.hits["path"], "^fixtures/", "")
    assert found.hits["path"].to_pylist() == paths.to_pylist()
    assert found.hits.drop_columns(["path", "also_in"]).equals(
        disk.hits.drop_columns(["path", "also_in"])
    )
    assert found.searched == disk.searched


def test_progress_is_told(engine):
    told = []
    ss.search("kiln", CORPUS, engine=engine, on_progress=lambda *numbers: told.append(numbers))
    files, total, done, size = told[-1]
    assert files == total > 1
    assert done == size > 0


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_number_of_threads_changes_nothing(threads):
    assert equal(ss.search("the", CORPUS, threads=threads), ss.search("the", CORPUS))


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"words": []}, ValueError),
        ({"words": [b"x"]}, TypeError),
        ({"words": "x", "engine": "go"}, ValueError),
        ({"words": "x", "match": "some"}, ValueError),
        ({"words": "x", "regex": 1}, TypeError),
        ({"words": "x", "threads": 0}, ValueError),
        ({"words": "x", "mmap": "maybe"}, ValueError),
        ({"words": "x", "since": "2026-03-04T10:00"}, ValueError),
        ({"words": "x", "since": "2026-03-05", "until": "2026-03-04"}, ValueError),
        ({"words": "x", "sessions": ""}, ValueError),
        ({"words": "x", "sessions": [1]}, TypeError),
        ({"words": "x", "exclude_session": 1}, TypeError),
        ({"words": "x", "project": 1}, TypeError),
        ({"words": "x", "sources": "no/such/folder"}, FileNotFoundError),
    ],
)
def test_bad_arguments_are_refused(asked, error):
    with pytest.raises(error):
        ss.search(**{"sources": CORPUS, **asked})
