"""The summary as a page to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.cli import tools
from sessionscan.cli.text_table import render
from sessionscan.cli.usage import TITLES
from sessionscan.coverage import counted
from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TOOLS_SHOWN = 15
_WORDS = frozenset({"model", "type", "tool_name", "severity", "code"})
_MODEL_TOKENS = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "thinking_tokens",
)


def page(summary: Mapping[str, Any]) -> str:
    """Return the page: what there is, tokens, tools, findings."""
    parts = [_head(summary), _models(summary), _side(summary), _tools(summary), _findings(summary)]
    return "\n".join(part for part in parts if part)


def _head(summary: Mapping[str, Any]) -> str:
    coverage, totals = summary["coverage"], summary["totals"]
    facts = {
        "period": _period(summary),
        "files": f"{coverage['files_read']:,} read of {coverage['files_found']:,} found"
        + _besides(
            (coverage["files_copied"], "copied"),
            (coverage["files_partial"], "partial"),
            (coverage["files_unreadable"], "unreadable"),
        ),
        "records": f"{coverage['records']:,}"
        + _besides(
            (summary["replays"], "replayed"),
            (coverage["lines_lost"], "line lost" if coverage["lines_lost"] == 1 else "lines lost"),
        ),
        "beside": _listed(coverage["beside"]) or "nothing stands beside the transcripts",
        "sessions": f"{summary['sessions']:,}" + _besides((summary["forks"], "forked")),
        "endings": _listed(summary["endings"]) or "-",
        "prompts": f"{summary['prompts']:,}",
        "agents": f"{summary['agents']:,}"
        + _besides(
            (summary["dangling_agents"], "launched and without a transcript"),
            (summary["orphan_agents"], "launched by nothing that is here"),
        ),
        "responses": f"{totals['responses']:,}"
        + _besides(
            (totals["lower_bound"], "with an output count that is a lower bound"),
            (totals["uncertain"], "uncertain"),
            (totals["conflicts"], "with conflicting copies"),
        ),
        "copies": _copies(totals["copies"], summary["scope"]),
        "calls": f"{sum(row['calls'] for row in summary['tools']):,}",
    }
    width = max(map(len, facts))
    return "".join(f"{name:<{width}}  {fact}\n" for name, fact in facts.items())


def _period(summary: Mapping[str, Any]) -> str:
    ends = (summary["first_timestamp"], summary["last_timestamp"])
    first, last = (end[:19].replace("T", " ") if end else "-" for end in ends)
    return f"{first} to {last} ({summary['tz']})"


def _besides(*counts: tuple[int, str]) -> str:
    named = [f"{count:,} {what}" for count, what in counts if count]
    return f" ({', '.join(named)})" if named else ""


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)


def _copies(copies: int, scope: str) -> str:
    if not copies:
        return f"no response repeats another session's (scope {scope})"
    said = "left out" if scope == "corpus" else "counted in each session"
    verb = "repeats" if copies == 1 else "repeat"
    return f"{counted(copies, 'response')} {verb} another session's, {said} (scope {scope})"


def _models(summary: Mapping[str, Any]) -> str:
    columns = ("model", "responses", "lower_bound", *_MODEL_TOKENS)
    rows = [{**row, "model": row["model"] or "(none)"} for row in summary["models"]]
    rows.append({**summary["totals"], "model": "total"})
    return "tokens by model\n" + _table(rows, columns)


def _side(summary: Mapping[str, Any]) -> str:
    """Show what stands outside the responses' own counts; most corpora have none."""
    rows = [{"type": kind, **sums} for kind, sums in summary["totals"]["side"].items()]
    if not rows:
        return ""
    columns = ("type", "n", *TOKENS)
    return "beside the responses, not added in\n" + _table(rows, columns)


def _tools(summary: Mapping[str, Any]) -> str:
    rows = [{**row, "tool_name": row["tool_name"] or "(none)"} for row in summary["tools"]]
    if not rows:
        return ""
    text = "tools\n" + _table(rows[:_TOOLS_SHOWN], tools.SCHEMA.names)
    if len(rows) > _TOOLS_SHOWN:
        text += f"… {len(rows) - _TOOLS_SHOWN:,} more; see sessionscan tools\n"
    return text


def _findings(summary: Mapping[str, Any]) -> str:
    rows = summary["findings"]
    if not rows:
        return "findings\nnone\n"
    return "findings\n" + _table(rows, ("severity", "code", "lines", "count"))


def _table(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> str:
    listed = list(rows)
    named = {name: [_within(row[name]) for row in listed] for name in columns}
    arrays = {
        name: pa.array(values, pa.string() if name in _WORDS else pa.int64())
        for name, values in named.items()
    }
    return render(pa.table(arrays), titles=TITLES)


def _within(value: Any) -> Any:  # noqa: ANN401 (a cell of any type)
    """Leave out a sum that a column cannot hold (ruling 27)."""
    return None if isinstance(value, int) and not -(2**63) <= value < 2**63 else value
