"""Timestamps of the reference, against the calendar of the standard library."""

from datetime import UTC, datetime, timedelta

import pytest
from sessionscan.reference.timestamps import parse_timestamp

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(*moment):
    return (datetime(*moment, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-03-01T12:30:45Z", micros(2026, 3, 1, 12, 30, 45)),
        ("2026-03-01t12:30:45.1234567z", micros(2026, 3, 1, 12, 30, 45, 123456)),
        ("2026-03-01 12:30:45.5+05:30", micros(2026, 3, 1, 7, 0, 45, 500000)),
        ("2024-02-29T23:59:60-01:00", micros(2024, 3, 1, 1, 0, 0)),
        ("0000-12-31T23:30:00-01:00", micros(1, 1, 1, 0, 30, 0)),
        ("1700000000", micros(2023, 11, 14, 22, 13, 20)),
        ("1700000000123.9999", micros(2023, 11, 14, 22, 13, 20, 123999)),
        ("10000000000", micros(2286, 11, 20, 17, 46, 40)),
        ("10000000000.5", micros(1970, 4, 26, 17, 46, 40, 500)),
        ("0", 0),
    ],
)
def test_reads(written, expected):
    assert parse_timestamp(written) == expected


@pytest.mark.parametrize(
    "written",
    [
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00",
        "2026-01-01",
        "2026-01-01T00:00:00.Z",
        "9999-12-31T23:59:60Z",
        "0000-12-31T23:30:00Z",
        " 1700000000",
        "-1",
        "1e9",
        "1.",
        "\u0661\u0667\u0660\u0660",
        "9" * 5000,
        "",
    ],
)
def test_refuses(written):
    assert parse_timestamp(written) is None


@pytest.mark.parametrize("day", range(0, 3_652_059, 9_973))
def test_days_are_those_of_the_calendar(day):
    moment = datetime(1, 1, 1, tzinfo=UTC) + timedelta(days=day, hours=7)
    expected = (moment - EPOCH) // timedelta(microseconds=1)
    assert parse_timestamp(moment.isoformat()) == expected
