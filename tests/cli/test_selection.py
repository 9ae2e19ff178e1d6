"""The options that select."""

import csv
import io
from pathlib import Path

import pytest
from cli.command import output, run

FIXTURES = Path(__file__).parents[2] / "fixtures"

CORPUS = FIXTURES / "corpus"


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))


def test_a_project_of_each_command():
    project = ("--project", "lighthouse-log")
    every = rows("sessions", CORPUS)
    some = rows("sessions", CORPUS, *project)
    wanted = "/home/mira/lighthouse-log"
    assert some == [row for row in every if row["project"] == wanted]
    assert len(rows("endings", CORPUS, *project)) == len(some)
    by_project = rows("usage", CORPUS, "--by", "project")
    (alone,) = rows("usage", CORPUS, "--by", "project", *project)
    assert alone in by_project
    for command in ("tools", "prompts", "agents", "reconcile", "summary"):
        assert output(command, CORPUS, *project) != output(command, CORPUS)


def test_days_and_sessions():
    day = ("--since", "2026-08-04", "--until", "2026-08-04", "--tz", "UTC")
    (alone,) = rows("usage", CORPUS, "--by", "day", *day)
    assert alone in rows("usage", CORPUS, "--by", "day")
    assert {row["session_id"] for row in rows("sessions", CORPUS, *day)} == {
        row["session_id"] for row in rows("table", "usage", CORPUS, *day)
    }
    every = {row["session_id"] for row in rows("sessions", CORPUS)}
    rest = rows("sessions", CORPUS, "--exclude-session", "89f4", "--exclude-session", "58a2")
    assert len(rest) == len(every) - 2
    (one,) = rows("sessions", CORPUS, "--session", "89f4")
    assert one["session_id"].startswith("89f4")


def test_untimed_rows_are_counted():
    done = run("table", "records", CORPUS, "--since", "2000-01-01")
    assert "without a time were left out" in done.stderr.decode()
    done = run("usage", CORPUS, "--session", "89f4")
    assert "without a time" not in done.stderr.decode()


def test_homes_are_sources():
    assert rows("usage", "--home", CORPUS) == rows("usage", CORPUS)
    both = rows("sessions", "--home", CORPUS, "--home", FIXTURES / "claude/titles")
    assert len(both) > len(rows("sessions", CORPUS))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("usage", "--home", FIXTURES), "is no home"),
        (("usage", "--home", "nowhere"), "No such file"),
        (("usage", CORPUS, "--project", "mira/none"), "no session worked in"),
        (("usage", CORPUS, "--since", "2026-03-04T10:00"), "has no offset"),
        (("usage", CORPUS, "--session", "zz"), "no session's id starts so"),
        (("table", "files", CORPUS, "--project", "x"), "nothing selects them"),
    ],
)
def test_what_selects_nothing_is_refused(arguments, said):
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stdout == b""
