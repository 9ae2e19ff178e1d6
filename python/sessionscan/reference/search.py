"""Words over what a person could see, by a full parse of everything: rules 85 to 91.

It knows no shortcut: every line is decoded, and every text of every record is searched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sessionscan.fold_case import fold
from sessionscan.reference.decode import decode
from sessionscan.reference.discover import discover
from sessionscan.reference.map import read_text
from sessionscan.reference.search_outputs import outputs
from sessionscan.reference.search_rows import Hit, Matched, hit_table, matched
from sessionscan.reference.search_segments import Segment, calls, segments
from sessionscan.reference.split import lines
from sessionscan.reference.storage import DISK, Elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa

    from sessionscan.patterns import Term
    from sessionscan.reference.decode import Decoded
    from sessionscan.reference.discover import Transcript
    from sessionscan.reference.facts import Record
    from sessionscan.reference.json_values import Obj
    from sessionscan.reference.map import Text
    from sessionscan.reference.split import Line
    from sessionscan.remote import Store


class Query:
    """What is looked for: all of the terms, or any of them."""

    def __init__(self, terms: Sequence[Term], *, is_any_enough: bool, folds: bool) -> None:
        """Compile the patterns."""
        self._patterns = [re.compile(term.pattern, re.ASCII) for term in terms]
        self._is_enough: Callable[[Iterable[bool]], bool] = any if is_any_enough else all
        self._folds = folds

    def search(self, texts: Iterable[Segment]) -> list[Matched]:
        """Give the texts that hold something, where together they hold enough."""
        found = [False] * len(self._patterns)
        hits = []
        for segment in texts:
            text = fold(segment.text) if self._folds else segment.text
            spans = []
            for number, pattern in enumerate(self._patterns):
                here = [match.span() for match in pattern.finditer(text)]
                found[number] |= bool(here)
                spans += here
            if spans:
                hits.append(matched(segment, sorted(spans)))
        return hits if self._is_enough(found) else []


class _Search:
    """A search under way: its hits in order, and what was searched."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.hits: dict[Any, Hit] = {}
        self.searched = dict.fromkeys(
            (
                "files_found",
                "files_read",
                "files_partial",
                "files_unreadable",
                "sidecars",
                "bytes",
                "lines",
                "lines_lost",
            ),
            0,
        )

    def file(self, transcript: Transcript) -> None:
        text = read_text(transcript)
        self.searched["files_found"] += 1
        if text.status == "unreadable":
            self.searched["files_unreadable"] += 1
            return
        self.searched["files_read"] += 1
        self.searched["files_partial"] += text.status == "partial"
        self.searched["bytes"] += len(text.data)
        for number, hit in _of_file(self._decoded(text), text, transcript, self.query):
            self.add(number, hit)

    def _decoded(self, text: Text) -> list[Decoded]:
        found = []
        for line in lines(text.data):
            decoded = decode(line, None)
            self.searched["lines"] += 1
            self.searched["lines_lost"] += self._is_lost(line, decoded)
            found.append(decoded)
        return found

    def _is_lost(self, line: Line, decoded: Decoded) -> bool:
        """Say whether words stand in a line of which there is no record."""
        is_pending = any(finding.code == "pending_tail" for finding in decoded.findings)
        if not decoded.is_lost and not is_pending:
            return False
        whole = Segment("system", None, None, None, line.data.decode("utf-8", "replace"))
        return bool(self.query.search([whole]))

    def add(self, identity: Any, hit: Hit) -> None:  # noqa: ANN401  whatever tells records apart
        """Keep a hit, or note where else its record stands."""
        first = self.hits.setdefault((hit.session_id, identity), hit)
        if first.path != hit.path and hit.path not in first.also_in:
            first.also_in.append(hit.path)


def search(
    roots: Sequence[tuple[str, str]],
    terms: Sequence[Term],
    *,
    is_any_enough: bool,
    folds: bool,
    sidecars: bool,
    on_progress: Callable[[int, int, int, int], None] | None,
    store: Store | None,
) -> tuple[pa.Table, dict[str, int]]:
    """Search everything below `roots`; give the hits and what was searched."""
    found = _Search(Query(terms, is_any_enough=is_any_enough, folds=folds))
    storage = DISK if store is None else Elsewhere(store, [path for _, path in roots])
    transcripts = discover(roots, None, storage).transcripts
    total = sum(transcript.size or 0 for transcript in transcripts)
    done = 0
    for number, transcript in enumerate(transcripts, start=1):
        found.file(transcript)
        done += transcript.size or 0
        if on_progress is not None:
            on_progress(number, len(transcripts), done, total)
    if sidecars:
        for output in outputs(transcripts):
            found.searched["sidecars"] += 1
            found.searched["bytes"] += len(output.data)
            if (hit := output.hit(found.query)) is not None:
                found.add(output.data, hit)
    return hit_table(found.hits.values()), found.searched


def _of_file(
    decoded: list[Decoded], text: Text, transcript: Transcript, query: Query
) -> Iterable[tuple[Any, Hit]]:
    """Give the records of a file that hold what is looked for, with what makes them one."""
    pairs = [pair for line in decoded for pair in zip(line.records, line.objects, strict=True)]
    session = _first(pairs, "session_id") or transcript.shape.session_id
    cwd = _first(pairs, "cwd")
    tools = calls(pairs)
    for record, obj in pairs:
        texts = query.search(segments(record, obj))
        if not texts:
            continue
        columns = record.columns
        hit = Hit(
            path=transcript.path,
            line=record.line,
            place=record.index,
            session_id=columns["session_id"] or session,
            project=columns["cwd"] or cwd,
            timestamp=columns["timestamp"],
            role=columns["role"] or columns["type"] or None,
            texts=[each.of_tool(tools) for each in texts],
        )
        yield _identity(record, text), hit


def _first(pairs: list[tuple[Record, Obj]], column: str) -> str | None:
    return next((record.columns[column] for record, _ in pairs if record.columns[column]), None)


def _identity(record: Record, text: Text) -> tuple[Any, ...]:
    """Give what is the same in records that are identical."""
    columns = record.columns
    if columns["uuid"]:
        return columns["uuid"], columns["type"], record.payload
    start, length = record.span
    return (text.data[start : start + length].decode("utf-8", "replace"),)
