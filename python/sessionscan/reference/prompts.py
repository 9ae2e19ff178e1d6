"""Records -> the rows of `prompts`: rules 51 to 53 of the rulings.

Every text that may be a person's has a row. Its record and its own words decide
most of them; what the harness is known to write, and what assistants said
before, must be looked for in the whole corpus. That costs memory for the
assistants' words and an index of every 30th piece of them; time grows with the
words and with the prompts, and with one times the other only where they share
pieces of 30 characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.echo import Echoes, Said
from sessionscan.reference.envelope import is_assistant
from sessionscan.reference.known_blocks import KnownBlocks
from sessionscan.reference.prompt_text import (
    Envelope,
    Judged,
    before_blocks,
    by_size,
    without_images,
)
from sessionscan.reference.user_text import is_user, origin_kind, user_text, words
from sessionscan.reference.white_space import is_blank, trim
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record

_SOURCES = frozenset(VOCABULARIES["prompt_source"])


@dataclass(slots=True, eq=False)
class _Candidate:
    """A text that may be a person's, and what is known of it so far."""

    facts: FileFacts
    record: Record
    n_images: int
    judged: Judged

    @property
    def is_attachment(self) -> bool:
        return not is_user(self.record.columns)

    @property
    def said(self) -> Said:
        return Said(self.judged.text, self.record.columns["timestamp"], self.record.place)


def prompt_rows(files: Sequence[FileFacts]) -> list[Columns]:
    """Give the rows of all candidates, in order."""
    candidates = [each for facts in files for each in _candidates(facts)]
    blocks = KnownBlocks([*_injected(candidates), *_contexts(files)])
    echoes = Echoes(_assistants_words(files))
    for candidate in candidates:
        if candidate.judged.kind is None:
            candidate.judged = blocks.judge(candidate.judged)
        if candidate.judged.kind is None:
            candidate.judged = _by_echo_or_size(candidate, echoes)
    rows = [_row(candidate) for candidate in candidates]
    _mark_duplicates(candidates, rows)
    return rows


def _candidates(facts: FileFacts) -> Iterator[_Candidate]:
    for record in facts.counted if facts.kind != "codex" else ():
        text = user_text(record)
        if is_blank(text):
            continue
        cut, n_images = without_images(text or "")
        yield _Candidate(facts, record, n_images, before_blocks(cut, _envelope(record)))


def _envelope(record: Record) -> Envelope:
    columns = record.columns
    return Envelope(
        is_sidechain=columns["is_sidechain"] is True,
        is_compact_summary=columns["is_compact_summary"] is True,
        is_meta=columns["is_meta"] is True,
        is_attachment=not is_user(columns),
        origin_kind=origin_kind(record),
        prompt_source=columns["prompt_source"],
    )


def _injected(candidates: Iterable[_Candidate]) -> Iterator[str]:
    """Give the texts that are the harness's own without doubt."""
    for candidate in candidates:
        text, kind, reason = candidate.judged
        is_systems = candidate.record.columns["prompt_source"] == "system"
        if kind == "meta" or (
            kind == "injected" and (reason == "tag" or (reason == "promptSource" and is_systems))
        ):
            yield text


def _contexts(files: Iterable[FileFacts]) -> Iterator[str]:
    """Give what hooks added to the context."""
    for facts in files:
        for record in facts.counted:
            if record.further.attachment is not None:
                yield from map(trim, record.further.attachment.contexts)


def _assistants_words(files: Iterable[FileFacts]) -> Iterator[Said]:
    for facts in files:
        for record in facts.counted:
            for text in words(record) if is_assistant(record.columns) else ():
                yield Said(trim(text), record.columns["timestamp"], record.place)


def _by_echo_or_size(candidate: _Candidate, echoes: Echoes) -> Judged:
    reason = echoes.reason(candidate.said)
    if reason is not None:
        return Judged(candidate.judged.text, "echo", reason)
    return by_size(candidate.judged)


def _row(candidate: _Candidate) -> Columns:
    record, (text, kind, reason) = candidate.record, candidate.judged
    source = record.columns["prompt_source"]
    if candidate.is_attachment:
        source = "queued"
    return {
        "file_id": record.file_id,
        "line": record.line,
        "session_id": candidate.facts.session_of(record),
        "timestamp": record.columns["timestamp"],
        "source": source if source in _SOURCES else None,
        "kind": kind,
        "reason": reason,
        "origin_kind": origin_kind(record),
        "prompt_source": record.columns["prompt_source"],
        "chars": len(text),
        "n_images": candidate.n_images,
        "duplicate_of_line": None,
        "text": text,
    }


def _mark_duplicates(candidates: Sequence[_Candidate], rows: Sequence[Columns]) -> None:
    """Point a prompt to the row where the same words came by the other way."""
    last: dict[tuple[int, str, bool], int] = {}
    for candidate, row in zip(candidates, rows, strict=True):
        if row["text"]:
            key = (row["file_id"], row["text"])
            row["duplicate_of_line"] = last.get((*key, not candidate.is_attachment))
            last[*key, candidate.is_attachment] = row["line"]
