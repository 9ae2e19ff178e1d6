"""Records that repeat an earlier one: rule 23 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import line_finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.facts import FileFacts


def mark_replays(group: Iterable[FileFacts]) -> None:
    """Mark the replays among the records of a file or copy group, in order."""
    seen: set[tuple[object, ...]] = set()
    uuids: set[str] = set()
    for facts in group:
        for record in facts.records:
            uuid = record.columns["uuid"]
            if not uuid:
                continue
            key = (uuid, record.columns["type"], record.payload)
            record.is_replay = key in seen
            if uuid in uuids and not record.is_replay:
                found = line_finding("uuid_conflict", record.line, record.span)
                facts.findings.append(found)
            seen.add(key)
            uuids.add(uuid)
