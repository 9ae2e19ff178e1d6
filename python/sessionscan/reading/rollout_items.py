"""What a rollout's record says to a reader: rules 94 and 95 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reading.story import Call, Picture, Result, Words
from sessionscan.reference.codex_content import (
    CALLS,
    ENTRIES,
    RESULTS,
    TEXTS,
    input_of,
    read_string,
)
from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reading.story import Part
    from sessionscan.reference.codex_records import Rollout
    from sessionscan.reference.content import Block
    from sessionscan.reference.facts import Record

_WHO = {
    "user": "User",
    "assistant": "Assistant",
    "developer": "Developer",
    "system": "System",
}
_SHOWN = CALLS | RESULTS | ENTRIES.keys()
ASSISTANT = _WHO["assistant"]


@dataclass(slots=True)
class Item:
    """What one record says: who speaks, and in which parts.

    `call_id` is that of the call or result that is its only part.
    """

    who: str
    parts: list[Part]
    call_id: str | None = None


def read_item(record: Record, rollout: Rollout, payload: Obj) -> Item | None:
    """Return what the record of a rollout says; None where it is nothing to a reader."""
    kind, own_type = record.columns["type"], rollout.columns["subtype"]
    if kind == "compacted":
        words = [Words(block.text) for block in rollout.blocks if block.text]
        return Item("Summary of what came before", [*words]) if words else None
    if kind != "response_item" or own_type not in _SHOWN:
        return None
    if own_type in CALLS:
        block = rollout.blocks[0]
        call = Call(block.tool_name or "(unnamed)", list(_given(block, payload)), record.line)
        return Item(ASSISTANT, [call], block.tool_use_id)
    if own_type in RESULTS:
        result = Result(None, list(_output(payload.get("output"))), record.line)
        return Item(ASSISTANT, [result], rollout.blocks[0].tool_use_id)
    if own_type == "reasoning":
        parts = list(_entries(payload.get("summary"), "thinking"))
        return Item(ASSISTANT, [*parts]) if parts else None
    role = rollout.columns["role"]
    return Item(_WHO.get(role, role or "(no role)"), [*_entries(payload.get("content"), "text")])


def _given(block: Block, payload: Obj) -> Iterator[tuple[str, str]]:
    """Give the input of a call, by key; strings as they are, others as JSON."""
    value = input_of(payload)
    members = read_string(value) if isinstance(value, str) else value
    if isinstance(members, Obj):
        for key, each in members.items():
            yield key, each if isinstance(each, str) else members.raw(key) or "null"
    elif isinstance(value, str):
        yield "input", value
    elif block.call is not None and block.call.text is not None:
        yield "input", block.call.text


def _entries(content: object, kind: str) -> Iterator[Words | Picture]:
    for entry in content if isinstance(content, list) else [content]:
        if isinstance(entry, str):
            yield Words(entry, kind)
        elif isinstance(entry, Obj):
            yield _entry(entry, kind)
        elif entry is not None:
            yield Words("an entry that is no object", "note")


def _entry(entry: Obj, kind: str) -> Words | Picture:
    own_type, text = entry.get("type"), entry.get("text")
    if own_type in TEXTS and isinstance(text, str):
        return Words(text, kind)
    if own_type == "input_image":
        return _picture(entry.get("image_url"))
    return Words(f"a block of type {own_type if isinstance(own_type, str) else '(none)'}", "note")


def _picture(url: object) -> Picture:
    """Return the image that a data URL holds; any other stays a placeholder."""
    if isinstance(url, str) and url.startswith("data:"):
        head, comma, data = url.removeprefix("data:").partition(",")
        media_type, *options = head.split(";")
        if comma and "base64" in options:
            return Picture("image", media_type or None, data)
    return Picture("image", None, None)


def _output(content: object) -> Iterator[Words | Picture]:
    if isinstance(content, Obj):
        yield from _entries([content], "text")
    else:
        yield from _entries(content, "text")
