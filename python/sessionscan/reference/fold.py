"""Lines -> the facts of a file, and what they make of its kind and ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.census import census_items
from sessionscan.reference.codex_records import SESSION_META, give_session
from sessionscan.reference.decode import decode
from sessionscan.reference.facts import FileFacts, Record
from sessionscan.reference.split import lines

if TYPE_CHECKING:
    from sessionscan.reference.decode import Decoded
    from sessionscan.reference.discover import Transcript
    from sessionscan.reference.map import Text

_JOURNAL_TYPES = frozenset({"started", "result"})


def fold(
    transcript: Transcript, text: Text, max_line_bytes: int | None, *, with_census: bool = False
) -> FileFacts:
    """Read all lines of a file; names are gathered for a census only where one is made."""
    facts = FileFacts(transcript, text, findings=list(text.findings))
    if text.status != "unreadable":
        for line in lines(text.data):
            _add_line(facts, decode(line, max_line_bytes), with_census=with_census)
    _identify(facts)
    return facts


def _add_line(facts: FileFacts, decoded: Decoded, *, with_census: bool) -> None:
    if with_census:
        for record, obj in zip(decoded.records, decoded.objects, strict=True):
            record.census = census_items(obj, record)
    facts.records.extend(decoded.records)
    facts.findings.extend(decoded.findings)
    facts.blank_lines += decoded.is_blank
    facts.lost_lines += decoded.is_lost


def _identify(facts: FileFacts) -> None:
    """Take kind and ids from the path, and from the records where it is silent."""
    shape = facts.transcript.shape
    facts.kind = shape.kind or _kind_by_content(facts.records)
    facts.session_id = _first(facts.records, "session_id") or shape.session_id
    facts.agent_id = shape.agent_id or _first(facts.records, "agent_id")
    # Last, as the kind goes by what each record says of itself.
    give_session(facts.records, facts.session_id)


def _first(records: list[Record], column: str) -> str | None:
    """Give the first value that is there and not empty."""
    return next((record.columns[column] for record in records if record.columns[column]), None)


def _kind_by_content(records: list[Record]) -> str:
    types = {record.columns["type"] for record in records}
    if SESSION_META in types:
        return "codex"
    of_sessions = [record for record in records if record.session_id is not None]
    if of_sessions:
        return "subagent" if all(map(_is_subagents, of_sessions)) else "parent"
    return "journal" if types & _JOURNAL_TYPES else "other"


def _is_subagents(record: Record) -> bool:
    return record.columns["is_sidechain"] is True and bool(record.columns["agent_id"])
