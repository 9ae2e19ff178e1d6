"""The exact totals of a corpus, kept while it is written and never read back from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

TOKENS = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cache_creation_5m_input_tokens",
    "cache_creation_1h_input_tokens",
    "cache_creation_unattributed_tokens",
    "thinking_tokens",
)


class Answer(NamedTuple):
    """A response as it must be counted: its retained copy."""

    model: str
    tokens: tuple[int | None, ...]
    certainty: str
    conflict: bool


class Call(NamedTuple):
    """A tool call as it must be counted."""

    tool: str
    outcome: str
    evidence: str


@dataclass(slots=True)
class Facts:
    """What a stretch of a transcript adds to the totals."""

    types: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    diagnostics: list[str] = field(default_factory=list)
    iterations: int = 0


class Sums:
    """Token sums: absent counts are left out, and a sum of nothing but absent counts is null."""

    def __init__(self) -> None:
        """Start without rows."""
        self.rows = 0
        self.values: list[int | None] = [None] * len(TOKENS)

    def add(self, tokens: tuple[int | None, ...]) -> None:
        """Add one response."""
        self.rows += 1
        for place, value in enumerate(tokens):
            if value is not None:
                self.values[place] = (self.values[place] or 0) + value

    def as_dict(self) -> dict[str, int | None]:
        """Return the sums by column."""
        empty = None if self.rows else 0
        return {
            name: empty if value is None else value
            for name, value in zip(TOKENS, self.values, strict=True)
        }


class Ledger:
    """The totals of everything written so far."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.files: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.blocks: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.evidence: Counter[str] = Counter()
        self.tools: Counter[str] = Counter()
        self.diagnostics: Counter[str] = Counter()
        self.certainty: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.session, self.corpus = Sums(), Sums()
        self.models: dict[str, Sums] = {}

    def file(self, kind: str, size: int) -> None:
        """Count a finished file."""
        self.files[kind] += 1
        self.counts["bytes"] += size

    def replay(self, record_type: str) -> None:
        """Count a record that repeats an earlier one: a record and nothing else."""
        self.types[record_type] += 1
        self.counts["replays"] += 1

    def add(self, facts: Facts, *, copied: bool) -> None:
        """Count a stretch; `copied` where another session holds the original."""
        self.types.update(facts.types)
        self.blocks.update(facts.blocks)
        self.diagnostics.update(facts.diagnostics)
        self.counts["usage_iterations"] += facts.iterations
        for answer in facts.answers:
            self._answer(answer, copied=copied)
        for call in facts.calls:
            self.tools[call.tool] += 1
            self.outcomes[call.outcome] += 1
            self.evidence[call.evidence] += 1
        self.counts["call_copies"] += len(facts.calls) if copied else 0

    def _answer(self, answer: Answer, *, copied: bool) -> None:
        self.session.add(answer.tokens)
        self.models.setdefault(answer.model, Sums()).add(answer.tokens)
        # Without a message id nothing joins a response to its copy in another session.
        if copied and answer.certainty != "uncertain":
            self.counts["copies"] += 1
        else:
            self.corpus.add(answer.tokens)
        self.certainty[answer.certainty] += 1
        if answer.conflict:
            self.counts["conflicts"] += 1
            self.diagnostics["usage_conflict"] += 1

    def as_dict(self) -> dict[str, object]:
        """Return everything under the names that `expected.json` has."""
        return {
            "files": self.files.total(),
            "files_by_kind": _sorted(self.files),
            "bytes": self.counts["bytes"],
            "sessions": self.counts["sessions"],
            "workflows": self.counts["workflows"],
            "compactions": self.counts["compactions"],
            "records": self.types.total(),
            "records_by_type": _sorted(self.types),
            "replays": self.counts["replays"],
            "blocks": _sorted(self.blocks),
            "responses": self.session.rows,
            "copies": self.counts["copies"],
            "conflicts": self.counts["conflicts"],
            "lower_bound": self.certainty["lower_bound"],
            "uncertain": self.certainty["uncertain"],
            "session": self.session.as_dict(),
            "corpus": self.corpus.as_dict(),
            "models": {
                name: {**sums.as_dict(), "responses": sums.rows}
                for name, sums in sorted(self.models.items())
            },
            "usage_iterations": self.counts["usage_iterations"],
            "calls": self.tools.total(),
            "call_copies": self.counts["call_copies"],
            "outcomes": _sorted(self.outcomes),
            "evidence": _sorted(self.evidence),
            "tools": _sorted(self.tools),
            "diagnostics": _sorted(self.diagnostics),
        }


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
