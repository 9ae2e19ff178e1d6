"""A span of time as people name it: by days of a time zone, or by moments."""

from __future__ import annotations

import re
import zoneinfo
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

Moment = date | datetime | str

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.]\d{1,6})?)?([Zz]|[+-]\d\d:\d\d)?")
_ASKED = "a date (2026-03-04) or a moment with its offset (2026-03-04T10:00+01:00)"


class Window(NamedTuple):
    """A span of time from `first` on, up to and without `before`; None is without end."""

    first: datetime | None
    before: datetime | None

    @property
    def is_everything(self) -> bool:
        """Whether it leaves nothing out."""
        return self.first is None and self.before is None


def window(since: Moment | None, until: Moment | None, tz: str | None = None) -> Window:
    """Return the span from `since` to `until`, both included.

    Args:
        since: a date, which is the whole day in the time zone; or a moment, which must
            say its offset. As text in the form of RFC 3339.
        until: likewise; a date includes that day to its end.
        tz: the time zone of dates; None is that of this machine.

    Raises:
        ValueError: for a moment without offset, another text, or an end before the
            beginning.
        TypeError: for anything else.

    >>> window("2026-03-04", "2026-03-04", "Europe/Berlin").first
    datetime.datetime(2026, 3, 3, 23, 0, tzinfo=datetime.timezone.utc)
    >>> window("2026-03-04T10:00", None)
    Traceback (most recent call last):
        ...
    ValueError: since '2026-03-04T10:00' has no offset; name one, such as +01:00 or Z
    """
    first = None if since is None else _start(_parsed(since, "since"), tz)
    before = None if until is None else _end(_parsed(until, "until"), tz)
    if first is not None and before is not None and before <= first:
        raise ValueError(f"until {until} is before since {since}")
    return Window(first, before)


def _parsed(value: Moment, name: str) -> date | datetime:
    if isinstance(value, str):
        value = _read(value, name)
    if not isinstance(value, date):
        raise TypeError(f"{name} must be {_ASKED}, not {type(value).__name__}")
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise ValueError(f"{name} {str(value)!r} has no offset; name one, such as +01:00 or Z")
    return value


def _read(text: str, name: str) -> date | datetime:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        match = _MOMENT.fullmatch(text)
        if match:
            moment = datetime.fromisoformat(text.upper())
            if moment.tzinfo is not None:
                return moment
    except ValueError as error:
        raise ValueError(f"{name} {text!r} does not exist: {error}") from None
    if match:
        raise ValueError(f"{name} {text!r} has no offset; name one, such as +01:00 or Z")
    raise ValueError(f"{name} must be {_ASKED}, not {text!r}")


def _start(value: date | datetime, tz: str | None) -> datetime:
    return value.astimezone(UTC) if isinstance(value, datetime) else _midnight(value, tz)


def _end(value: date | datetime, tz: str | None) -> datetime | None:
    """Return the first moment that is too late; None behind the last day that there is."""
    try:
        if isinstance(value, datetime):
            return value.astimezone(UTC) + timedelta(microseconds=1)
        return _midnight(value + timedelta(days=1), tz)
    except OverflowError:
        return None


def _midnight(day: date, tz: str | None) -> datetime:
    midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 (of the machine's zone)
    if tz is None:
        return midnight.astimezone(UTC)
    return midnight.replace(tzinfo=zoneinfo.ZoneInfo(tz)).astimezone(UTC)
