"""Who writes a transcript: the fields that repeat on its records, its clock and its thread."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from corpora.tally import Facts

if TYPE_CHECKING:
    from corpora.dice import Dice


class Line(NamedTuple):
    """A written record and what a replay or a fork of it needs to know."""

    type: str
    uuid: str | None
    text: str


@dataclass(slots=True)
class Turn:
    """Records that are written together: a prompt, a response with its results, a compaction."""

    lines: list[Line] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)


def stamp(milliseconds: int) -> str:
    """Return the RFC 3339 time that a client writes."""
    seconds, rest = divmod(milliseconds, 1_000)
    day = datetime.fromtimestamp(seconds, UTC).isoformat()
    return f"{day[:19]}.{rest:03d}Z"


class Author:
    """The fields of one transcript's records; `say` writes one record into a turn."""

    def __init__(
        self, dice: Dice, session_id: str, folder: str, clock: int, *, agent_id: str | None = None
    ) -> None:
        """Begin at `clock` (epoch milliseconds) in the working folder `folder`."""
        self.dice = dice
        self.session_id = session_id
        self.agent_id = agent_id
        self.folder = folder
        self.clock = clock
        self.thread: str | None = None
        version = f"2.1.{dice.between(220, 276)}"
        entrypoint = "cli" if dice.chance(0.83) else dice.pick(("sdk-cli", "sdk-ts"))
        agent = "" if agent_id is None else f'"agentId":"{agent_id}",'
        side = "false" if agent_id is None else "true"
        self._head = f'"isSidechain":{side},{agent}'
        branch = dice.pick(("main", "main", "feature/größer", "fix/tail"))
        self._tail = (
            f'"userType":"external","entrypoint":"{entrypoint}","cwd":{json.dumps(folder)},'
            f'"sessionId":"{session_id}","version":"{version}","gitBranch":"{branch}"}}'
        )

    def tick(self, most: int = 4_000) -> str:
        """Let time pass and return the new time."""
        self.clock += 1 + self.dice.below(most)
        return stamp(self.clock)

    def say(self, turn: Turn, kind: str, members: str, *, subtype: str = "") -> str:
        """Write a record of the conversation; `members` is JSON text that ends in a comma."""
        uuid = self.dice.uuid()
        parent = "null" if self.thread is None else f'"{self.thread}"'
        sub = f'"subtype":"{subtype}",' if subtype else ""
        text = (
            f'{{"parentUuid":{parent},{self._head}{members}"type":"{kind}",{sub}'
            f'"uuid":"{uuid}","timestamp":"{self.tick()}",{self._tail}\n'
        )
        self.thread = uuid
        turn.lines.append(Line(kind, uuid, text))
        turn.facts.types.append(kind)
        return uuid

    def note(self, turn: Turn, kind: str, members: str) -> None:
        """Write a record of the host: no uuid, no thread; `members` is JSON text."""
        turn.lines.append(Line(kind, None, f'{{"type":"{kind}",{members}}}\n'))
        turn.facts.types.append(kind)
