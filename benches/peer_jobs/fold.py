"""What a loop over decoded records keeps: each response once, each call with its outcome."""

from __future__ import annotations

from collections import Counter
from typing import Any

import loops

LAUNCHED = frozenset({"async_launched", "teammate_spawned"})
REDACTED = "advisor_redacted_result"


class Fold:
    """The state of one run; `begin` and `end` stand around the records of a file."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.retained: dict[tuple[Any, Any], tuple[Any, ...]] = {}
        self.outcomes: Counter[str] = Counter()
        self.tools: Counter[str] = Counter()
        self.begin()

    def begin(self) -> None:
        """Forget what counts within one file only."""
        self._seen: set[str] = set()
        self._blocks: set[tuple[str, str | None]] = set()
        self._calls: dict[str, list[str]] = {}
        self._results: dict[str, list[str]] = {}

    def replayed(self, uuid: str | None) -> bool:
        """Return whether the file held this record before."""
        if uuid is None:
            return False
        if uuid in self._seen:
            return True
        self._seen.add(uuid)
        return False

    def retain(self, key: tuple[Any, Any], rank: tuple[Any, ...], *kept: Any) -> None:  # noqa: ANN401
        """Keep the copy of a response that ranks highest: its model and its four counts."""
        held = self.retained.get(key)
        if held is None or rank > held[0]:
            self.retained[key] = (rank, *kept)

    def call(self, tool_id: str, message_id: str | None, name: str) -> None:
        """Count a call, unless a copy of its message told of it."""
        if (tool_id, message_id) not in self._blocks:
            self._blocks.add((tool_id, message_id))
            self._calls.setdefault(tool_id, []).append(name)

    def result(self, tool_id: str, outcome: str) -> None:
        """Keep the outcome of a result until its call is known."""
        self._results.setdefault(tool_id, []).append(outcome)

    def end(self) -> None:
        """Pair the calls of the file with its results, in order."""
        for tool_id, names in self._calls.items():
            found = self._results.get(tool_id, [])
            for place, name in enumerate(names):
                self.tools[name] += 1
                self.outcomes[found[place] if place < len(found) else "no_result"] += 1

    def totals(self) -> dict[str, Any]:
        """Return what `loops.job` returns."""
        return loops.totals(self.retained) | {
            "calls": self.tools.total(),
            "outcomes": dict(sorted(self.outcomes.items())),
            "tools": dict(sorted(self.tools.items())),
        }


def outcome(status: object, *, redacted: bool) -> str:
    """Return the outcome of a result that does not say whether it is an error."""
    if status in LAUNCHED:
        return "launched"
    return "not_failed" if status == "completed" or redacted else "unknown"
