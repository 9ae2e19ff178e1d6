"""Content -> blocks: rules 20 to 22 of the rulings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sessionscan.reference.values import Reader

_KEYS = {
    "text": frozenset({"type", "text"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "tool_reference": frozenset({"type", "tool_name"}),
    "image": frozenset({"type", "source"}),
    "document": frozenset({"type", "source"}),
}
_CALL_KEYS = frozenset({"type", "id", "name", "input"})
_RESULT_KEYS = frozenset({"type", "tool_use_id", "is_error", "content"})
_SOURCE_KEYS = frozenset({"media_type", "data"})
_TEXTS = ("text",)
_IMAGES = ("image",)
_INPUT_KEYS = ("file_path", "notebook_path")
_LAUNCH_KEYS = ("subagent_type", "description", "model")
_INPUT_KEYS_OF_TOOL = {
    "Bash": ("command",),
    "Agent": _LAUNCH_KEYS,
    "Task": _LAUNCH_KEYS,
    "Skill": ("skill",),
}


@dataclass(slots=True)
class CallInput:
    """What is kept of a call's input; `text` is its JSON text.

    `command` is a Bash call's, `skill` a Skill call's, and subagent_type,
    description and model are those of an Agent or Task call. `is_server_tool` says
    that it is the API that runs the tool.
    """

    text: str | None
    is_server_tool: bool = False
    file_path: str | None = None
    command: str | None = None
    subagent_type: str | None = None
    description: str | None = None
    model: str | None = None
    skill: str | None = None


@dataclass(slots=True)
class ResultContent:
    """What is kept of a result: its flag and its content."""

    is_error: bool | None
    kind: str
    images: int | None
    object_type: str | None


@dataclass(slots=True)
class Block:
    """A content block, with its place in the content."""

    index: int
    type: str | None
    tool_use_id: str | None = None
    tool_name: str | None = None
    text: str | None = None
    chars: int | None = None
    is_signature_only: bool | None = None
    media_type: str | None = None
    media_bytes: int | None = None
    call: CallInput | None = None
    result: ResultContent | None = None


def read_blocks(
    content: str | list[Any] | None,
    reader: Reader,
    read_entry: Callable[[int, Obj, Reader], Block] | None = None,
) -> list[Block]:
    """Read the blocks of a content; entries that are none are counted as bad.

    Entries that are objects are read by `read_entry`, without one as Claude's blocks.
    """
    read_entry = read_entry or _block
    blocks = []
    for index, entry in enumerate([content] if isinstance(content, str) else content or ()):
        if isinstance(entry, str):
            blocks.append(Block(index, "text", text=entry))
        elif isinstance(entry, Obj):
            blocks.append(read_entry(index, entry, reader))
        else:
            reader.bad()
    for block in blocks:
        block.chars = None if block.text is None else len(block.text)
    return blocks


def length(content: str | list[Any] | None) -> int | None:
    """Give how many entries a content has; a string is one."""
    if isinstance(content, str):
        return 1
    return None if content is None else len(content)


def _block(index: int, entry: Obj, reader: Reader) -> Block:
    block = Block(index, reader.string(entry, "type"))
    kind = block.type or ""
    if kind == "tool_use" or kind.endswith("_tool_use"):
        _read_call(block, entry, reader)
    elif kind == "tool_result" or kind.endswith("_tool_result"):
        _read_result(block, entry, reader)
    else:
        reader.look(entry, _KEYS.get(kind, ("type",)))
        _read_plain(block, kind, entry, reader)
    return block


def _read_plain(block: Block, kind: str, entry: Obj, reader: Reader) -> None:
    if kind == "text":
        block.text = reader.string(entry, "text")
    elif kind == "thinking":
        block.text = reader.string(entry, "thinking")
        block.is_signature_only = bool(reader.string(entry, "signature")) and not block.text
    elif kind == "tool_reference":
        block.tool_name = reader.string(entry, "tool_name")
    elif kind in {"image", "document"}:
        source = reader.object(entry, "source")
        if source is not None:
            reader.look(source, _SOURCE_KEYS)
            block.media_type = reader.string(source, "media_type")
            data = reader.string(source, "data")
            block.media_bytes = None if data is None else len(data.rstrip("=")) * 3 // 4


def _read_call(block: Block, entry: Obj, reader: Reader) -> None:
    reader.look(entry, _CALL_KEYS)
    block.tool_use_id = reader.string(entry, "id")
    block.tool_name = reader.string(entry, "name")
    value = entry.get("input")
    text = None if value is None else entry.raw("input")
    block.call = CallInput(text, is_server_tool=block.type != "tool_use")
    if not isinstance(value, Obj):
        return
    own_keys = _INPUT_KEYS_OF_TOOL.get(block.tool_name or "", ())
    reader.look(value, (*_INPUT_KEYS, *own_keys))
    paths = [reader.string(value, key) for key in _INPUT_KEYS]
    block.call.file_path = next((path for path in paths if path is not None), None)
    for key in own_keys:
        setattr(block.call, key, reader.string(value, key))


def _read_result(block: Block, entry: Obj, reader: Reader) -> None:
    reader.look(entry, _RESULT_KEYS)
    block.tool_use_id = reader.string(entry, "tool_use_id")
    is_error = reader.boolean(entry, "is_error")
    read_result_content(block, reader.one_of(entry, "content", str, list, Obj), is_error=is_error)


def read_result_content(
    block: Block,
    content: str | list[Any] | Obj | None,
    *,
    is_error: bool | None,
    texts_of: Collection[str] = _TEXTS,
    images_of: Collection[str] = _IMAGES,
) -> None:
    """Read what a result holds; the types of entries that are texts and images are given."""
    if content is None:
        block.result = ResultContent(is_error, "absent", None, None)
        return
    block.text = "\n".join(texts(content, texts_of))
    block.chars = len(block.text)
    images = sum(isinstance(e, Obj) and e.get("type") in images_of for e in _entries(content))
    kind = "string" if isinstance(content, str) else "blocks"
    block.result = ResultContent(is_error, kind, images, _object_type(content))


def _entries(content: str | list[Any] | Obj) -> Iterable[Any]:
    """Give the entries of a result's content; an object is an array of itself."""
    if isinstance(content, str):
        return ()
    return (content,) if isinstance(content, Obj) else content


def joined_text(content: str | list[Any] | Obj) -> str:
    """Give the text of a content, its texts joined by LF."""
    return "\n".join(texts(content))


def texts(content: str | list[Any] | Obj, types: Collection[str] = _TEXTS) -> list[str]:
    """Give the string, or the bare strings and the `text` of entries of those types."""
    if isinstance(content, str):
        return [content]
    found = []
    for entry in _entries(content):
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, Obj) and entry.get("type") in types:
            text = entry.get("text")
            if isinstance(text, str):
                found.append(text)
    return found


def _object_type(content: str | list[Any] | Obj) -> str | None:
    kind = content.get("type") if isinstance(content, Obj) else None
    return kind if isinstance(kind, str) else None
