"""What is said of turns, calls and results in a line, the same in every form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reading.visible import clock

if TYPE_CHECKING:
    from sessionscan.reading.story import Call, Result, Story, Turn

# Of a call's input, what tells best what it is about.
_TELLING = (
    *("command", "cmd", "file_path", "notebook_path", "path", "pattern", "query", "url"),
    *("description", "skill", "prompt"),
)


def title_of_turn(turn: Turn, tz: str) -> str:
    """Say who spoke, when, and where that stands."""
    model = f" ({turn.model})" if turn.model else ""
    return f"{turn.who}{model}, {clock(turn.moment, tz)}, line {turn.line}"


def call_line(call: Call) -> str:
    """Say what was called, with what, and how it ended."""
    given = dict(call.given)
    about = next((given[key] for key in _TELLING if given.get(key)), "")
    ended = "no result" if call.result is None else state(call.result)
    agents = "".join(f"; {agent.title}" for agent in call.agents)
    return f"{call.name}: {ended}{agents}" + (f": {about}" if about else "")


def state(result: Result) -> str:
    """Say whether a call failed; where nothing says, it is a result and no more."""
    if result.is_error is None:
        return "result"
    return "failed" if result.is_error else "not failed"


def left_out(story: Story) -> str:
    """Say which records are not shown, and how many."""
    return ", ".join(f"{kind} {count:,}" for kind, count in sorted(story.left_out.items()))
