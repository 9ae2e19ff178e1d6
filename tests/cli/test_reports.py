"""What each command says, end to end."""

import json

import pytest
from api.transcripts import FORK, GARDEN, HAIKU, OPUS, SHED, transcript, write_home
from cli.command import output


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


def rows(*arguments, engine):
    return json.loads(output(*arguments, "--format", "json", engine=engine))


def test_summary_is_a_page(home, engine):
    page = output("summary", home, engine=engine)
    assert "period     2026-03-01 22:30:00 to 2026-03-05 10:00:00 (UTC)" in page
    assert "files      3 read of 3 found\n" in page
    assert "records    8 (1 line lost)\n" in page
    assert "1 with an output count that is a lower bound, 1 with conflicting copies" in page
    assert "1 response repeats another session's, left out (scope corpus)" in page
    assert "beside the responses, not added in" in page
    total = next(line for line in page.splitlines() if line.startswith("total"))
    assert total.split() == ["total", "3", "1", "115", "241", "-", "1,000", "-"]
    assert "error     malformed" in page


def test_summary_as_one_object(home, engine):
    summary = rows("summary", home, engine=engine)
    assert summary["coverage"]["records"] == 8
    assert summary["totals"]["output_tokens"] == 241
    assert [row["model"] for row in summary["models"]] == [HAIKU, OPUS]
    assert summary["tools"][0]["tool_name"] == "Bash"
    assert summary["findings"][0] == {
        "severity": "error",
        "code": "malformed",
        "lines": 1,
        "count": 1,
    }
    assert summary["tz"] == "UTC"
    assert summary["first_timestamp"] == "2026-03-01T22:30:00.000000Z"


def test_summary_as_rows(home, engine):
    lines = output("summary", home, "--format", "csv", engine=engine).splitlines()
    assert lines[0] == '"section","name","metric","value"'
    assert '"totals",,"output_tokens",241' in lines
    assert '"totals",,"thinking_tokens",' in lines
    assert f'"models","{OPUS}","output_tokens",240' in lines
    assert '"side","advisor_message","n",1' in lines


def test_summary_of_nothing(tmp_path, engine):
    page = output("summary", tmp_path, engine=engine)
    assert "period     - to - (UTC)" in page
    assert page.endswith("findings\nnone\n")


def test_usage_names_its_time_zone_and_sums_up(home, engine):
    page = output("usage", home, "--by", "day,model", "--tz", "Europe/Berlin", engine=engine)
    lines = page.splitlines()
    assert lines[0] == "usage by day, model; days in Europe/Berlin; scope corpus"
    assert lines[2].split()[:5] == ["2026-03-01", OPUS, "1", "10", "40"]
    assert lines[-1].split()[:4] == ["total", "3", "115", "241"]


def test_usage_of_each_session(home, engine):
    found = rows("usage", home, "--by", "session", "--scope", "session", engine=engine)
    assert [(row["session"], row["output_tokens"]) for row in found] == [(GARDEN, 41), (FORK, 240)]


def test_a_limit_is_said(home, engine):
    page = output("usage", home, "--by", "session", "--limit", 1, engine=engine)
    assert page.endswith("… 1 more rows are in the total; --limit 0 shows them\n")
    page = output("sessions", home, "--limit", 1, engine=engine)
    assert page.endswith("… 1 of 3 rows; --limit 0 shows all\n")
    assert len(output("sessions", home, engine=engine).splitlines()) == 4


def test_tools(home, engine):
    assert rows("tools", home, engine=engine) == [
        {
            "tool_name": "Bash",
            "calls": 1,
            "failed": 1,
            "not_failed": 0,
            "unknown": 0,
            "launched": 0,
            "no_result": 0,
            "denied": 0,
            "median_wall_ms": 5000,
            "p90_wall_ms": 5000,
        }
    ]


def test_sessions_in_either_scope(home, engine):
    kept = ("session_id", "n_responses", "n_tool_calls", "n_failed", "output_tokens")
    every = rows("sessions", home, "--columns", ",".join(kept), engine=engine)
    assert [tuple(row.values()) for row in every] == [
        (GARDEN, 2, 1, 1, 41),
        (FORK, 2, 0, 0, 240),
        (SHED, 0, 0, 0, 0),
    ]
    once = rows("sessions", home, "--columns", ",".join(kept), "--scope", "corpus", engine=engine)
    assert [tuple(row.values()) for row in once] == [
        (GARDEN, 2, 1, 1, 41),
        (FORK, 1, 0, 0, 200),
        (SHED, 0, 0, 0, 0),
    ]


def test_diagnostics_name_the_path(home, engine):
    found = rows("diagnostics", home, engine=engine)
    assert [row["code"] for row in found] == ["usage_conflict", "malformed"]
    assert found[1]["path"] == str(transcript(home, SHED))
    assert (found[1]["line"], found[1]["byte_offset"]) == (1, 0)


def test_a_table_whole_and_in_part(home, engine):
    assert len(rows("table", "records", home, engine=engine)) == 8
    some = rows("table", "records", home, "--limit", 2, "--columns", "line,type", engine=engine)
    assert some == [{"line": 1, "type": "user"}, {"line": 2, "type": "assistant"}]
    shown = output("table", "usage", home, "--scope", "corpus", "--columns", "line", engine=engine)
    assert shown.split() == ["line", "3", "5", "2"]
    text = rows("table", "blocks", home, "--text", "--columns", "text", engine=engine)
    assert {"text": "The beds are full."} in text


def test_the_side_in_either_scope(home, engine):
    for scope in ("corpus", "session"):
        found = rows("table", "usage_iterations", home, "--scope", scope, engine=engine)
        assert [row["type"] for row in found] == ["message", "advisor_message"]


def test_moments_stand_in_the_time_zone(home, engine):
    options = ("--columns", "first_timestamp", "--limit", 1, "--tz", "Asia/Kolkata")
    assert rows("sessions", home, *options, engine=engine) == [
        {"first_timestamp": "2026-03-02T04:00:00.000000+05:30"}
    ]
    assert "2026-03-02 04:00:00\n" in output("sessions", home, *options, engine=engine)
