"""Payload -> blocks, calls and results: rules 94 and 95 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sessionscan.reference.content import (
    Block,
    CallInput,
    length,
    read_blocks,
    read_result_content,
)
from sessionscan.reference.json_text import Parser
from sessionscan.reference.json_values import JsonStop, Obj

if TYPE_CHECKING:
    from sessionscan.reference.values import Reader

ENTRIES = {"message": "content", "reasoning": "summary"}
CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
RESULTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
TEXTS = frozenset({"input_text", "output_text", "summary_text", "text"})
_INPUTS = ("arguments", "input", "action")
_CALL_KEYS = frozenset({"call_id", "name", "namespace", *_INPUTS})
_MCP = "mcp__"
_SPACE = " \t\n\r"


def read_payload_content(
    kind: str | None, own_type: str | None, payload: Obj, reader: Reader
) -> tuple[list[Block], int | None]:
    """Read the blocks of a payload, and how many entries its content has.

    `kind` is the type of its record, `own_type` that of the payload itself.
    """
    if kind == "compacted":
        reader.look(payload, ("message",))
        text = reader.string(payload, "message")
        return read_blocks(text, reader), length(text)
    if kind != "response_item" or own_type is None:
        return [], None
    if own_type in ENTRIES:
        key = ENTRIES[own_type]
        reader.look(payload, (key,))
        content = reader.one_of(payload, key, str, list)
        return read_blocks(content, reader, _entry), length(content)
    if own_type in CALLS:
        return [_call(own_type, payload, reader)], 1
    if own_type in RESULTS:
        return [_result(own_type, payload, reader)], 1
    return [], None


def _entry(index: int, entry: Obj, reader: Reader) -> Block:
    """Read an entry of a content; only texts are more than a type."""
    block = Block(index, reader.string(entry, "type"))
    is_text = block.type in TEXTS
    reader.look(entry, ("type", "text") if is_text else ("type",))
    if is_text:
        block.text = reader.string(entry, "text")
    return block


def _call(own_type: str, payload: Obj, reader: Reader) -> Block:
    reader.look(payload, _CALL_KEYS)
    return Block(
        index=0,
        type=own_type,
        tool_use_id=reader.string(payload, "call_id"),
        tool_name=_name(own_type, payload, reader),
        call=CallInput(_input_text(payload), is_server_tool=False),
    )


def _name(own_type: str, payload: Obj, reader: Reader) -> str:
    """Name a tool; one of an MCP server has the server's name before it."""
    name, namespace = reader.string(payload, "name"), reader.string(payload, "namespace")
    if name is None:
        name = own_type.removesuffix("_call")
    is_mcp = namespace is not None and namespace.startswith(_MCP)
    return f"{namespace}__{name}" if is_mcp else name


def _input_key(payload: Obj) -> str | None:
    return next((key for key in _INPUTS if payload.get(key) is not None), None)


def input_of(payload: Obj) -> object:
    """Give what a call was given, as it stands in the payload; None for nothing."""
    key = _input_key(payload)
    return None if key is None else payload[key]


def read_string(text: str) -> Obj | list[Any] | None:
    """Read an input that is a string as the object or array whose JSON text it mostly is."""
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        value, end = Parser(text).value(start) if text[start:] else (None, 0)
    except JsonStop:
        return None
    is_whole = isinstance(value, Obj | list) and not text[end:].strip(_SPACE)
    return value if is_whole else None


def _input_text(payload: Obj) -> str | None:
    """Give the JSON text of what a call was given; `arguments` are often a string of it."""
    key = _input_key(payload)
    if key is None:
        return None
    value = payload[key]
    return value if key == "arguments" and isinstance(value, str) else payload.raw(key)


def _result(own_type: str, payload: Obj, reader: Reader) -> Block:
    reader.look(payload, ("call_id", "output"))
    block = Block(0, own_type, tool_use_id=reader.string(payload, "call_id"))
    read_result_content(
        block,
        reader.one_of(payload, "output", str, list, Obj),
        is_error=None,
        texts_of=("text", "input_text"),
        images_of=("image", "input_image"),
    )
    return block
