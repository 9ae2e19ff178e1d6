"""The fields of a record and of its message: rule 19 of the rulings.

A record that a progress record embeds is read by the same functions, without
its content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionscan.reference.json_values import Obj
from sessionscan.reference.tokens import Usage, read_usage

if TYPE_CHECKING:
    from sessionscan.reference.values import Reader

Columns = dict[str, Any]

STRINGS = {
    "type": "type",
    "subtype": "subtype",
    "uuid": "uuid",
    "parent_uuid": "parentUuid",
    "logical_parent_uuid": "logicalParentUuid",
    "version": "version",
    "cwd": "cwd",
    "git_branch": "gitBranch",
    "entrypoint": "entrypoint",
    "user_type": "userType",
    "agent_id": "agentId",
    "role": "role",
    "request_id": "requestId",
    "effort": "effort",
    "per_turn_effort": "perTurnEffort",
    "prompt_id": "promptId",
    "prompt_source": "promptSource",
    "permission_mode": "permissionMode",
    "leaf_uuid": "leafUuid",
    "source_tool_assistant_uuid": "sourceToolAssistantUUID",
    "source_tool_use_id": "sourceToolUseID",
    "interrupted_message_id": "interruptedMessageId",
    "tool_denial_kind": "toolDenialKind",
    "attribution_agent": "attributionAgent",
    "attribution_skill": "attributionSkill",
    "attribution_plugin": "attributionPlugin",
    "attribution_mcp_server": "attributionMcpServer",
    "attribution_mcp_tool": "attributionMcpTool",
    "advisor_model": "advisorModel",
    "scheduled_task_id": "scheduledTaskId",
    "slug": "slug",
}
BOOLEANS = {
    "is_sidechain": "isSidechain",
    "is_meta": "isMeta",
    "is_compact_summary": "isCompactSummary",
    "is_visible_in_transcript_only": "isVisibleInTranscriptOnly",
    "is_api_error": "isApiErrorMessage",
    "is_aborted_mid_stream": "isAbortedMidStream",
    "truncated_after_output": "truncatedAfterOutput",
}
INTEGERS = {"api_block_index": "apiBlockIndex", "api_error_status": "apiErrorStatus"}
ENVELOPE_KEYS = frozenset(
    {*STRINGS.values(), *BOOLEANS.values(), *INTEGERS.values()}
    | {"sessionId", "session_id", "timestamp", "origin", "forkedFrom", "message"},
)

_MESSAGE_KEYS = frozenset({"id", "role", "model", "stop_reason", "usage", "diagnostics"})
_MISS_KEYS = frozenset({"type", "cache_missed_input_tokens"})


@dataclass(slots=True)
class Message:
    """What is kept of a message that is an object, or of none."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: str | list[Any] | None = None
    usage: Usage | None = None
    cache_miss_type: str | None = None
    cache_missed_input_tokens: int | None = None


def read_envelope(obj: Obj, reader: Reader) -> Columns:
    """Read the fields of a record itself, by the names of their columns."""
    columns: Columns = {column: reader.string(obj, key) for column, key in STRINGS.items()}
    columns.update({column: reader.boolean(obj, key) for column, key in BOOLEANS.items()})
    columns.update({column: reader.integer(obj, key) for column, key in INTEGERS.items()})
    columns["timestamp"] = reader.timestamp(obj, "timestamp")
    columns["session_id"] = _session_id(obj, reader)
    _read_parts(obj, reader, columns)
    return columns


def _session_id(obj: Obj, reader: Reader) -> str | None:
    first, second = reader.string(obj, "sessionId"), reader.string(obj, "session_id")
    if first is not None and second is not None and first != second:
        reader.bad()
    return second if first is None else first


def _read_parts(obj: Obj, reader: Reader, columns: Columns) -> None:
    """Read the small objects that hold a column or two."""
    columns["origin_kind"] = columns["forked_from_session_id"] = None
    columns["forked_from_message_uuid"] = None
    if (origin := reader.object(obj, "origin")) is not None:
        reader.look(origin, ("kind",))
        columns["origin_kind"] = reader.string(origin, "kind")
    if (forked := reader.object(obj, "forkedFrom")) is not None:
        reader.look(forked, ("sessionId", "messageUuid"))
        columns["forked_from_session_id"] = reader.string(forked, "sessionId")
        columns["forked_from_message_uuid"] = reader.string(forked, "messageUuid")


def is_forked(obj: Obj) -> bool:
    """Say whether a record has a forkedFrom."""
    return isinstance(obj.get("forkedFrom"), Obj)


def is_assistant(columns: Columns) -> bool:
    """Say whether a record is an assistant's (rule 24)."""
    if columns["type"] is None:
        return bool(columns["role"] == "assistant")
    return bool(columns["type"] == "assistant")


def read_message(obj: Obj, reader: Reader, *, with_content: bool) -> Message:
    """Read the message of a record; a string is nothing but content."""
    value = reader.one_of(obj, "message", *((str, Obj) if with_content else (Obj,)))
    if not isinstance(value, Obj):
        return Message(content=value)
    reader.look(value, _MESSAGE_KEYS | {"content"} if with_content else _MESSAGE_KEYS)
    message = Message(
        id=reader.string(value, "id"),
        role=reader.string(value, "role"),
        model=reader.string(value, "model"),
        stop_reason=reader.string(value, "stop_reason"),
        content=reader.one_of(value, "content", str, list) if with_content else None,
    )
    if (usage := reader.object(value, "usage")) is not None:
        message.usage = read_usage(usage, reader)
    if (diagnostics := reader.object(value, "diagnostics")) is not None:
        _read_cache_miss(diagnostics, reader, message)
    return message


def _read_cache_miss(diagnostics: Obj, reader: Reader, message: Message) -> None:
    reader.look(diagnostics, ("cache_miss_reason",))
    if (reason := reader.object(diagnostics, "cache_miss_reason")) is not None:
        reader.look(reason, _MISS_KEYS)
        message.cache_miss_type = reader.string(reason, "type")
        message.cache_missed_input_tokens = reader.count(reason, "cache_missed_input_tokens")
