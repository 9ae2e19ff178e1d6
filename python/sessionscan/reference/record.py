"""Object -> record: what is read of a line (rules 19, 20, 23, 24 and 93)."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sessionscan.reference.codex_records import read_rollout
from sessionscan.reference.content import length, read_blocks
from sessionscan.reference.envelope import (
    ENVELOPE_KEYS,
    Columns,
    Message,
    is_assistant,
    is_forked,
    read_envelope,
    read_message,
)
from sessionscan.reference.facts import Carrier, Record
from sessionscan.reference.further import Further, read_further
from sessionscan.reference.tool_result import ToolUseResult, read_tool_use_result
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from sessionscan.reference.diagnose import Span
    from sessionscan.reference.json_values import Obj

_RECORD_KEYS = ENVELOPE_KEYS | {"mcpMeta", "toolUseResult", "attachment"}
_NO_PAYLOAD = frozenset(
    {"uuid", "parentUuid", "timestamp", "version", "gitBranch", "cwd", "promptId", "slug"},
)
_OUTER = ("session_id", "timestamp", "version", "cwd", "git_branch", "entrypoint")


def read_record(obj: Obj, line: int, index: int, span: Span, reader: Reader) -> Record:
    """Read a record, counting in `reader` what is wrong with its fields."""
    columns = read_envelope(obj, reader)
    is_message = columns["type"] in {"user", "assistant"} or columns["role"] is not None
    is_progress = columns["type"] == "progress"
    reader.look(obj, _keys(is_message=is_message, is_progress=is_progress))
    message = read_message(obj, reader, with_content=True)
    content = _content(obj, message, reader, is_message=is_message)
    if columns["role"] is None:
        columns["role"] = message.role
    carrier = None
    if is_assistant(columns) and message.usage is not None:
        carrier = Carrier(columns, message, "file", is_forked(obj))
    record = Record(
        line=line,
        index=index,
        span=span,
        columns=columns,
        message=message,
        blocks=read_blocks(content, reader),
        n_blocks=length(content),
        payload=_payload(obj) if columns["uuid"] else None,
        is_forked=is_forked(obj),
        tool_use_result=read_tool_use_result(obj.get("toolUseResult"), reader),
        has_structured_content=_has_structured_content(obj, reader),
        carrier=carrier,
        inline=_inline(obj, columns, reader) if is_progress else None,
        further=read_further(obj, columns, reader, is_message=is_message),
        rollout=read_rollout(obj, columns["type"], reader),
    )
    _add_rollout(record)
    return record


def _add_rollout(record: Record) -> None:
    """Take what the envelope leaves open from a rollout's payload (rules 93 to 95).

    Such a record has no row in the further tables.
    """
    rollout = record.rollout
    if rollout is None:
        return
    rollout.fill_in(record.columns, record.message)
    record.further = Further(record.further.is_message)
    if record.n_blocks is None:
        record.blocks, record.n_blocks = rollout.blocks, rollout.n_blocks
        record.tool_use_result = ToolUseResult("absent")


def _keys(*, is_message: bool, is_progress: bool) -> frozenset[str]:
    keys = _RECORD_KEYS
    if is_message:
        keys |= {"content"}
    return keys | {"data"} if is_progress else keys


def read_content(obj: Obj, reader: Reader, *, is_message: bool) -> str | list[Any] | None:
    """Read the content of a record alone."""
    message = read_message(obj, reader, with_content=True)
    return _content(obj, message, reader, is_message=is_message)


def _content(
    obj: Obj, message: Message, reader: Reader, *, is_message: bool
) -> str | list[Any] | None:
    """Give the content of the message, else that of a message record itself."""
    own: str | list[Any] | None = None
    if is_message:
        own = reader.one_of(obj, "content", str, list)
    return own if message.content is None else message.content


def _has_structured_content(obj: Obj, reader: Reader) -> bool | None:
    meta = reader.object(obj, "mcpMeta")
    if meta is None:
        return None
    reader.look(meta, ("structuredContent",))
    return meta.get("structuredContent") is not None


def _payload(obj: Obj) -> bytes:
    """Give a digest of the text that says whether two records are the same."""
    for key in ("message", "attachment"):
        if obj.get(key) is not None:
            return _digest(obj.raw(key) or "")
    written = (
        f"{obj.text[member.key_start : member.key_end]}:{obj.text[member.start : member.end]}"
        for member in obj.members
        if member.key not in _NO_PAYLOAD
    )
    return _digest(",".join(written))


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _inline(obj: Obj, outer: Columns, reader: Reader) -> Carrier | None:
    """Read the record of a subagent that a progress record embeds."""
    data = reader.object(obj, "data")
    if data is None:
        return None
    kind, agent_id = reader.string(data, "type"), reader.string(data, "agentId")
    is_agent = kind == "agent_progress"
    reader.look(data, ("type", "agentId", "message") if is_agent else ("type", "agentId"))
    embedded = reader.object(data, "message") if is_agent else None
    if embedded is None:
        return None
    inner = Reader()
    inner.look(embedded, ENVELOPE_KEYS)
    columns = read_envelope(embedded, inner)
    message = read_message(embedded, inner, with_content=False)
    if columns["role"] is None:
        columns["role"] = message.role
    if not is_assistant(columns) or message.usage is None:
        return None
    reader.add(inner)
    _fill_in(columns, outer, agent_id)
    return Carrier(columns, message, "inline", is_forked(embedded))


def _fill_in(columns: Columns, outer: Columns, agent_id: str | None) -> None:
    """Take from the outer record what the embedded one does not say."""
    for column in _OUTER:
        if columns[column] is None:
            columns[column] = outer[column]
    if agent_id is not None:
        columns["agent_id"] = agent_id
    if columns["is_sidechain"] is None:
        columns["is_sidechain"] = True
