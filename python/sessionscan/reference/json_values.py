"""What JSON text turns into where a plain Python value would lose something."""

from __future__ import annotations

from typing import Any, NamedTuple


class JsonStop(Exception):  # noqa: N818  it stops the reading, for a reason that is data
    """Where text stops being JSON: the index of the character, and why.

    `reason` is a name among `REASONS` of the schema, or `too_deep`.
    """

    def __init__(self, place: int, reason: str) -> None:
        """Keep place and reason."""
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


class Number:
    """A number that is no integer of int64, kept as the text that it was."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text


class Member(NamedTuple):
    """A member as written: its key, and where key and value stand."""

    key: str
    key_start: int
    key_end: int
    start: int
    end: int


class Obj(dict[str, Any]):
    """An object: the last of equal keys wins, and every member's place is kept."""

    __slots__ = ("members", "text")

    def __init__(self, text: str) -> None:
        """Begin an empty object that stands in `text`."""
        super().__init__()
        self.text = text
        self.members: list[Member] = []

    def raw(self, key: str) -> str | None:
        """Give the JSON text of the value that `key` ended up with."""
        for member in reversed(self.members):
            if member.key == key:
                return self.text[member.start : member.end]
        return None

    @property
    def has_duplicates(self) -> bool:
        """Say whether a key stands more than once."""
        return len(self.members) != len(self)
