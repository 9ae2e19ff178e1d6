"""A story as one HTML page that needs nothing from elsewhere, and runs nothing.

Every word of the transcript is escaped; no word of it becomes an attribute, but for
images that were checked and encoded anew. The policy in the head forbids what escaping
should make impossible: scripts, and anything that is fetched.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import TYPE_CHECKING

from sessionscan.reading.pictures import data_url, placeholder
from sessionscan.reading.story import Call, Picture, Result, Story, Words
from sessionscan.reading.told import call_line, left_out, state, title_of_turn
from sessionscan.reading.visible import on_one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reading.story import Part, Turn

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
section { border-top: 1px solid #8888; padding: .5rem 0; }
details { margin: .5rem 0; padding: .25rem .75rem; border-left: 3px solid #8888; }
summary { cursor: pointer; overflow-wrap: anywhere; }
h2, h3 { font-size: 1rem; margin: .25rem 0; }
dt { float: left; clear: left; margin-right: .5rem; font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
img { max-width: 100%; }
.note { opacity: .7; }
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()


def html_page(story: Story, *, images: bool, tz: str) -> str:
    """Return the page."""
    shown = "; img-src data:" if images else ""
    policy = (
        f"default-src 'none'; style-src 'sha256-{_HASH}'{shown}; "
        "base-uri 'none'; form-action 'none'"
    )
    facts = dict(story.facts)
    title = f"Session {facts.get('session', '')}".strip()
    head = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_line(title)}</title>",
        f"<style>{_STYLE}</style></head>",
        "<body>",
    )
    body = _Page(images=images, tz=tz).lines(story, "h1")
    return "\n".join((*head, *body, "</body></html>", ""))


class _Page:
    def __init__(self, *, images: bool, tz: str) -> None:
        self._images = images
        self._tz = tz

    def lines(self, story: Story, heading: str) -> Iterator[str]:
        """Give a story's lines."""
        yield f"<{heading}>{_line(story.title)}</{heading}>"
        yield "<dl>"
        for name, value in [*story.facts, *([("transcript", story.path)] if story.path else [])]:
            yield f"<dt>{_line(name)}</dt><dd>{_line(value)}</dd>"
        yield "</dl>"
        for turn in story.turns:
            yield from self._turn(turn)
        for agent in story.agents:
            yield "<section>"
            yield from self.lines(agent, "h2")
            yield "</section>"
        for line in story.lost:
            yield f'<p class="note">not read: {_line(line)}</p>'
        if story.left_out:
            yield f'<p class="note">Not shown: {_line(left_out(story))}.</p>'

    def _turn(self, turn: Turn) -> Iterator[str]:
        yield f"<section><h2>{_line(title_of_turn(turn, self._tz))}</h2>"
        for part in turn.parts:
            yield from self._part(part)
        yield "</section>"

    def _part(self, part: Part) -> Iterator[str]:
        if isinstance(part, Call):
            yield from _folded(call_line(part), self._call(part))
        elif isinstance(part, Result):
            yield from _folded(f"Result without a call: {state(part)}", self._result(part))
        elif isinstance(part, Picture):
            yield self._picture(part)
        elif part.kind == "thinking":
            yield from _folded("Thinking", iter([_text(part.text)]))
        else:
            yield _text(part.text)

    def _call(self, call: Call) -> Iterator[str]:
        for key, value in call.given:
            yield f"<h3>{_line(key)}</h3>{_text(value)}"
        if call.result is not None:
            yield f"<h3>Result: {_line(state(call.result))}</h3>"
            yield from self._result(call.result)
        for agent in call.agents:
            yield from self.lines(agent, "h3")

    def _result(self, result: Result) -> Iterator[str]:
        for part in result.parts:
            yield _text(part.text) if isinstance(part, Words) else self._picture(part)

    def _picture(self, picture: Picture) -> str:
        url = data_url(picture) if self._images else None
        if url is None:
            return f'<p class="note">{_line(placeholder(picture))}</p>'
        return f'<p><img alt="image" src="{escape(url)}"></p>'


def _folded(summary: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"<details><summary>{_line(summary)}</summary>"
    yield from lines
    yield "</details>"


def _text(text: str) -> str:
    # A line feed right behind <pre> is dropped by browsers; this one is ours.
    return f"<pre>\n{escape(visible(text))}</pre>"


def _line(text: str) -> str:
    return escape(on_one_line(text))
