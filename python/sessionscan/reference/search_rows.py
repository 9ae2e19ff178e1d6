"""Hits as rows: one for each text that holds something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from sessionscan.hits import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionscan.reference.search_segments import Segment

_SNIPPET = 200
_BEFORE = 60


class Matched(NamedTuple):
    """A text that holds something: where it does, and what stands around the first place."""

    segment: Segment
    spans: list[tuple[int, int]]
    snippet: str
    snippet_start: int

    def of_tool(self, tools: Mapping[str, str | None]) -> Matched:
        """Give it with its tool, where it is a result of a call among these."""
        call = self.segment.result_of
        tool = tools.get(call) if call else self.segment.tool
        return self._replace(segment=self.segment._replace(tool=tool))


@dataclass(slots=True, eq=False)
class Hit:
    """A record, or an output, that holds what is looked for."""

    path: str
    line: int
    place: int
    session_id: str | None
    project: str | None
    timestamp: int | None
    role: str | None
    texts: list[Matched]
    also_in: list[str] = field(default_factory=list)


def matched(segment: Segment, spans: list[tuple[int, int]]) -> Matched:
    """Cut out what stands around the first match."""
    start = max(spans[0][0] - _BEFORE, 0)
    return Matched(segment, spans, segment.text[start : start + _SNIPPET], start)


def hit_table(hits: Iterable[Hit]) -> pa.Table:
    """Build the table of hits in one chunk."""
    rows = [_row(hit, text) for hit in hits for text in hit.texts]
    arrays = [_array(column.type, [row[column.name] for row in rows]) for column in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _row(hit: Hit, text: Matched) -> dict[str, Any]:
    return {
        "session_id": hit.session_id,
        "project": hit.project,
        "path": hit.path,
        "line": hit.line,
        "place": hit.place,
        "timestamp": hit.timestamp,
        "role": hit.role,
        "field": text.segment.field,
        "key": text.segment.key,
        "tool_name": text.segment.tool,
        "snippet": text.snippet,
        "snippet_start": text.snippet_start,
        "starts": [start for start, _ in text.spans],
        "ends": [end for _, end in text.spans],
        "also_in": hit.also_in,
    }


def _array(kind: pa.DataType, values: list[Any]) -> Any:  # noqa: ANN401  an array of any type
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values, kind)
