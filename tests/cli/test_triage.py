"""`sessionscan triage`, and what `endings` and `prompts` share with it."""

import csv
import io
from pathlib import Path

import pytest
from cli.command import output, run

FIXTURES = Path(__file__).parents[2] / "fixtures"

ENDINGS, CORPUS = FIXTURES / "claude/endings", FIXTURES / "corpus"


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))


def test_triage_lists_those_first_that_may_wait():
    said = output("triage", ENDINGS, "--tail-chars", "12").splitlines()
    assert said[0].startswith("endings: interrupted 1, api_error 1, done 2")
    assert [line.split()[0] for line in said[2:]] == [
        *("interrupted", "api_error", "no_reply", "no_reply", "done", "done", "empty")
    ]
    assert said[6].endswith("asure again?")
    assert "tail" not in output("triage", ENDINGS).splitlines()[1]
    found = rows("triage", ENDINGS, "--kind", "done,empty")
    assert [row["kind"] for row in found] == ["done", "done", "empty"]


def test_kinds_by_day_and_project():
    days = rows("triage", ENDINGS, "--by", "day")
    assert len(days) == 7
    assert rows("endings", ENDINGS, "--by", "day") == days
    some = rows("endings", ENDINGS, "--by", "day", "--kind", "done,no_reply")
    assert [row["n"] for row in some] == ["1"] * 4
    assert set(some[0]) == {"day", "n", "done", "no_reply"}
    west = rows("triage", ENDINGS, "--by", "day", "--tz", "Pacific/Pago_Pago")
    assert west[0]["day"] == "2026-07-31"
    projects = rows("prompts", CORPUS, "--by", "project", "--kind", "prompt")
    counted = {row["kind"]: row["n"] for row in rows("prompts", CORPUS) if not row["reason"]}
    assert sum(int(row["n"]) for row in projects) == int(counted["prompt"])
    day = ("--since", "2026-08-03", "--until", "2026-08-03", "--tz", "UTC")
    assert [row["day"] for row in rows("triage", ENDINGS, "--by", "day", *day)] == ["2026-08-03"]


def test_tails_are_the_end_of_the_words():
    whole = rows("prompts", CORPUS, "--text", "--kind", "prompt")
    ends = rows("prompts", CORPUS, "--tail-chars", "9", "--kind", "prompt")
    assert [row["text"] for row in ends] == [row["text"][-9:] for row in whole]
    ends = rows("endings", ENDINGS, "--tail-chars", "6", "--kind", "done")
    assert {row["text"] for row in ends} == {"again?", "thoms."}


@pytest.mark.parametrize(
    "arguments",
    [
        ("triage", "--kind", "finished"),
        ("endings", "--by", "week"),
        ("prompts", "--by", "day", "--columns", "reason"),
        ("triage", "--tail-chars", "-1"),
    ],
)
def test_bad_arguments(arguments):
    assert run(arguments[0], CORPUS, *arguments[1:]).returncode == 2
