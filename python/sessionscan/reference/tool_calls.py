"""Pairs -> the rows of `tool_calls`: rules 30 to 34 of the rulings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.copied import Claim, mark_copies
from sessionscan.reference.outcome import outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.pairing import Pair, Spot

_FIRST_WORD = re.compile(r"[^ \t\n\r\x0b\x0c]+").search
_MCP = re.compile(r"mcp__(.*?)__(.*)", re.DOTALL).fullmatch
_FROM_CALL = (
    "session_id",
    "is_sidechain",
    "attribution_agent",
    "attribution_skill",
    "attribution_plugin",
    "attribution_mcp_server",
    "attribution_mcp_tool",
)
_FROM_TOOL_USE_RESULT = (
    "interrupted",
    "carrier",
    "status",
    "exit_code",
    "timed_out_after_ms",
    "background_task_id",
    "git_operation",
    "persisted_output_path",
    "persisted_output_bytes",
    "stdout_chars",
    "stderr_chars",
    "resolved_model",
)
_MILLISECOND = 1000


class ToolCall(NamedTuple):
    """A call with its result, and its row."""

    pair: Pair
    row: Columns


def tool_calls(pairs: Iterable[Pair]) -> list[ToolCall]:
    """Give all calls in the table's order, copies marked."""
    ordered = sorted(pairs, key=lambda pair: pair.call.order)
    calls = [ToolCall(pair, {**_of_call(pair.call), **_of_result(pair)}) for pair in ordered]
    groups: dict[tuple[str, str], list[Claim]] = {}
    for pair, row in calls:
        if row["message_id"] and row["tool_use_id"]:
            key = row["message_id"], row["tool_use_id"]
            groups.setdefault(key, []).append(_claim(pair.call, row))
    for claims in groups.values():
        mark_copies(claims)
    return calls


def _claim(call: Spot, row: Columns) -> Claim:
    record = call.record
    return Claim(
        row=row,
        session=record.session_id or record.file_id,
        is_forked=record.is_forked,
        first_timestamp=row["call_timestamp"],
        place=record.place,
    )


def _of_call(call: Spot) -> Columns:
    block, record = call.block, call.record
    kept = block.call
    text = kept.text if kept else None
    command = kept.command if kept else None
    mcp = _MCP(block.tool_name or "")
    word = _FIRST_WORD(command or "")
    agent_id = record.columns["agent_id"]
    return {
        "file_id": record.file_id,
        "line": record.line,
        "agent_id": call.facts.agent_id if agent_id is None else agent_id,
        "tool_use_id": block.tool_use_id,
        "tool_name": block.tool_name,
        "mcp_server": mcp[1] if mcp else None,
        "mcp_tool": mcp[2] if mcp else None,
        "is_server_tool": kept is not None and kept.is_server_tool,
        "message_id": record.message.id,
        "block_index": block.index,
        "call_timestamp": record.columns["timestamp"],
        "input_bytes": None if text is None else len(text.encode()),
        "file_path": kept.file_path if kept else None,
        "command_name": word[0] if word else None,
        "notified_status": None,
        "is_copy": False,
        "copy_of_session_id": None,
        "input_json": text,
        "command": command,
        **{column: record.columns[column] for column in _FROM_CALL},
    }


def _of_result(pair: Pair) -> Columns:
    result, call = pair.result, pair.call
    columns = outcome(pair)
    columns["n_results"] = len(pair.results)
    if result is None or result.block.result is None:
        return {**dict.fromkeys(_RESULT_COLUMNS), **columns}
    record, content, extra = result.record, result.block.result, result.record.tool_use_result
    is_same_file = record.file_id == call.record.file_id
    return {
        **columns,
        "result_timestamp": record.columns["timestamp"],
        "result_line": record.line if is_same_file else None,
        "result_before_call": result.order < call.order,
        "wall_ms": _wall_ms(call, result),
        "is_error": content.is_error,
        "denial_kind": record.columns["tool_denial_kind"],
        "result_kind": content.kind,
        "result_chars": result.block.chars,
        "result_images": content.images,
        "has_structured_content": record.has_structured_content,
        "launched_agent_id": extra.agent_id,
        "result_text": result.block.text,
        **{column: getattr(extra, column) for column in _FROM_TOOL_USE_RESULT},
    }


_RESULT_COLUMNS = (
    *("result_timestamp", "result_line", "result_before_call", "wall_ms", "is_error"),
    *("denial_kind", "result_kind", "result_chars", "result_images"),
    *("has_structured_content", "launched_agent_id", "result_text"),
    *_FROM_TOOL_USE_RESULT,
)


def _wall_ms(call: Spot, result: Spot) -> int | None:
    begun, ended = call.record.columns["timestamp"], result.record.columns["timestamp"]
    if begun is None or ended is None or ended < begun:
        return None
    return int((ended - begun) // _MILLISECOND)
