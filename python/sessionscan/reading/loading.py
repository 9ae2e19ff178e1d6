"""The records of one transcript, in order; strict unless it is told otherwise."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.errors import StrictError, UnclearSessionError
from sessionscan.reference.decode import decode
from sessionscan.reference.discover import discover
from sessionscan.reference.facts import FileFacts
from sessionscan.reference.fold import identify
from sessionscan.reference.map import read_text
from sessionscan.reference.replays import mark_replays
from sessionscan.reference.split import lines
from sessionscan.schema import SEVERITY

if TYPE_CHECKING:
    from sessionscan.reference.diagnose import Finding
    from sessionscan.reference.facts import Record
    from sessionscan.reference.json_values import Obj


@dataclass(slots=True)
class Loaded:
    """A transcript: each record that is no replay, with the object that it was read from.

    `lost` says what could not be read, a line each: only where that was allowed.
    """

    path: str
    records: list[tuple[Record, Obj]]
    lost: list[str] = field(default_factory=list)


def load(path: str, *, strict: bool) -> Loaded:
    """Read a transcript.

    Raises:
        StrictError: with `strict`, for its first finding of severity error.
        FileNotFoundError: where it is not there any more.
    """
    transcripts = discover([(path, path)]).transcripts
    if not transcripts:
        raise FileNotFoundError(2, os.strerror(2), path)
    text = read_text(transcripts[0])
    facts = FileFacts(transcripts[0], text)
    objects: list[Obj] = []
    loaded = Loaded(path, [])
    _judge(text.findings, loaded, strict=strict)
    for line in lines(text.data):
        decoded = decode(line, None)
        _judge(decoded.findings, loaded, strict=strict)
        facts.records += decoded.records
        objects += decoded.objects
    identify(facts)
    mark_replays([facts])
    pairs = zip(facts.records, objects, strict=True)
    loaded.records = [(record, obj) for record, obj in pairs if not record.is_replay]
    return loaded


def _judge(findings: list[Finding], loaded: Loaded, *, strict: bool) -> None:
    for finding in findings:
        said = (loaded.path, finding.line, finding.span and finding.span.offset)
        if finding.code == "pending_tail" or SEVERITY[finding.code] == "error":
            error = StrictError(*said, finding.code, finding.message)
            if strict and finding.code != "pending_tail":
                raise error
            loaded.lost.append(str(error))


def check_one_session(loaded: Loaded) -> None:
    """Refuse a transcript whose records are of two sessions.

    Raises:
        UnclearSessionError: it names the first record of the second.
    """
    first: str | None = None
    for record, _ in loaded.records:
        session = record.session_id
        if session is not None and first is not None and session != first:
            place = (loaded.path, record.line, record.span.offset)
            reason = f"a record of session {session} among those of session {first}"
            raise UnclearSessionError(*place, reason)
        first = first or session
