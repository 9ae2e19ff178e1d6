"""Tables that are computed later, over files of every kind."""

import gzip
import os

import pytest
import sessionscan as ss
from api.transcripts import FORK, GARDEN, SHED, lines, record, transcript, write_home
from sessionscan.schema import ALL_TABLE_NAMES


@pytest.fixture
def odd_home(tmp_path):
    """Return a home with copies, compressed files, links, and what is no transcript."""
    home = write_home(tmp_path)
    folder = home / "projects" / "-srv-garden"
    backup = home / "projects" / "-srv-backup"
    backup.mkdir()
    whole = transcript(home, GARDEN).read_bytes()
    (backup / f"{GARDEN}.jsonl").write_bytes(whole)
    (backup / f"{FORK}.jsonl.gz").write_bytes(gzip.compress(transcript(home, FORK).read_bytes()))
    shed = transcript(home, SHED).read_bytes() + lines(record("user", SHED, "2026-03-06T00:00:00Z"))
    (backup / f"{SHED}.jsonl.gz").write_bytes(gzip.compress(shed)[:-9])
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "up").symlink_to("..")
    (folder / "empty.jsonl").touch()
    (folder / os.fsdecode(b"\xe9.jsonl")).write_bytes(b'{"type":"user"}\n' * 3)
    (folder / os.fsdecode(b"\xea.jsonl")).write_bytes(b'{"type":"user"}\n')
    return home


@pytest.mark.parametrize("copies", ["collapse", "keep"])
@pytest.mark.parametrize("text", [True, False])
def test_they_are_those_of_a_whole_scan(odd_home, engine, copies, text):
    options = {"engine": engine, "copies": copies, "text": text}
    whole = ss.scan(odd_home, **options)
    later = ss.scan(odd_home, tables=[], **options)
    assert later.coverage == whole.coverage
    for name in ALL_TABLE_NAMES:
        assert later.table(name).equals(whole.table(name), check_metadata=True), name


def test_the_limit_of_a_line_stays(odd_home, engine):
    whole = ss.scan(odd_home, engine=engine, max_line_bytes=300)
    later = ss.scan(odd_home, engine=engine, max_line_bytes=300, tables=["files"])
    assert later.records.equals(whole.records)
    assert later.records.num_rows < ss.scan(odd_home, engine=engine).records.num_rows


def test_a_compressed_file_that_grew_stays_as_it_was(odd_home, engine):
    whole = ss.scan(odd_home, engine=engine)
    later = ss.scan(odd_home, engine=engine, tables=[])
    path = odd_home / "projects" / "-srv-backup" / f"{FORK}.jsonl.gz"
    with path.open("ab") as file:
        file.write(gzip.compress(lines(record("user", FORK, "2026-03-09T00:00:00Z"))))
    assert later.records.equals(whole.records)


@pytest.fixture
def home_with_findings(tmp_path):
    """Return a home in which several tables find something beside the transcripts."""
    home = write_home(tmp_path)
    beside = home / "projects" / "-srv-garden" / GARDEN
    (beside / "subagents").mkdir(parents=True)
    (beside / "subagents" / "agent-a1.meta.json").write_text("no object")
    (beside / "workflows").mkdir()
    (beside / "workflows" / "wf_1.json").write_text("[]")
    moment = "2026-03-02T10:00:00Z"
    result = {"type": "tool_result", "tool_use_id": "toolu_9", "content": "long"}
    elsewhere = {"persistedOutputPath": "../../etc/passwd"}
    backups = {"trackedFileBackups": {"beds.txt": {"backupFileName": "../x", "version": 1}}}
    odd = lines(
        record("user", GARDEN, moment, message={"content": [result]}, toolUseResult=elsewhere),
        record("file-history-snapshot", GARDEN, moment, snapshot=backups),
    )
    with transcript(home, GARDEN).open("ab") as file:
        file.write(odd)
    return home


def _codes(corpus):
    """Return every code as often as it occurred: of one line a code has one row."""
    rows = corpus.diagnostics.select(["code", "count"]).to_pylist()
    return sorted(row["code"] for row in rows for _ in range(row["count"]))


def test_findings_come_with_the_tables_that_need_them_and_stay(home_with_findings, engine):
    corpus = ss.scan(home_with_findings, engine=engine, tables=["usage"])
    before = _codes(corpus)
    assert corpus.records.num_rows
    assert _codes(corpus) == before
    found = []
    for name, code in (
        ("sidecars", "path_outside_session"),
        ("agents", "damaged_side_file"),
        ("file_history", "path_outside_session"),
        ("workflows", "damaged_side_file"),
    ):
        assert corpus.table(name).column_names
        found.append(code)
        assert _codes(corpus) == sorted([*before, *found]), name
    whole = ss.scan(home_with_findings, engine=engine, tables="all")
    assert corpus.diagnostics.equals(whole.diagnostics, check_metadata=True)
