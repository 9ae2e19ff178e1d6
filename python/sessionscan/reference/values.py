"""Reading fields of objects, with a count of what is wrong: rules 16 to 18."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from sessionscan.reference.json_values import Number, Obj
from sessionscan.reference.timestamps import parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Collection


class Reader:
    """Reads fields: absent, null and a wrong type are None, the last one counted."""

    def __init__(self) -> None:
        """Begin with nothing wrong."""
        self.bad_values = 0
        self.duplicate_keys = 0

    def add(self, other: Reader) -> None:
        """Take over what another reader counted."""
        self.bad_values += other.bad_values
        self.duplicate_keys += other.duplicate_keys

    def look(self, obj: Obj, keys: Collection[str]) -> None:
        """Count the keys among `keys` that come again with another JSON text."""
        if not obj.has_duplicates:
            return
        before: dict[str, str] = {}
        for member in obj.members:
            if member.key in keys:
                written = obj.text[member.start : member.end]
                self.duplicate_keys += before.get(member.key, written) != written
                before[member.key] = written

    def string(self, obj: Obj, key: str) -> str | None:
        """Read a string."""
        value = obj.get(key)
        if value is None or isinstance(value, str):
            return value
        self.bad()
        return None

    def boolean(self, obj: Obj, key: str) -> bool | None:
        """Read a boolean."""
        value = obj.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.bad()
        return None

    def integer(self, obj: Obj, key: str) -> int | None:
        """Read an integer of int64."""
        value = obj.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, Number) and value.text == "-0":
            return 0
        if value is not None:
            self.bad()
        return None

    def number(self, obj: Obj, key: str) -> float | None:
        """Read a number whose double is finite."""
        value = obj.get(key)
        if value is None:
            return None
        if isinstance(value, (int, Number)) and not isinstance(value, bool):
            number = float(value.text if isinstance(value, Number) else value)
            if isfinite(number):
                return number
        self.bad()
        return None

    def count(self, obj: Obj, key: str) -> int | None:
        """Read an integer from 0."""
        value = self.integer(obj, key)
        if value is not None and value < 0:
            self.bad()
            return None
        return value

    def object(self, obj: Obj, key: str) -> Obj | None:
        """Read an object."""
        value = obj.get(key)
        if value is None or isinstance(value, Obj):
            return value
        self.bad()
        return None

    def one_of(self, obj: Obj, key: str, *kinds: type) -> Any:  # noqa: ANN401  any of `kinds`
        """Read a value that may be of several types."""
        value = obj.get(key)
        if value is None or isinstance(value, kinds):
            return value
        self.bad()
        return None

    def timestamp(self, obj: Obj, key: str) -> int | None:
        """Read a timestamp as microseconds since 1970."""
        value = obj.get(key)
        if value is None:
            return None
        moment = parse_timestamp(_written(value))
        if moment is None:
            self.bad()
        return moment

    def bad(self) -> None:
        """Count a value that has the wrong type."""
        self.bad_values += 1


def _written(value: object) -> str:
    """Give the text of a string or a number, nothing for other types."""
    if isinstance(value, str):
        return value
    if isinstance(value, Number):
        return value.text
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""
