"""toolUseResult: the structured form of a result beside its message (rule 30)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.json_text import parse_whole
from sessionscan.reference.json_values import JsonStop, Obj

if TYPE_CHECKING:
    from sessionscan.reference.values import Reader

_KEYS = frozenset(
    {
        "agentType",
        "worktreeBranch",
        "workflowName",
        "runId",
        "transcriptDir",
        "isAsync",
        "totalTokens",
        "totalToolUseCount",
        "totalDurationMs",
        "status",
        "agentId",
        "resolvedModel",
        "backgroundTaskId",
        "persistedOutputPath",
        "stdout",
        "stderr",
        "interrupted",
        "exitCode",
        "returnCode",
        "timedOutAfterMs",
        "persistedOutputSize",
        "gitOperation",
    },
)


@dataclass(slots=True)
class ToolUseResult:
    """What is kept of a toolUseResult; only an object fills more than `carrier`."""

    carrier: str
    status: str | None = None
    agent_id: str | None = None
    resolved_model: str | None = None
    background_task_id: str | None = None
    persisted_output_path: str | None = None
    persisted_output_bytes: int | None = None
    stdout_chars: int | None = None
    stderr_chars: int | None = None
    interrupted: bool | None = None
    exit_code: int | None = None
    timed_out_after_ms: int | None = None
    git_operation: str | None = None
    agent_type: str | None = None
    worktree_branch: str | None = None
    workflow_name: str | None = None
    run_id: str | None = None
    transcript_dir: str | None = None
    is_async: bool | None = None
    total_tokens: int | None = None
    total_tool_use_count: int | None = None
    total_duration_ms: int | None = None


def read_tool_use_result(value: object, reader: Reader) -> ToolUseResult:
    """Read a toolUseResult of any type."""
    if not isinstance(value, Obj):
        return ToolUseResult(_carrier(value))
    reader.look(value, _KEYS)
    exit_code = reader.integer(value, "exitCode")
    return_code = reader.integer(value, "returnCode")
    return ToolUseResult(
        carrier="object",
        status=reader.string(value, "status"),
        agent_id=reader.string(value, "agentId"),
        resolved_model=reader.string(value, "resolvedModel"),
        background_task_id=reader.string(value, "backgroundTaskId"),
        persisted_output_path=reader.string(value, "persistedOutputPath"),
        persisted_output_bytes=reader.integer(value, "persistedOutputSize"),
        stdout_chars=_chars(reader.string(value, "stdout")),
        stderr_chars=_chars(reader.string(value, "stderr")),
        interrupted=reader.boolean(value, "interrupted"),
        exit_code=return_code if exit_code is None else exit_code,
        timed_out_after_ms=reader.integer(value, "timedOutAfterMs"),
        git_operation=_git_operation(value, reader),
        is_async=reader.boolean(value, "isAsync"),
        agent_type=reader.string(value, "agentType"),
        worktree_branch=reader.string(value, "worktreeBranch"),
        workflow_name=reader.string(value, "workflowName"),
        run_id=reader.string(value, "runId"),
        transcript_dir=reader.string(value, "transcriptDir"),
        total_tokens=reader.integer(value, "totalTokens"),
        total_tool_use_count=reader.integer(value, "totalToolUseCount"),
        total_duration_ms=reader.integer(value, "totalDurationMs"),
    )


def _carrier(value: object) -> str:
    if value is None:
        return "absent"
    if isinstance(value, str):
        return "json_string" if _holds_json(value) else "string"
    return "array" if isinstance(value, list) else "other"


def _holds_json(text: str) -> bool:
    """Say whether a string is the JSON text of one object or array."""
    if not text.lstrip(" \t\r\n").startswith(("{", "[")):
        return False
    try:
        parse_whole(text)
    except JsonStop:
        return False
    return True


def _chars(text: str | None) -> int | None:
    return None if text is None else len(text)


def _git_operation(value: Obj, reader: Reader) -> str | None:
    operation = reader.one_of(value, "gitOperation", str, Obj)
    return ",".join(operation) if isinstance(operation, Obj) else operation
