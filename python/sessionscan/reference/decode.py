"""Line -> records and findings: rules 10 to 15 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import Finding, Span, line_finding
from sessionscan.reference.json_text import Parser
from sessionscan.reference.json_values import JsonStop, Obj
from sessionscan.reference.record import read_record
from sessionscan.reference.repair import BOM, Places, Repaired, repair
from sessionscan.reference.torn import Spanned, after_space, rescue
from sessionscan.reference.values import Reader
from sessionscan.schema import REASONS

if TYPE_CHECKING:
    from sessionscan.reference.facts import Record
    from sessionscan.reference.split import Line

_LOST = frozenset({"malformed", "too_deep", "not_an_object", "line_too_long"})


@dataclass(slots=True)
class Decoded:
    """What a line comes down to; `objects` are those that its records were read from."""

    records: list[Record] = field(default_factory=list)
    objects: list[Obj] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    is_blank: bool = False

    @property
    def is_lost(self) -> bool:
        """Say whether the line was skipped with an error."""
        return any(finding.code in _LOST for finding in self.findings)


def decode(line: Line, max_line_bytes: int | None) -> Decoded:
    """Read the records of a line, and what there is to report about it."""
    decoded = Decoded()
    length = len(line.data)
    if max_line_bytes is not None and length > max_line_bytes:
        whole = _whole(line)
        found = line_finding(
            "line_too_long", line.number, whole, length=length, limit=max_line_bytes
        )
        decoded.findings.append(found)
        return decoded
    data, start = line.data, line.offset
    if start == 0 and data.startswith(BOM):
        decoded.findings.append(line_finding("bom", 1, Span(0, len(BOM))))
        data, start = data[len(BOM) :], len(BOM)
    repaired = repair(data, start)
    _report_repairs(line, repaired, decoded)
    if repaired.text:
        _decode_text(line, repaired, decoded)
    else:
        decoded.is_blank = not repaired.nul_runs
    _report_nul_runs(line, repaired, decoded)
    return decoded


def _decode_text(line: Line, repaired: Repaired, decoded: Decoded) -> None:
    """Parse the text, or what can be rescued of it, and read its records."""
    parser = Parser(repaired.text)
    objects: list[Spanned] = []
    try:
        runs = read_objects(parser, objects)
    except JsonStop as stopped:
        rescued = rescue(parser, stopped) if stopped.reason in REASONS else None
        if rescued is None:
            _report_loss(line, repaired, stopped, decoded)
            return
        objects, runs = [rescued], []
    if not objects:
        decoded.findings.append(line_finding("not_an_object", line.number, _whole(line)))
        return
    places = Places(repaired)
    _report_torn(line, objects, places, decoded)
    _read_records(line, objects, places, decoded)
    for start, end in runs:
        offset = places.offset(start)
        repaired.nul_runs.append(Span(offset, end - start))


def read_objects(parser: Parser, objects: list[Spanned]) -> list[tuple[int, int]]:
    """Read all objects of a line into `objects`; give the runs of NUL between them.

    A value that is no object and stands alone leaves `objects` empty.

    Raises:
        JsonStop: the line is something else.

    """
    text, start = parser.text, 0
    runs: list[tuple[int, int]] = []
    while start < len(text):
        value, end = parser.value(start)
        if not isinstance(value, Obj):
            behind = end + len(text[end:]) - len(text[end:].lstrip(" \t\r"))
            if behind < len(text):
                raise JsonStop(behind, "trailing")
            return []
        objects.append(Spanned(value, start, end, parser.lone))
        start = after_space(text, end)
        if start < len(text) and text[start] != "{":
            raise JsonStop(start, "trailing")
        runs.extend(_nul_runs(text, end, start))
    return runs


def _nul_runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    runs = []
    while (begin := text.find("\0", start, end)) >= 0:
        start = begin
        while start < end and text[start] == "\0":
            start += 1
        runs.append((begin, start))
    return runs


def _read_records(line: Line, objects: list[Spanned], places: Places, decoded: Decoded) -> None:
    for index, found in enumerate(objects):
        offset = places.offset(found.start)
        span = Span(offset, places.offset(found.end) - offset)
        reader = Reader()
        decoded.records.append(read_record(found.obj, line.number, index, span, reader))
        decoded.objects.append(found.obj)
        counts = {
            "lone_surrogate": found.lone,
            "duplicate_key": reader.duplicate_keys,
            "bad_value": reader.bad_values,
        }
        decoded.findings.extend(
            line_finding(code, line.number, span, count=count)
            for code, count in counts.items()
            if count
        )


def _report_torn(line: Line, objects: list[Spanned], places: Places, decoded: Decoded) -> None:
    """Report how a line with records differs from a clean one."""
    whole, number = _whole(line), line.number
    if len(objects) > 1:
        found = line_finding(
            "glued_records", number, whole, count=len(objects), records=len(objects)
        )
        decoded.findings.append(found)
    elif objects[0].start > 0:
        lost = places.offset(objects[0].start) - line.offset
        decoded.findings.append(line_finding("torn_prefix", number, Span(line.offset, lost)))
    if not line.is_ended:
        decoded.findings.append(line_finding("unterminated_final_line", number, whole))


def _report_loss(line: Line, repaired: Repaired, stopped: JsonStop, decoded: Decoded) -> None:
    """Report a line without records; one that is still being written is not lost."""
    column = Places(repaired).offset(stopped.place) - line.offset + 1
    whole, number = _whole(line), line.number
    if stopped.reason == "too_deep":
        decoded.findings.append(line_finding("too_deep", number, whole, column=column))
    elif line.is_ended:
        reason = REASONS[stopped.reason]
        found = line_finding("malformed", number, whole, reason=reason, column=column)
        decoded.findings.append(found)
    else:
        decoded.findings = [found for found in decoded.findings if found.code == "bom"]
        decoded.findings.append(line_finding("pending_tail", number, whole))
        repaired.nul_runs.clear()


def _report_repairs(line: Line, repaired: Repaired, decoded: Decoded) -> None:
    _report_spans("invalid_utf8", line, repaired.replaced, decoded)


def _report_nul_runs(line: Line, repaired: Repaired, decoded: Decoded) -> None:
    _report_spans("nul_run", line, sorted(repaired.nul_runs), decoded)


def _report_spans(code: str, line: Line, spans: list[Span], decoded: Decoded) -> None:
    if spans:
        decoded.findings.append(line_finding(code, line.number, spans[0], count=len(spans)))


def _whole(line: Line) -> Span:
    return Span(line.offset, len(line.data))
