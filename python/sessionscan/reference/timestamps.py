"""Timestamps to microseconds since 1970, by a fixed grammar: rule 17.

`datetime.fromisoformat` takes far more than RFC 3339 and refuses a leap second;
the calendar here is the proleptic Gregorian one.
"""

from __future__ import annotations

import re
from calendar import isleap

_SECOND = 1_000_000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_MILLISECONDS_ABOVE = 10**10
_EPOCH_DAYS = 719_528
"""Days from the first of January of the year 0 to that of 1970."""
_MAX_DIGITS = 20

_DATE = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
).fullmatch
_EPOCH = re.compile(r"([0-9]+)(?:\.([0-9]+))?").fullmatch
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def parse_timestamp(written: str) -> int | None:
    """Read a timestamp; None where it is none, or outside years 1 to 9999 in UTC.

    Example:
        >>> parse_timestamp("1970-01-01T00:00:01.5Z")
        1500000

    """
    if (date := _DATE(written)) is not None:
        moment = _from_date(date)
    elif (epoch := _EPOCH(written)) is not None:
        moment = _from_epoch(epoch[1].lstrip("0"), epoch[2] or "")
    else:
        return None
    return moment if moment is not None and _FIRST <= moment < _END else None


def _from_date(date: re.Match[str]) -> int | None:
    year, month, day, hour, minute, second = (int(part) for part in date.groups()[:6])
    if not (1 <= month <= len(_MONTH_DAYS) and 1 <= day <= _days_in(year, month)):
        return None
    offset_hours, offset_minutes = int(date[9] or 0), int(date[10] or 0)
    if max(hour, offset_hours) > 23 or max(minute, offset_minutes) > 59 or second > 60:  # noqa: PLR2004
        return None
    moment = _days(year, month, day) * _DAY + hour * _HOUR + minute * _MINUTE + second * _SECOND
    moment += _fraction(date[7] or "", 6)
    offset = offset_hours * _HOUR + offset_minutes * _MINUTE
    return moment + offset if date[8] == "-" else moment - offset


def _from_epoch(whole: str, fraction: str) -> int | None:
    """Read seconds, or milliseconds where the number is above 10^10."""
    if len(whole) > _MAX_DIGITS:
        return None
    number = int(whole or "0")
    is_above = number > _MILLISECONDS_ABOVE or (
        number == _MILLISECONDS_ABOVE and fraction.strip("0") != ""
    )
    if is_above:
        return number * 1000 + _fraction(fraction, 3)
    return number * _SECOND + _fraction(fraction, 6)


def _fraction(digits: str, places: int) -> int:
    """Cut a fraction to a number of decimal places."""
    return int(digits[:places].ljust(places, "0"))


def _days_in(year: int, month: int) -> int:
    return _MONTH_DAYS[month - 1] + (month == 2 and isleap(year))  # noqa: PLR2004


def _days(year: int, month: int, day: int) -> int:
    """Count the days from 1970-01-01."""
    before = year - 1
    leaps = before // 4 - before // 100 + before // 400 + 1
    months = sum(_days_in(year, earlier) for earlier in range(1, month))
    return year * 365 + leaps + months + day - 1 - _EPOCH_DAYS


_FIRST = _days(1, 1, 1) * _DAY
_END = _days(10_000, 1, 1) * _DAY
