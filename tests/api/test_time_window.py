"""Spans of time: days of a zone, moments with an offset."""

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from sessionscan.time_window import window


@pytest.fixture
def of_machine(monkeypatch):
    monkeypatch.setenv("TZ", "America/St_Johns")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def utc(*fields):
    return datetime(*fields, tzinfo=UTC)


def test_a_date_is_a_whole_day_of_the_zone():
    assert window("2026-03-04", "2026-03-05", "Asia/Kolkata") == (
        utc(2026, 3, 3, 18, 30),
        utc(2026, 3, 5, 18, 30),
    )
    assert window(date(2026, 3, 4), None, "UTC") == (utc(2026, 3, 4), None)


@pytest.mark.usefixtures("of_machine")
def test_without_a_zone_it_is_a_day_of_this_machine():
    assert window("2026-07-04", "2026-07-04") == (utc(2026, 7, 4, 2, 30), utc(2026, 7, 5, 2, 30))


def test_a_day_without_an_hour_has_twenty_three():
    first, before = window("2026-03-29", "2026-03-29", "Europe/Berlin")
    assert before - first == timedelta(hours=23)


def test_a_moment_is_included():
    moment = "2026-03-04T10:00:00.5+01:00"
    first, before = window(moment, moment)
    assert first == utc(2026, 3, 4, 9, 0, 0, 500_000)
    assert before - first == timedelta(microseconds=1)
    east = datetime(2026, 3, 4, 10, tzinfo=timezone(timedelta(hours=1)))
    assert window(east, None).first == utc(2026, 3, 4, 9)
    assert window("2026-03-04 10:00z", None).first == utc(2026, 3, 4, 10)


def test_the_last_day_that_there_is():
    assert window(None, "9999-12-31", "UTC").before is None


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("2026-03-04T10:00", "has no offset"),
        (datetime(2026, 3, 4), "has no offset"),  # noqa: DTZ001
        ("2026-02-30", "does not exist"),
        ("2026-03-04T25:00Z", "does not exist"),
        ("yesterday", "must be a date"),
        ("2026-3-4", "must be a date"),
        ("", "must be a date"),
    ],
)
def test_what_is_no_date_is_refused(since, said):
    with pytest.raises(ValueError, match=said):
        window(since, None, "UTC")
    with pytest.raises(TypeError, match="not int"):
        window(20260304, None)
    with pytest.raises(ValueError, match="is before since"):
        window("2026-03-05", "2026-03-04", "UTC")
