"""Calls and the results that they take: rules 28 and 29 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.diagnose import line_finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.content import Block
    from sessionscan.reference.facts import FileFacts, Place, Record


class Spot(NamedTuple):
    """A block, the record that it stands in, and that record's file."""

    block: Block
    record: Record
    facts: FileFacts

    @property
    def order(self) -> tuple[Place, int]:
        """Give where it stands among all blocks."""
        return self.record.place, self.block.index

    def report(self, code: str) -> None:
        """Report something about the record of this block."""
        self.facts.findings.append(line_finding(code, self.record.line, self.record.span))


@dataclass(slots=True, eq=False)
class Pair:
    """A call, the result that it takes, and those beyond it that belong to it too."""

    call: Spot
    result: Spot | None = None
    beyond: list[Spot] = field(default_factory=list)

    @property
    def results(self) -> list[Spot]:
        """Give all results that belong to the call."""
        return self.beyond if self.result is None else [self.result, *self.beyond]


def pair(group: Iterable[FileFacts]) -> list[Pair]:
    """Pair the calls of a file or copy group with their results."""
    calls: dict[str, list[Pair]] = {}
    results: dict[str, list[Spot]] = {}
    pairs: list[Pair] = []
    seen: set[tuple[str | None, ...]] = set()
    for spot in _spots(group):
        tool_use_id = spot.block.tool_use_id
        if spot.block.result is not None:
            results.setdefault(tool_use_id or "", []).append(spot)
        elif not _is_repeated(spot, seen):
            pairs.append(Pair(spot))
            if tool_use_id:
                calls.setdefault(tool_use_id, []).append(pairs[-1])
    for tool_use_id, found in results.items():
        _give_results(calls.get(tool_use_id, []), found)
    for same in calls.values():
        for later in same[1:]:
            later.call.report("duplicate_tool_use_id")
    return pairs


def _spots(group: Iterable[FileFacts]) -> Iterable[Spot]:
    for facts in group:
        for record in facts.records:
            if record.is_replay:
                continue
            for block in record.blocks:
                if block.call is not None or block.result is not None:
                    yield Spot(block, record, facts)


def _is_repeated(spot: Spot, seen: set[tuple[str | None, ...]]) -> bool:
    """Say whether a call is the same block of the same message once more."""
    message_id, block = spot.record.message.id, spot.block
    if not message_id or not block.tool_use_id or block.call is None:
        return False
    key = (block.tool_use_id, message_id, block.tool_name, block.call.text)
    is_repeated = key in seen
    seen.add(key)
    return is_repeated


def _give_results(calls: list[Pair], results: list[Spot]) -> None:
    """Give the k-th call the k-th result; what is left over is the last call's."""
    for number, result in enumerate(results):
        if not calls:
            result.report("orphan_tool_result")
        elif number < len(calls):
            calls[number].result = result
        else:
            calls[-1].beyond.append(result)
            result.report("duplicate_tool_result")
