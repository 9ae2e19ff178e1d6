"""The loop with pysimdjson: every line is parsed, and only what is asked for becomes Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import loops
import simdjson

from peer_jobs.fold import REDACTED, Fold, outcome

if TYPE_CHECKING:
    from pathlib import Path


def run(folder: Path) -> dict[str, Any]:
    """Return the totals of all transcripts below `folder`."""
    fold = Fold()
    parse = simdjson.Parser().parse
    for path in sorted(folder.rglob("*.jsonl")):
        fold.begin()
        name = str(path)
        with path.open("rb") as file:
            for number, line in enumerate(file):
                # A parser refuses the next line while anything of this one is held.
                _one(fold, parse(line), (name, number))
        fold.end()
    return fold.totals()


def _one(fold: Fold, record: Any, place: tuple[str, int]) -> None:  # noqa: ANN401
    if fold.replayed(record.get("uuid")):
        return
    message = record.get("message")
    if not isinstance(message, simdjson.Object):
        return
    message_id = message.get("id")
    usage = message.get("usage")
    if isinstance(usage, simdjson.Object) and record["type"] == "assistant":
        fold.retain(
            (record.get("sessionId"), message_id or place),
            (
                usage.get("output_tokens") or 0,
                message.get("stop_reason") is not None,
                record.get("timestamp") or "",
                place,
            ),
            message.get("model"),
            *(usage.get(name) for name in loops.FLAT),
        )
    content = message.get("content")
    if isinstance(content, simdjson.Array):
        for block in content:
            _block(fold, record, message_id, block)


def _block(fold: Fold, record: Any, message_id: Any, block: Any) -> None:  # noqa: ANN401
    kind = block["type"]
    if kind.endswith("tool_use"):
        fold.call(block["id"], message_id, block["name"])
    elif kind.endswith("tool_result"):
        fold.result(block["tool_use_id"], _outcome(record, block))


def _outcome(record: Any, block: Any) -> str:  # noqa: ANN401
    if "is_error" in block:
        return "failed" if block["is_error"] else "not_failed"
    carrier, content = record.get("toolUseResult"), block.get("content")
    status = carrier.get("status") if isinstance(carrier, simdjson.Object) else None
    redacted = isinstance(content, simdjson.Object) and content.get("type") == REDACTED
    return outcome(status, redacted=redacted)
