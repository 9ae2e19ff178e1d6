"""Usage by keys: dates, nulls, order, and sums that leave int64."""

from datetime import UTC, date, datetime

import pyarrow as pa
import pytest
import sessionscan as ss
from api.test_totals import LARGE, table
from api.transcripts import FORK, GARDEN, HAIKU, OPUS, write_home
from sessionscan.schema import TOKENS
from sessionscan.usage_by import KEYS, usage_by


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(write_home(tmp_path), engine=engine, tables=["usage"])


def columns(rows, *names):
    return list(zip(*(rows[name].to_pylist() for name in names), strict=True))


def by(rows, *keys, tz="UTC", sessions=()):
    held = table("sessions", *sessions)
    return usage_by(table("usage", *rows), lambda: held, keys, tz, "session")


def test_by_model(corpus):
    rows = corpus.usage_by("model")
    assert rows.column_names == [
        "model",
        "responses",
        *TOKENS,
        "lower_bound",
        "uncertain",
        "conflicts",
    ]
    assert columns(rows, "model", "responses", "output_tokens", "lower_bound", "conflicts") == [
        (HAIKU, 1, 1, 1, 0),
        (OPUS, 2, 240, 0, 1),
    ]


def test_by_session_in_either_scope(corpus):
    assert columns(corpus.usage_by("session"), "session", "output_tokens") == [
        (GARDEN, 41),
        (FORK, 200),
    ]
    assert columns(corpus.usage_by("session", scope="session"), "session", "output_tokens") == [
        (GARDEN, 41),
        (FORK, 240),
    ]


def test_the_day_is_that_of_the_time_zone(corpus):
    assert columns(corpus.usage_by("day"), "day", "responses") == [
        (date(2026, 3, 1), 2),
        (date(2026, 3, 4), 1),
    ]
    berlin = corpus.usage_by("day", tz="Europe/Berlin")
    assert columns(berlin, "day", "responses") == [
        (date(2026, 3, 1), 1),
        (date(2026, 3, 2), 1),
        (date(2026, 3, 4), 1),
    ]
    assert berlin.schema.metadata == {
        b"table": b"usage_by",
        b"tz": b"Europe/Berlin",
        b"scope": b"corpus",
    }
    assert berlin["day"].type == pa.date32()


def test_weeks_begin_on_monday_and_months_on_their_first(corpus):
    assert corpus.usage_by("week")["week"].to_pylist() == [date(2026, 2, 23), date(2026, 3, 2)]
    assert corpus.usage_by("month")["month"].to_pylist() == [date(2026, 3, 1)]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_covers_every_response(corpus, key):
    rows = corpus.usage_by(key)
    assert rows.column_names[0] == key
    assert sum(rows["responses"].to_pylist()) == 3


def test_several_keys_sort_in_their_order(corpus):
    rows = corpus.usage_by("month", "model", "is_sidechain", scope="session")
    assert columns(rows, "month", "model", "is_sidechain", "responses") == [
        (date(2026, 3, 1), HAIKU, False, 1),
        (date(2026, 3, 1), OPUS, False, 3),
    ]


def test_nulls_stand_last():
    rows = by([{"model": None}, {"model": "b"}, {"model": "a"}], "model", "day")
    assert rows["model"].to_pylist() == ["a", "b", None]
    assert rows["day"].to_pylist() == [None] * 3


def test_a_project_is_the_sessions_else_the_working_folder():
    sessions = [{"session_id": "s", "project": "/srv/garden"}, {"session_id": "t"}]
    rows = [
        {"session_id": "s", "cwd": "/srv/garden/beds"},
        {"session_id": "t", "cwd": "/srv/shed"},
        {"session_id": None, "cwd": "/srv/shed"},
        {"session_id": None},
    ]
    found = by(rows, "project", sessions=sessions)
    assert columns(found, "project", "responses") == [
        ("/srv/garden", 1),
        ("/srv/shed", 2),
        (None, 1),
    ]


@pytest.mark.parametrize("more", [0, LARGE])
def test_a_sum_is_null_where_nothing_is_said_or_int64_ends(more):
    rows = [
        {"model": "a", "input_tokens": LARGE - 1},
        {"model": "a", "input_tokens": LARGE},
        {"model": "a", "input_tokens": more, "output_tokens": 1},
        {"model": "b", "input_tokens": None, "output_tokens": 2},
    ]
    found = by(rows, "model")
    expected = None if more else 2 * LARGE - 1
    assert columns(found, "input_tokens", "output_tokens") == [(expected, 1), (None, 2)]


def test_days_that_a_time_zone_pushes_beyond_the_calendar_are_null():
    rows = [
        {"first_timestamp": datetime(1, 1, 1, 0, 30, tzinfo=UTC)},
        {"first_timestamp": datetime(9999, 12, 31, 23, 30, tzinfo=UTC)},
    ]
    west = by(rows, "day", tz="America/New_York")
    assert west["day"].to_pylist() == [date(9999, 12, 31), None]
    east = by(rows, "day", tz="Asia/Tokyo")
    assert east["day"].to_pylist() == [date(1, 1, 1), None]
    assert by(rows, "day")["day"].to_pylist() == [date(1, 1, 1), date(9999, 12, 31)]


@pytest.mark.parametrize("moment", ["2026-03-29T00:59:59", "2026-03-29T01:00:00"])
def test_the_day_is_right_on_both_sides_of_a_change_of_clocks(moment):
    rows = [{"first_timestamp": datetime.fromisoformat(moment).replace(tzinfo=UTC)}]
    assert by(rows, "day", tz="Europe/Berlin")["day"].to_pylist() == [date(2026, 3, 29)]


@pytest.mark.parametrize(
    ("keys", "options", "error", "named"),
    [
        ((), {}, ValueError, "git_branch"),
        (("hour",), {}, ValueError, "git_branch"),
        (("day", "day"), {}, ValueError, "twice"),
        ((5,), {}, TypeError, "key"),
        (("day",), {"tz": "Europe/Berlln"}, ValueError, "Europe/Berlin"),
        (("day",), {"tz": ""}, ValueError, "available_timezones"),
        (("day",), {"tz": "../UTC"}, ValueError, "available_timezones"),
        (("day",), {"tz": 1}, TypeError, "tz"),
        (("day",), {"scope": "all"}, ValueError, "corpus, session"),
    ],
)
def test_what_means_nothing_is_refused(tmp_path, keys, options, error, named):
    corpus = ss.scan(tmp_path, engine="python")
    with pytest.raises(error, match=named):
        corpus.usage_by(*keys, **options)
