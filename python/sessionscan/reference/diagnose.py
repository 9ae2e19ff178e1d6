"""Findings, and the rows that they become: rule 15 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.schema import CODES, SEVERITY, VOCABULARIES, message

if TYPE_CHECKING:
    from collections.abc import Iterable

_ORDER = {code: number for number, code in enumerate(CODES)}
_WEIGHT = {severity: weight for weight, severity in enumerate(VOCABULARIES["severity"])}


class Span(NamedTuple):
    """Bytes of a file's text: where they begin and how many they are."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to report about a line, or about a file where the line is 0."""

    code: str
    line: int
    span: Span | None
    severity: str
    message: str
    count: int = 1


def file_finding(code: str, *, count: int = 1, **values: object) -> Finding:
    """Report something about a file as a whole; `values` fill in its message."""
    return Finding(code, 0, None, SEVERITY[code], message(code, **values), count)


def line_finding(
    code: str,
    line: int,
    span: Span,
    *,
    count: int = 1,
    severity: str | None = None,
    **values: object,
) -> Finding:
    """Report something about a line; `values` fill in its message."""
    return Finding(code, line, span, severity or SEVERITY[code], message(code, **values), count)


def rows(findings: Iterable[Finding]) -> list[Finding]:
    """Give one finding for each code on each line, in the order of the table.

    The first of a line gives message and place, the worst gives the severity,
    and the counts are added up.
    """
    merged: dict[tuple[int, str], Finding] = {}
    for finding in sorted(findings, key=_place):
        key = (finding.line, finding.code)
        first = merged.get(key)
        merged[key] = finding if first is None else _both(first, finding)
    return sorted(merged.values(), key=_place)


def _both(first: Finding, later: Finding) -> Finding:
    worst = max(first.severity, later.severity, key=_WEIGHT.__getitem__)
    return replace(first, severity=worst, count=first.count + later.count)


def _place(finding: Finding) -> tuple[int, int, int]:
    offset = finding.span.offset if finding.span is not None else -1
    return finding.line, offset, _ORDER[finding.code]
