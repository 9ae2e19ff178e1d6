"""What happened in a transcript, as turns: the same for every form that it is shown in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Words:
    """A text, and what it is: "text", "thinking", or a note of the client."""

    text: str
    kind: str = "text"


@dataclass(slots=True, eq=False)
class Picture:
    """An image or document: its media type as written, and its base64 text."""

    kind: str
    media_type: str | None
    data: str | None


@dataclass(slots=True, eq=False)
class Result:
    """What a call came back with; `is_error` is None where nothing says."""

    is_error: bool | None
    parts: list[Words | Picture]
    line: int


@dataclass(slots=True, eq=False)
class Call:
    """A call of a tool: its input by key, its result, and the subagents it started."""

    name: str
    given: list[tuple[str, str]]
    line: int
    result: Result | None = None
    agents: list[Story] = field(default_factory=list)


Part = Words | Picture | Call | Result


@dataclass(slots=True, eq=False)
class Turn:
    """What one side said without a break; `moment` is in microseconds, UTC."""

    who: str
    line: int
    moment: int | None
    model: str | None = None
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Story:
    """A transcript, or what progress records hold of a subagent's.

    `left_out` counts records that are not shown, by type; `lost` are lines that could
    not be read; `agents` are subagents that no call here started.
    """

    title: str
    path: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    agents: list[Story] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
