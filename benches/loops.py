"""The script that people write: read every line with a JSON library, and count what they want.

It does the same job as `scan(tables=["usage", "tool_calls"])` as far as a report needs it: each
response once by the retain rule, each call with its result and its outcome, replays left out.
It is written to be quick, not to be nice: it stands for the best that a loop can do.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Loads = Callable[[bytes], Any]

FLAT = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)


def job(folder: Path, loads: Loads) -> dict[str, Any]:
    """Return the totals of all transcripts below `folder`."""
    retained: dict[tuple[Any, Any], tuple[Any, ...]] = {}
    outcomes: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.jsonl")):
        calls, results = _one_file(path, loads, retained)
        for tool_id, names in calls.items():
            found = results.get(tool_id, [])
            for place, name in enumerate(names):
                tools[name] += 1
                outcomes[_outcome(*found[place]) if place < len(found) else "no_result"] += 1
    return totals(retained) | {
        "calls": tools.total(),
        "outcomes": dict(sorted(outcomes.items())),
        "tools": dict(sorted(tools.items())),
    }


def _one_file(
    path: Path, loads: Loads, retained: dict[tuple[Any, Any], tuple[Any, ...]]
) -> tuple[dict[str, list[str]], dict[str, list[tuple[Any, Any]]]]:
    """Fold one file: keep a copy of each response, and calls and results by their id."""
    calls: dict[str, list[str]] = {}
    results: dict[str, list[tuple[Any, Any]]] = {}
    seen: set[str] = set()
    blocks: set[tuple[Any, Any]] = set()
    with path.open("rb") as file:
        for number, line in enumerate(file):
            record = loads(line)
            uuid = record.get("uuid")
            if uuid in seen:
                continue
            if uuid is not None:
                seen.add(uuid)
            message = record.get("message")
            if not isinstance(message, dict):
                continue
            usage = message.get("usage")
            if record["type"] == "assistant" and isinstance(usage, dict):
                _retain(retained, record, message, usage, (str(path), number))
            if isinstance(message.get("content"), list):
                _pair(record, message, calls, results, blocks)
    return calls, results


def _retain(
    retained: dict[tuple[Any, Any], tuple[Any, ...]],
    record: dict[str, Any],
    message: dict[str, Any],
    usage: dict[str, Any],
    place: tuple[str, int],
) -> None:
    key = (record.get("sessionId"), message.get("id") or place)
    rank = (
        usage.get("output_tokens") or 0,
        message.get("stop_reason") is not None,
        record.get("timestamp") or "",
        place,
    )
    held = retained.get(key)
    if held is None or rank > held[0]:
        retained[key] = (rank, message.get("model"), *(usage.get(name) for name in FLAT))


def _pair(
    record: dict[str, Any],
    message: dict[str, Any],
    calls: dict[str, list[str]],
    results: dict[str, list[tuple[Any, Any]]],
    blocks: set[tuple[Any, Any]],
) -> None:
    for block in message["content"]:
        kind = block["type"]
        if kind == "tool_use" or kind.endswith("_tool_use"):
            key = (block["id"], message.get("id"))
            if key not in blocks:
                blocks.add(key)
                calls.setdefault(block["id"], []).append(block["name"])
        elif kind == "tool_result" or kind.endswith("_tool_result"):
            results.setdefault(block["tool_use_id"], []).append(
                (block, record.get("toolUseResult"))
            )


def _outcome(block: dict[str, Any], carrier: object) -> str:
    if "is_error" in block:
        return "failed" if block["is_error"] else "not_failed"
    status = carrier.get("status") if isinstance(carrier, dict) else None
    if status in {"async_launched", "teammate_spawned"}:
        return "launched"
    content = block.get("content")
    redacted = isinstance(content, dict) and content.get("type") == "advisor_redacted_result"
    return "not_failed" if status == "completed" or redacted else "unknown"


def totals(retained: dict[tuple[Any, Any], tuple[Any, ...]]) -> dict[str, Any]:
    """Return the sums over the copies that were kept, each a rank, a model and its counts."""
    models: Counter[str] = Counter()
    tokens = dict.fromkeys(FLAT, 0)
    for _, model, *counts in retained.values():
        models[model] += 1
        for name, count in zip(FLAT, counts, strict=True):
            tokens[name] += count or 0
    return {
        "responses": len(retained),
        "session": tokens,
        "models": dict(sorted(models.items())),
    }


def expected(summed: dict[str, Any]) -> dict[str, Any]:
    """Return what the job must find, from the generator's totals."""
    return {
        "responses": summed["responses"],
        "session": {name: summed["session"][name] for name in FLAT},
        "models": {name: sums["responses"] for name, sums in summed["models"].items()},
        "calls": summed["calls"],
        "outcomes": summed["outcomes"],
        "tools": summed["tools"],
    }


def count_lines(folder: Path) -> int:
    """Return the LF bytes of all transcripts: what merely looking at the bytes costs."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.jsonl"))
