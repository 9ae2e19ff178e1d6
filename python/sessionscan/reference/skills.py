"""Evidence of skills: rule 45 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.attachments import INVOKED_SKILLS, SKILL_LISTING
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Place, Record
    from sessionscan.reference.joined import Joined

_ORDER = {word: number for number, word in enumerate(VOCABULARIES["skill_evidence"])}

Placed = tuple[tuple["Place", int, int], "Columns"]
"""A row with what it is sorted by: record, evidence, place in the record."""


def skill_rows(joined: Joined) -> list[Columns]:
    """Give the rows of all evidence, in the table's order."""
    placed = list(_called(joined))
    for facts in joined.read:
        placed += _listed(facts)
        placed += _invoked(facts)
        placed += _attributed(facts)
    return [row for _, row in sorted(placed, key=lambda each: each[0])]


def _placed(
    facts: FileFacts, record: Record, evidence: str, place: int, name: str | None
) -> Placed:
    row: Columns = {
        "file_id": record.file_id,
        "line": record.line,
        "session_id": facts.session_of(record),
        "name": name,
        "evidence": evidence,
        "n": 1,
    }
    return (record.place, _ORDER[evidence], place), row


def _called(joined: Joined) -> Iterator[Placed]:
    """Give the calls of the tool that runs a skill."""
    for pair, row in joined.calls:
        block = pair.call.block
        is_claudes = pair.call.record.rollout is None
        if row["tool_name"] == "Skill" and block.call is not None and is_claudes:
            yield _placed(
                pair.call.facts, pair.call.record, "invoked", block.index, block.call.skill
            )


def _invoked(facts: FileFacts) -> Iterator[Placed]:
    """Give the entries of lists of skills in use, each time that they stand there."""
    for record in facts.counted:
        attachment = record.further.attachment
        if attachment is not None and attachment.type == INVOKED_SKILLS:
            for skill in attachment.skills:
                yield _placed(facts, record, "invoked", skill.place, skill.name)


def _listed(facts: FileFacts) -> list[Placed]:
    """Give each name that a file lists once, at the last record that does."""
    last: dict[str | None, Placed] = {}
    counts: dict[str | None, int] = {}
    for record in facts.counted:
        attachment = record.further.attachment
        if attachment is None or attachment.type != SKILL_LISTING:
            continue
        places: dict[str | None, int] = {}
        for skill in attachment.skills:
            places.setdefault(skill.name, skill.place)
        for name, place in places.items():
            last[name] = _placed(facts, record, "available", place, name)
            counts[name] = counts.get(name, 0) + 1
    for name, (_, row) in last.items():
        row["n"] = counts[name]
    return list(last.values())


def _attributed(facts: FileFacts) -> list[Placed]:
    """Give each name that records of a file are attributed to once, at the first of them."""
    first: dict[str, Placed] = {}
    for record in facts.counted:
        name = record.columns["attribution_skill"]
        if name is None or record.rollout is not None:
            continue
        if name in first:
            first[name][1]["n"] += 1
        else:
            first[name] = _placed(facts, record, "attributed", 0, name)
    return list(first.values())
