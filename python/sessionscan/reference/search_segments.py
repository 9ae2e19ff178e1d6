"""A record to the texts that a person could see: rules 85 and 98."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sessionscan.reference.codex_content import input_of, read_string
from sessionscan.reference.json_values import Obj
from sessionscan.reference.record import read_content
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionscan.reference.content import Block
    from sessionscan.reference.facts import Record

_NOT_WORDS = frozenset(
    {
        "agentId",
        "data",
        "encrypted_content",
        "encrypted_index",
        "id",
        "image_url",
        "media_type",
        "messageId",
        "parentUuid",
        "requestId",
        "sessionId",
        "session_id",
        "signature",
        "timestamp",
        "toolUseID",
        "toolUseId",
        "tool_use_id",
        "type",
        "uuid",
    }
)
"""Members beside words: what only joins records, and what no person reads."""

_OF_EVENTS = {
    "queue-operation": ("queue", ("content",)),
    "last-prompt": ("last_prompt", ("lastPrompt",)),
    "summary": ("summary", ("summary",)),
    "custom-title": ("title", ("customTitle", "title")),
    "ai-title": ("title", ("aiTitle", "title")),
    "agent-name": ("title", ("agentName",)),
    "progress": ("progress", ("data",)),
    "started": ("journal", ("label", "phase", "result")),
    "result": ("journal", ("label", "phase", "result")),
}


class Segment(NamedTuple):
    """A text: its field, the names that lead to it, and the tool or call it belongs to."""

    field: str
    key: str | None
    tool: str | None
    result_of: str | None
    text: str


def segments(record: Record, obj: Obj) -> Iterator[Segment]:
    """Give every text of a record, in order."""
    rollout = record.rollout
    if rollout is not None and record.blocks is rollout.blocks:
        yield from _of_rollout(record.blocks, obj["payload"])
        return
    is_message = record.columns["type"] in {"user", "assistant"} or isinstance(obj.get("role"), str)
    for block in _blocks(obj, is_message=is_message):
        yield from _of_block(block)
    if record.columns["type"] == "attachment":
        yield from _all("attachment", obj.get("attachment"))
    elif not is_message and rollout is None:
        yield from _of_event(record.columns["type"], obj)


def _of_rollout(blocks: Iterable[Block], payload: Obj) -> Iterator[Segment]:
    """Give the texts of a rollout's record: rule 98."""
    for block in blocks:
        if block.call is not None:
            given = input_of(payload)
            members = read_string(given) if isinstance(given, str) else None
            given = given if members is None else members
            for key, text in _strings(given, frozenset()):
                yield Segment("tool_input", key, block.tool_name, None, text)
        elif block.result is not None:
            for key, text in _strings(payload.get("output"), _NOT_WORDS):
                yield Segment("tool_result", key, None, block.tool_use_id, text)
        elif block.text is not None:
            field = "thinking" if block.type == "summary_text" else "text"
            yield Segment(field, None, None, None, block.text)


def calls(pairs: Iterable[tuple[Record, Obj]]) -> dict[str, str | None]:
    """Give the name of the first call with each id, of all records of a file."""
    found: dict[str, str | None] = {}
    for record, _ in pairs:
        for block in record.blocks:
            if block.call is not None and block.tool_use_id is not None:
                found.setdefault(block.tool_use_id, block.tool_name)
    return found


def _blocks(obj: Obj, *, is_message: bool) -> list[Any]:
    content = read_content(obj, Reader(), is_message=is_message)
    return [content] if isinstance(content, str) else content or []


def _of_block(block: object) -> Iterator[Segment]:
    if isinstance(block, str):
        yield Segment("text", None, None, None, block)
    if not isinstance(block, Obj):
        return
    kind = _string(block, "type") or ""
    if kind in {"text", "thinking"}:
        text = _string(block, kind)
        if text is not None:
            yield Segment(kind, None, None, None, text)
    elif kind.endswith("_tool_use") or kind == "tool_use":
        for key, text in _strings(block.get("input"), frozenset()):
            yield Segment("tool_input", key, _string(block, "name"), None, text)
    elif kind.endswith("_tool_result") or kind == "tool_result":
        content = block.get("content")
        if isinstance(content, (str, list, Obj)):
            for key, text in _strings(content, _NOT_WORDS):
                yield Segment("tool_result", key, None, _string(block, "tool_use_id"), text)


def _of_event(kind: str | None, obj: Obj) -> Iterator[Segment]:
    if kind == "file-history-snapshot":
        snapshot = obj.get("snapshot")
        tracked = snapshot.get("trackedFileBackups") if isinstance(snapshot, Obj) else None
        for path in tracked if isinstance(tracked, Obj) else ():
            yield Segment("path", None, None, None, path)
    elif kind == "file-history-delta":
        text = _string(obj, "trackingPath")
        if text is not None:
            yield Segment("path", None, None, None, text)
    else:
        field, names = _OF_EVENTS.get(kind or "", ("system", ("content",)))
        for name in names:
            yield from _all(field, obj.get(name))


def _all(field: str, value: object) -> Iterator[Segment]:
    for key, text in _strings(value, _NOT_WORDS):
        yield Segment(field, key, None, None, text)


def _strings(value: object, left_out: frozenset[str]) -> Iterator[tuple[str | None, str]]:
    """Give every string in a value, with the names that lead to it."""
    open_: list[tuple[str, object]] = [("", value)]
    while open_:
        names, inner = open_.pop()
        if isinstance(inner, str):
            yield names or None, inner
        elif isinstance(inner, list):
            open_ += [(names, entry) for entry in reversed(inner)]
        elif isinstance(inner, Obj):
            below = [(name, each) for name, each in inner.items() if name not in left_out]
            before = f"{names}." if names else ""
            open_ += [(before + name, each) for name, each in reversed(below)]


def _string(obj: Obj, key: str) -> str | None:
    value = obj.get(key)
    return value if isinstance(value, str) else None
