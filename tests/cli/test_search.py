"""The command `search`: what it prints, and how it ends."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from cli.command import run
from pyarrow import parquet
from sessionscan.hits import SCHEMA

CORPUS = "fixtures/corpus"
RECORDS = (
    {
        "type": "user",
        "sessionId": "s1",
        "cwd": "/home/iva/tide",
        "timestamp": "2026-03-04T10:00:00Z",
        "message": "a heron,\na \x1b[31mgrey heron",
    },
    {
        "type": "assistant",
        "sessionId": "s2",
        "cwd": "/home/iva/marsh",
        "message": {
            "content": [
                {"type": "tool_use", "name": "Bash", "input": {"command": "look --for heron"}}
            ]
        },
    },
)


@pytest.fixture
def home(tmp_path):
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_a_page_ranks_sessions_and_shows_what_stands_around(home, engine):
    done = run("search", "HERON", "--in", home, engine=engine)
    assert done.returncode == 0
    page = f"""\
'HERON': 3 matches in 2 records of 2 sessions

session_id  project          n_matches  n_records  n_files  first_timestamp      last_timestamp
s1          /home/iva/tide           2          1        1  2026-03-04 10:00:00  2026-03-04 10:00:00
s2          /home/iva/marsh          1          1        1  -                    -

s1  /home/iva/tide
  2026-03-04 10:00:00  user text  {home}/a.jsonl:1
    a heron, a \\x1b[31mgrey heron

s2  /home/iva/marsh
  -  assistant tool_input Bash command  {home}/a.jsonl:2
    look --for heron
"""
    assert done.stdout.decode() == page
    assert done.stderr.decode().startswith("searched 1 file of 1, 2 lines, ")


def test_a_limit_leaves_texts_out_and_says_so(home):
    shown = run("search", "heron", "--in", home, "--limit", 1).stdout.decode()
    assert "… 1 of 2 rows; --limit 0 shows all" in shown
    assert "… 1 of 2 texts; --limit 0 shows all" in shown


def test_nothing_found_ends_with_1_and_says_how_to_look_further(home, engine):
    asked = ("--since", "2026-03-05", "--session", "s", "--case-sensitive")
    done = run("search", "heron", "a", "--in", home, *asked, engine=engine)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines()[1:] == [
        "nothing holds all of 'heron', 'a'",
        "1 record of another time holds them: leave out --since, --until",
        "to look further: one of the words is enough: --any",
        "to look further: letters of any case: leave out --case-sensitive",
        "to look further: outputs in files of their own: --sidecars",
        "to look further: the homes of this machine: leave out --in, --home",
    ]


def test_nothing_found_names_what_was_left_out(home):
    asked = ("--since", "2026-03-05", "--exclude-session", "s1", "--any", "--sidecars")
    told = run("search", "heron", "--in", home, *asked).stderr.decode().splitlines()
    assert told[1:] == [
        "nothing holds the word 'heron'",
        "1 record of other sessions or projects holds them: leave out --session, --project",
        "1 record without a time holds them: leave out --since, --until",
        "to look further: the homes of this machine: leave out --in, --home",
    ]


def test_damaged_lines_with_the_words_are_told(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"message":"heron\n', encoding="utf-8")
    told = run("search", "heron", "--in", tmp_path).stderr.decode()
    assert "1 damaged line with them: see the diagnostics" in told


def test_json_is_one_document_of_everything(home, engine):
    done = run("search", "heron", "--in", home, "--format", "json", engine=engine)
    found = json.loads(done.stdout)
    assert list(found) == ["words", "searched", "sessions", "hits"]
    assert found["sessions"][0]["first_timestamp"] == "2026-03-04T10:00:00.000000Z"
    assert [hit["starts"] for hit in found["hits"]] == [[2, 21], [11]]
    assert found["searched"]["lines"] == 2


def test_other_formats_hold_the_hits(home, tmp_path):
    file = tmp_path / "hits.parquet"
    assert run("search", "heron", "--in", home, "--output", file, "--format", "parquet")[0] == 0
    assert parquet.read_table(file).column_names == SCHEMA.names
    rows = run("search", "heron", "--in", home, "--format", "ndjson", "--columns", "line,field")
    assert [json.loads(line) for line in rows.stdout.splitlines()] == [
        {"line": 1, "field": "text"},
        {"line": 2, "field": "tool_input"},
    ]
    stream = run("search", "heron", "--in", home, "--format", "arrow").stdout
    assert pa.ipc.open_stream(stream).read_all().num_rows == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("(", "--regex"), "a ( without its )"),
        (("",), "an empty word"),
        (("x", "--since", "soon"), "since"),
        (("x", "--columns", "nothing"), "unknown column 'nothing'"),
        (("x", "--in", "no/such/folder"), "no/such/folder"),
        (("x", "--tz", "Nowhere"), "Nowhere"),
    ],
)
def test_bad_arguments_end_with_2(arguments, told):
    done = run("search", *arguments, *(() if "--in" in arguments else ("--in", CORPUS)))
    assert done.returncode == 2
    assert told in done.stderr.decode()
