"""Strict RFC 8259 over decoded text, with the place and reason of every stop.

Python's own decoder takes `NaN`, recurses, and forgets both duplicate keys and
the text that a value was written as; the contract needs all of them. Rules 11
and 18 of the rulings are this module's. It never recurses, so a caller who is
deep in the stack already can use it.
"""

from __future__ import annotations

import re
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from sessionscan.reference.json_scalars import scalar, stop, string_stop
from sessionscan.reference.json_values import JsonStop, Member, Obj

MAX_DEPTH = 512
"""Open brackets that may stand in one another."""

_SPACE = re.compile(r"[ \t\n\r]*").match
_LONE = re.compile("[\ud800-\udfff]")
_VALUE_STARTS = frozenset('"{[tfn-0123456789')


class Parser:
    """Reads JSON values out of one text, one at a time.

    After `value`, `lone` counts the unpaired surrogate escapes of that value,
    and `closed` is the span of the last object that was closed, even where the
    value did not come to its end.
    """

    def __init__(self, text: str) -> None:
        """Prepare to read from `text`."""
        self.text = text
        self.lone = 0
        self.closed = (-1, -1)
        # Only an escape can bring a surrogate in: the text itself is UTF-8.
        self._may_be_lone = "\\ud" in text or "\\uD" in text

    def value(self, start: int) -> tuple[Any, int]:
        """Read the value at `start`; give it and the index behind it.

        Raises:
            JsonStop: no value stands there, with the place and the reason.

        """
        self.lone = 0
        self.closed = (-1, -1)
        stack: list[_Open] = []
        pos = start
        while True:
            value, pos, is_open = self._begin(pos, stack)
            if is_open:
                continue
            while stack:
                value, pos, is_open = self._attach(value, pos, stack)
                if is_open:
                    break
            else:
                return value, pos

    def _begin(self, pos: int, stack: list[_Open]) -> tuple[Any, int, bool]:
        """Read a value that is no container, or open a container at `pos`."""
        char = self.text[pos : pos + 1]
        if stack:
            stack[-1].value_start = pos
        if char == '"':
            value, pos = self._string(pos)
            return value, pos, False
        if char == "{":
            return self._open_object(pos, stack)
        if char == "[":
            return self._open_array(pos, stack)
        return *scalar(self.text, pos), False

    def _open_object(self, pos: int, stack: list[_Open]) -> tuple[Any, int, bool]:
        self._check_depth(pos, stack)
        frame = _Open(Obj(self.text), pos)
        after = self._skip(pos + 1)
        if self.text[after : after + 1] == "}":
            self.closed = (pos, after + 1)
            return frame.container, after + 1, False
        stack.append(frame)
        return None, self._key(after, frame, "key_or_end"), True

    def _open_array(self, pos: int, stack: list[_Open]) -> tuple[Any, int, bool]:
        self._check_depth(pos, stack)
        after = self._skip(pos + 1)
        char = self.text[after : after + 1]
        if char == "]":
            return [], after + 1, False
        if char not in _VALUE_STARTS:
            raise stop(self.text, after, "value_or_end")
        stack.append(_Open([], pos))
        return None, after, True

    def _attach(self, value: object, pos: int, stack: list[_Open]) -> tuple[Any, int, bool]:
        """Put a value where it belongs; open for the next, or give the container."""
        frame = stack[-1]
        container = frame.container
        after = self._skip(pos)
        char = self.text[after : after + 1]
        if isinstance(container, Obj):
            container[frame.key] = value
            container.members.append(
                Member(frame.key, frame.key_start, frame.key_end, frame.value_start, pos)
            )
            if char == ",":
                return None, self._key(self._skip(after + 1), frame, "key"), True
            if char != "}":
                raise stop(self.text, after, "comma_or_brace")
            self.closed = (frame.start, after + 1)
        else:
            container.append(value)
            if char == ",":
                return None, self._skip(after + 1), True
            if char != "]":
                raise stop(self.text, after, "comma_or_bracket")
        stack.pop()
        return container, after + 1, False

    def _key(self, pos: int, frame: _Open, expected: str) -> int:
        """Read a key and its colon; give where the value is expected."""
        if self.text[pos : pos + 1] != '"':
            raise stop(self.text, pos, expected)
        frame.key, frame.key_end = self._string(pos)
        frame.key_start = pos
        after = self._skip(frame.key_end)
        if self.text[after : after + 1] != ":":
            raise stop(self.text, after, "colon")
        return self._skip(after + 1)

    def _string(self, pos: int) -> tuple[str, int]:
        try:
            value, end = scanstring(self.text, pos + 1, True)
        except JSONDecodeError:
            raise string_stop(self.text, pos + 1) from None
        if self._may_be_lone:
            value, found = _LONE.subn("\ufffd", value)
            self.lone += found
        return value, end

    def _check_depth(self, pos: int, stack: list[_Open]) -> None:
        if len(stack) >= MAX_DEPTH:
            raise JsonStop(pos, "too_deep")

    def _skip(self, pos: int) -> int:
        match = _SPACE(self.text, pos)
        return match.end() if match else pos


class _Open:
    """A container that is not closed yet, and the member that is being read."""

    __slots__ = ("container", "key", "key_end", "key_start", "start", "value_start")

    def __init__(self, container: Obj | list[Any], start: int) -> None:
        self.container = container
        self.start = start
        self.key = ""
        self.key_start = self.key_end = self.value_start = -1


def parse_whole(text: str) -> Any:  # noqa: ANN401  any JSON value
    """Read `text` as exactly one value with white space around it.

    Raises:
        JsonStop: it is not that.

    """
    match = _SPACE(text)
    parser = Parser(text)
    value, end = parser.value(match.end() if match else 0)
    after = _SPACE(text, end)
    if after is not None and after.end() < len(text):
        raise JsonStop(after.end(), "trailing")
    return value
