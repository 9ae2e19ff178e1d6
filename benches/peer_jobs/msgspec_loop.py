"""The loop with msgspec: typed structs of the members that are wanted, the rest is passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from peer_jobs.fold import REDACTED, Fold, outcome

if TYPE_CHECKING:
    from pathlib import Path


class _Usage(Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Block(Struct):
    type: str
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | UnsetType | None = UNSET
    content: Raw = Raw()


class _Message(Struct):
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None
    content: str | list[_Block] | None = None


class _Record(Struct):
    type: str | None = None
    uuid: str | None = None
    sessionId: str | None = None  # noqa: N815
    timestamp: str | None = None
    message: _Message | None = None
    toolUseResult: Raw = Raw()  # noqa: N815


class _Status(Struct):
    status: str | None = None


class _Kind(Struct):
    type: str | None = None


_status = msgspec.json.Decoder(_Status).decode
_kind = msgspec.json.Decoder(_Kind).decode


def run(folder: Path) -> dict[str, Any]:
    """Return the totals of all transcripts below `folder`."""
    fold = Fold()
    decode = msgspec.json.Decoder(_Record).decode
    for path in sorted(folder.rglob("*.jsonl")):
        fold.begin()
        name = str(path)
        with path.open("rb") as file:
            for number, line in enumerate(file):
                record = decode(line)
                if not fold.replayed(record.uuid) and record.message is not None:
                    _one(fold, record, record.message, (name, number))
        fold.end()
    return fold.totals()


def _one(fold: Fold, record: _Record, message: _Message, place: tuple[str, int]) -> None:
    usage = message.usage
    if record.type == "assistant" and usage is not None:
        fold.retain(
            (record.sessionId, message.id or place),
            (
                usage.output_tokens or 0,
                message.stop_reason is not None,
                record.timestamp or "",
                place,
            ),
            message.model,
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        )
    if not isinstance(message.content, list):
        return
    for block in message.content:
        if block.type.endswith("tool_use") and block.id and block.name:
            fold.call(block.id, message.id, block.name)
        elif block.type.endswith("tool_result") and block.tool_use_id:
            fold.result(block.tool_use_id, _outcome(block, record.toolUseResult))


def _outcome(block: _Block, carrier: Raw) -> str:
    if block.is_error is not UNSET:
        return "failed" if block.is_error else "not_failed"
    status = _status(carrier).status if bytes(carrier).startswith(b"{") else None
    redacted = bytes(block.content).startswith(b"{") and _kind(block.content).type == REDACTED
    return outcome(status, redacted=redacted)
