"""A story as Markdown that a transcript cannot break out of.

Every text stands in a fence that is longer than any run of backticks in it; what stands
outside of fences is ours, harmless, or code on one line.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from sessionscan.reading.pictures import data_url, placeholder
from sessionscan.reading.story import Call, Picture, Result, Story, Words
from sessionscan.reading.told import call_line, left_out, state, title_of_turn
from sessionscan.reading.visible import on_one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reading.story import Part, Turn

_TICKS = re.compile("`+")
# What Markdown, and the sites that show it, leave as it is: no link, mention or emphasis.
_HARMLESS = re.compile(r"(?!.*www\.)[A-Za-z0-9 ,:;.()-]*", re.IGNORECASE)


def markdown(story: Story, *, images: bool, tz: str) -> str:
    """Return the page."""
    return "\n".join(_Page(images=images, tz=tz).lines(story, 1)) + "\n"


class _Page:
    def __init__(self, *, images: bool, tz: str) -> None:
        self._images = images
        self._tz = tz

    def lines(self, story: Story, level: int) -> Iterator[str]:
        """Give a story's lines, its title at this level."""
        yield f"{'#' * min(level, 6)} {_plain(story.title)}"
        yield ""
        for name, value in [*story.facts, *([("transcript", story.path)] if story.path else [])]:
            yield f"- {name}: {_code(value)}"
        yield ""
        for turn in story.turns:
            yield from self._turn(turn, level + 1)
        for agent in story.agents:
            yield from self.lines(agent, level + 1)
        for line in story.lost:
            yield f"- not read: {_code(line)}"
        if story.left_out:
            yield f"Not shown: {_plain(left_out(story))}."
            yield ""

    def _turn(self, turn: Turn, level: int) -> Iterator[str]:
        yield f"{'#' * min(level, 6)} {_plain(title_of_turn(turn, self._tz))}"
        yield ""
        for part in turn.parts:
            yield from self._part(part, level)

    def _part(self, part: Part, level: int) -> Iterator[str]:
        if isinstance(part, Call):
            yield from self._folded(call_line(part), self._call(part, level))
        elif isinstance(part, Result):
            yield from self._folded(f"Result without a call: {state(part)}", self._result(part))
        elif isinstance(part, Picture):
            yield from self._picture(part)
        elif part.kind == "thinking":
            yield from self._folded("Thinking", _fenced(part.text))
        else:
            yield from _fenced(part.text)

    def _call(self, call: Call, level: int) -> Iterator[str]:
        for key, value in call.given:
            yield f"Given {_code(key)}:"
            yield ""
            yield from _fenced(value)
        if call.result is not None:
            yield f"Result: {state(call.result)}"
            yield ""
            yield from self._result(call.result)
        for agent in call.agents:
            yield from self.lines(agent, level + 1)

    def _result(self, result: Result) -> Iterator[str]:
        for part in result.parts:
            if isinstance(part, Words):
                yield from _fenced(part.text)
            else:
                yield from self._picture(part)

    def _picture(self, picture: Picture) -> Iterator[str]:
        url = data_url(picture) if self._images else None
        yield f"![image]({url})" if url else f"Not shown: {_code(placeholder(picture))}"
        yield ""

    def _folded(self, summary: str, lines: Iterator[str]) -> Iterator[str]:
        yield f"<details><summary>{html.escape(on_one_line(summary))}</summary>"
        yield ""
        yield from lines
        yield "</details>"
        yield ""


def _fenced(text: str) -> Iterator[str]:
    """Give a text in a fence of its own."""
    shown = visible(text)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield shown
    yield fence
    yield ""


def _code(text: str) -> str:
    """Return a text as code within a line."""
    line = on_one_line(text)
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {line} {ticks}" if longest or not line.strip() else f"{ticks}{line}{ticks}"


def _plain(text: str) -> str:
    """Return a text on one line, as code where Markdown might read something in it."""
    line = on_one_line(text)
    return line if _HARMLESS.fullmatch(line) else _code(line)
