"""Text -> lines: cut at the byte 0x0A and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Line(NamedTuple):
    """A line: its number from 1, where it begins, its bytes up to the LF.

    `is_ended` is False for a last line that has no LF.
    """

    number: int
    offset: int
    data: bytes
    is_ended: bool


def lines(data: bytes) -> Iterator[Line]:
    """Give the lines of a text; nothing stands behind a last LF."""
    number, start = 1, 0
    while start < len(data):
        end = data.find(b"\n", start)
        is_ended = end >= 0
        stop = end if is_ended else len(data)
        yield Line(number, start, data[start:stop], is_ended)
        number, start = number + 1, stop + 1
