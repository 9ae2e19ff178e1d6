"""Rows that are made from files beside the transcripts too: rules 38 and 41."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sessionscan.reference.diagnose import Finding
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.session_key import SessionKey
    from sessionscan.reference.side_file import SideFacts, SideFile


class Made(NamedTuple):
    """The rows of a table, and what is to report of side files, by the file that it concerns."""

    rows: list[Columns]
    findings: list[tuple[int, Finding]]


class Spotted(NamedTuple):
    """A row, and what it is ordered by, which begins with its file and line."""

    order: tuple[int, int, int, int, str, str]
    row: Columns


def made(
    spotted: Iterable[Spotted], read: Mapping[SideFile, SideFacts], homes: Mapping[SideFile, int]
) -> Made:
    """Put rows in order, and findings of side files where the rows stand that they belong to."""
    rows = []
    for order, row in sorted(spotted, key=lambda each: each.order):
        rows.append(row | {"file_id": order[0], "line": order[1]})
    findings = [
        (homes[file], finding)
        for file, facts in read.items()
        if file in homes
        for finding in facts.findings
    ]
    return Made(rows, findings)


class FirstFiles:
    """Where a row stands that no record speaks of: at the first file that it has to do with."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        """Find the first file of each session and source."""
        self._of_session: dict[SessionKey, int] = {}
        self._of_source: dict[str, int] = {}
        for facts in files:
            self._of_session.setdefault(facts.session_id or facts.file_id, facts.file_id)
            self._of_source.setdefault(facts.transcript.source, facts.file_id)

    def place(self, session: SessionKey, beside: Sequence[SideFile]) -> int | None:
        """Give the first file of a session, else of the source that a side file is from."""
        of_source = self._of_source.get(beside[0].source) if beside else None
        return self._of_session.get(session, of_source)
