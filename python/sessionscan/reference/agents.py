"""Parts of agents -> the rows of `agents`: rule 41 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.agent_launches import Launches, launch_result
from sessionscan.reference.agent_parts import AgentKey, AgentParts, agent_parts
from sessionscan.reference.content import CallInput
from sessionscan.reference.made_rows import FirstFiles, Made, Spotted, made
from sessionscan.reference.session_key import key_of_row, session_column
from sessionscan.reference.side_file import read_meta
from sessionscan.reference.sums import token_sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.joined import Joined
    from sessionscan.reference.notified import Notices, Notified
    from sessionscan.reference.side_file import SideFile
    from sessionscan.reference.tool_calls import ToolCall
    from sessionscan.reference.tool_result import ToolUseResult

    Spot = tuple[int, int, int, int]

_FROM_META = ("spawn_depth", "is_fork", "stopped_by_user")


class _Work(NamedTuple):
    """What agents did: the rows of their calls and responses."""

    calls: dict[AgentKey, list[Columns]]
    responses: dict[AgentKey, list[Columns]]


def agent_rows(joined: Joined, notices: Notices) -> Made:
    """Give a row for every agent that has a place."""
    read = {file: read_meta(file) for file in joined.beside if file.kind == "meta"}
    agents = agent_parts(joined)
    launches, first_files = Launches(joined, agents), FirstFiles(joined.files)
    work = _Work(*(_by_agent(rows, joined.files) for rows in _rows_of_work(joined)))
    spotted: list[Spotted] = []
    homes: dict[SideFile, int] = {}
    for key, parts in agents.items():
        meta = read[parts.metas[0]].columns if parts.metas else {}
        joined_by, launch = launches.joining(parts, meta)
        spot = _spot(parts, launch, first_files)
        if spot is None:
            continue
        row = _of_meta_and_launch(meta, launch, launch_result(parts, launch))
        row |= _of_parts(parts, launch, joined_by) | _of_work(work, key)
        _add_notification(row, notices.last(parts.session, [parts.agent_id], row["tool_use_id"]))
        spotted.append(Spotted((*spot, parts.agent_id, row["session_id"] or ""), row))
        homes |= dict.fromkeys(parts.metas, spot[0])
    return made(spotted, read, homes)


def _rows_of_work(joined: Joined) -> Iterator[Sequence[Columns]]:
    yield [call.row for call in joined.calls]
    yield joined.usage


def _by_agent(rows: Iterable[Columns], files: Sequence[FileFacts]) -> dict[AgentKey, list[Columns]]:
    by_agent: dict[AgentKey, list[Columns]] = {}
    for row in rows:
        if row["agent_id"]:
            key = key_of_row(row, files), row["agent_id"]
            by_agent.setdefault(key, []).append(row)
    return by_agent


def _spot(parts: AgentParts, launch: ToolCall | None, first_files: FirstFiles) -> Spot | None:
    """Give file, line, place in the line and block of a row; None where there is no place."""
    if launch is not None:
        place, index = launch.pair.call.order
        return (*place, index)
    own = (record for facts in parts.transcripts for record in facts.counted)
    first = next(own, parts.inline[0] if parts.inline else None)
    if first is not None:
        return (*first.place, -1)
    if parts.transcripts:
        return parts.transcripts[0].file_id, 0, 0, -1
    file_id = first_files.place(parts.session, parts.metas)
    return None if file_id is None else (file_id, 0, 0, -1)


def _of_meta_and_launch(meta: Columns, launch: ToolCall | None, result: ToolUseResult) -> Columns:
    """Give what the client says of an agent; its own meta file comes first."""
    call = launch.row if launch is not None else {}
    asked = (launch.pair.call.block.call if launch is not None else None) or CallInput(None)
    return {
        "agent_type": _first(meta.get("agent_type"), result.agent_type, asked.subagent_type),
        "description": _first(meta.get("description"), asked.description),
        "model": _first(meta.get("model"), asked.model),
        "resolved_model": result.resolved_model,
        "parent_agent_id": _first(meta.get("parent_agent_id"), call.get("agent_id")),
        "tool_use_id": _first(meta.get("tool_use_id"), call.get("tool_use_id")),
        "launch_file_id": call.get("file_id"),
        "launch_line": call.get("line"),
        "status": result.status,
        "is_async": result.is_async,
        "worktree_branch": _first(meta.get("worktree_branch"), result.worktree_branch),
        "reported_total_tokens": result.total_tokens,
        "reported_tool_uses": result.total_tool_use_count,
        "reported_duration_ms": result.total_duration_ms,
        **{column: meta.get(column) for column in _FROM_META},
    }


def _first(*values: str | None) -> str | None:
    return next((value for value in values if value is not None), None)


def _of_parts(parts: AgentParts, launch: ToolCall | None, joined_by: str) -> Columns:
    """Give what was found of an agent, and what was not."""
    own = [record for facts in parts.transcripts for record in facts.counted]
    moments = [*(record.columns["timestamp"] for record in own), *_inline_moments(parts)]
    known = [moment for moment in moments if moment is not None]
    has_transcript = bool(parts.transcripts)
    return {
        "session_id": session_column(parts.session),
        "agent_id": parts.agent_id,
        "workflow_id": parts.workflow_id,
        "joined_by": joined_by,
        "has_transcript": has_transcript,
        "has_meta": bool(parts.metas),
        "has_launch": launch is not None,
        "transcript_file_id": parts.transcripts[0].file_id if has_transcript else None,
        "meta_path": parts.metas[0].path if parts.metas else None,
        "is_dangling": launch is not None and not has_transcript,
        "is_orphan": has_transcript and joined_by == "none",
        "n_records": len(own),
        "n_inline_records": len(parts.inline),
        "first_timestamp": min(known, default=None),
        "last_timestamp": max(known, default=None),
    }


def _inline_moments(parts: AgentParts) -> Iterator[int | None]:
    for record in parts.inline:
        if record.further.inline_agent is not None:
            yield record.further.inline_agent.timestamp


def _of_work(work: _Work, key: AgentKey) -> Columns:
    calls, responses = work.calls.get(key, []), work.responses.get(key, [])
    return {
        "n_tool_calls": len(calls),
        "n_failed": sum(row["outcome"] == "failed" for row in calls),
        "n_responses": len(responses),
        **token_sums(responses),
    }


def _add_notification(row: Columns, notified: Notified | None) -> None:
    """Add what the last notification says; it fills in what the launch did not report."""
    row |= dict.fromkeys(("result_file_id", "result_line", "result_status"))
    if notified is None:
        return
    said = notified.said
    row["result_file_id"] = notified.place.file_id
    row["result_line"] = notified.place.line
    row["result_status"] = said.status
    for column, value in (
        ("reported_total_tokens", said.total_tokens),
        ("reported_tool_uses", said.tool_uses),
        ("reported_duration_ms", said.duration_ms),
    ):
        row[column] = value if row[column] is None else row[column]
