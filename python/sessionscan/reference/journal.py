"""Records of workflow journals: their keys (rule 39) and the rows of `journal`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.json_types import json_type

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.json_values import Obj
    from sessionscan.reference.values import Reader

JOURNAL_TYPES = frozenset({"started", "result"})


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What is kept of a record of type `started` or `result`."""

    label: str | None = None
    phase: str | None = None
    result_kind: str | None = None
    result_chars: int | None = None


def read_journal_entry(obj: Obj, reader: Reader) -> JournalEntry:
    """Read what a journal says of an agent's start or result."""
    reader.look(obj, ("label", "phase", "result"))
    label, phase = reader.string(obj, "label"), reader.string(obj, "phase")
    result = obj.get("result")
    if result is None:
        return JournalEntry(label, phase)
    written = result if isinstance(result, str) else obj.raw("result") or ""
    return JournalEntry(label, phase, json_type(result), len(written))


def journal_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every record of a workflow journal that is no replay."""
    rows = []
    for facts in files:
        for record in facts.counted if facts.kind == "journal" else ():
            if record.rollout is not None:
                continue
            entry = record.further.journal or JournalEntry()
            rows.append(
                {
                    "file_id": record.file_id,
                    "line": record.line,
                    "session_id": facts.session_of(record),
                    "workflow_id": facts.transcript.shape.workflow_id,
                    "event": record.columns["type"],
                    "agent_id": record.columns["agent_id"],
                    "label": entry.label,
                    "phase": entry.phase,
                    "result_kind": entry.result_kind,
                    "result_chars": entry.result_chars,
                }
            )
    return rows
