"""One page about a corpus: as data, as a flat table, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan import totals as sum_of
from sessionscan.cli.endings import by_kind
from sessionscan.cli.located import by_code, located
from sessionscan.cli.plain import plain
from sessionscan.cli.tools import by_tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionscan.corpus import Corpus
    from sessionscan.options import Scope

_FIELDS: list[pa.Field[Any]] = [
    *(pa.field(name, pa.string()) for name in ("section", "name", "metric")),
    pa.field("value", pa.int64()),
]
_FLAT = pa.schema(_FIELDS)
_OF_CORPUS = (
    "sessions",
    "forks",
    "prompts",
    "agents",
    "dangling_agents",
    "orphan_agents",
    "replays",
)
_KEYS = frozenset({"model", "tool_name"})

TABLES = ("usage", "usage_iterations", "tool_calls", "sessions", "agents")


def summarize(corpus: Corpus, tz: str, scope: Scope) -> dict[str, Any]:
    """Return the summary as plain Python, fit for JSON."""
    files, sessions = corpus.table("files"), corpus.table("sessions")
    return {
        "tz": tz,
        "scope": scope,
        "first_timestamp": _moment(pc.min(files["first_timestamp"]), tz),
        "last_timestamp": _moment(pc.max(files["last_timestamp"]), tz),
        "sessions": sessions.num_rows,
        "forks": sum_of.count(pc.is_valid(sessions["forked_from_session_id"])),
        "prompts": pc.sum(sessions["n_prompts"], min_count=0).as_py(),
        **_agents(corpus.table("agents")),
        "replays": pc.sum(files["replays"], min_count=0).as_py(),
        "endings": by_kind(sessions["ending_kind"]),
        "coverage": corpus.coverage.as_dict(),
        "totals": corpus.totals(scope),
        "models": corpus.usage_by("model", scope=scope).to_pylist(),
        "tools": by_tool(corpus.table("tool_calls"), scope).to_pylist(),
        "findings": by_code(located(corpus)).to_pylist(),
    }


def _agents(agents: pa.Table) -> dict[str, int]:
    return {
        "agents": agents.num_rows,
        "dangling_agents": sum_of.count(agents["is_dangling"]),
        "orphan_agents": sum_of.count(agents["is_orphan"]),
    }


def flat(summary: Mapping[str, Any]) -> pa.Table:
    """Return every number of a summary as a row: section, name, metric, value.

    A sum beyond int64 is null, as in every table.
    """
    rows = [
        (section, name, metric, value if -(2**63) <= (value or 0) < 2**63 else None)
        for section, name, metric, value in _numbers(summary)
    ]
    columns = dict(zip(_FLAT.names, zip(*rows, strict=True), strict=True))
    return pa.Table.from_pydict(columns, schema=_FLAT)


def _numbers(summary: Mapping[str, Any]) -> Iterator[tuple[str, str | None, str, int | None]]:
    coverage, totals = summary["coverage"], summary["totals"]
    yield from _metrics("corpus", None, {name: summary[name] for name in _OF_CORPUS})
    yield from _metrics("endings", None, summary["endings"])
    yield from _metrics("coverage", None, coverage)
    for section in ("records_by_type", "unknown_types", "unknown_blocks", "beside"):
        for name, count in coverage[section].items():
            yield section, name, "count", count
    yield from _metrics("totals", None, totals)
    for kind, sums in totals["side"].items():
        yield from _metrics("side", kind, sums)
    for section, key in (("models", "model"), ("tools", "tool_name"), ("findings", "code")):
        for row in summary[section]:
            yield from _metrics(section, row[key], row)


def _metrics(
    section: str, name: str | None, values: Mapping[str, Any]
) -> Iterator[tuple[str, str | None, str, int | None]]:
    """Yield the numbers among `values`; what is missing is null, not left out."""
    for metric, value in values.items():
        if (value is None or isinstance(value, int)) and metric not in _KEYS:
            yield section, name, metric, value


def _moment(moment: pa.Scalar[Any], tz: str) -> str | None:
    column = pa.chunked_array([pa.array([moment.as_py()], pa.timestamp("us", "UTC"))])
    text: str | None = plain(column, tz)[0].as_py()
    return text
