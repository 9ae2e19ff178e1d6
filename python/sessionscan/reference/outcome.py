"""What a call came to, and the field that says so (SPEC section 5, rule 31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.pairing import Pair

_BY_STATUS = {
    "async_launched": "launched",
    "teammate_spawned": "launched",
    "completed": "not_failed",
}


def outcome(pair: Pair) -> Columns:
    """Give the columns `outcome` and `evidence` of a call."""
    word, evidence = _decide(pair)
    return {"outcome": word, "evidence": evidence}


def _decide(pair: Pair) -> tuple[str, str]:
    if pair.result is None or pair.result.block.result is None:
        return "no_result", "none"
    content = pair.result.block.result
    if content.is_error is not None:
        return ("failed" if content.is_error else "not_failed"), "is_error"
    status = pair.result.record.tool_use_result.status
    if status in _BY_STATUS:
        return _BY_STATUS[status], "status"
    call, by_content = pair.call.block.call, None
    if call is not None and call.is_server_tool:
        by_content = _by_content_type(content.object_type or "")
    return (by_content, "content_type") if by_content else ("unknown", "none")


def _by_content_type(name: str) -> str | None:
    if name.endswith("_error"):
        return "failed"
    return "not_failed" if name == "advisor_redacted_result" else None
