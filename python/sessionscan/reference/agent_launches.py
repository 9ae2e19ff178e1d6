"""Which call started an agent, or what else joins it: rule 41 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.session_key import SessionKey, key_of_row
from sessionscan.reference.tool_result import ToolUseResult

if TYPE_CHECKING:
    from sessionscan.reference.agent_parts import AgentParts, Agents
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.joined import Joined
    from sessionscan.reference.tool_calls import ToolCall


class Joining(NamedTuple):
    """How an agent is joined: by what, and the call that launched it, if any."""

    joined_by: str
    launch: ToolCall | None


class Launches:
    """Finds what joins an agent to its session."""

    def __init__(self, joined: Joined, agents: Agents) -> None:
        """Index the calls that may be launches, and the sessions that have a parent file."""
        self._agents = agents
        self._first_call: dict[tuple[SessionKey, str], ToolCall] = {}
        for call in joined.calls:
            if call.row["tool_use_id"]:
                key = key_of_row(call.row, joined.files), call.row["tool_use_id"]
                self._first_call.setdefault(key, call)
        self._parents = {facts.session_id for facts in joined.read if facts.kind == "parent"}

    def joining(self, parts: AgentParts, meta: Columns) -> Joining:
        """Give what joins an agent, whose meta file has the columns `meta`."""
        word, launch = self._launch(parts, meta)
        if launch is None:
            return Joining(self._without_launch(parts, meta), None)
        return Joining("none" if parts.is_launch_alone else word, launch)

    def _launch(self, parts: AgentParts, meta: Columns) -> tuple[str, ToolCall | None]:
        by_meta = self._first_call.get((parts.session, meta.get("tool_use_id") or ""))
        if by_meta is not None:
            return "tool_use_id", by_meta
        if parts.launches:
            return "agent_id", parts.launches[0]
        return "tool_use_id", self._first_call.get((parts.session, _parent_call(parts)))

    def _without_launch(self, parts: AgentParts, meta: Columns) -> str:
        parent: str = meta.get("parent_agent_id") or ""
        if parts.workflow_id is not None:
            return "directory"
        if parent != parts.agent_id and (parts.session, parent) in self._agents:
            return "agent_id"
        is_flat = any(facts.kind == "flat_agent" for facts in parts.transcripts)
        return "session" if is_flat and parts.session in self._parents else "none"


def _parent_call(parts: AgentParts) -> str:
    """Give the call that the first inline record names which names one."""
    events = (record.further.event for record in parts.inline)
    ids = (event.parent_tool_use_id for event in events if event is not None)
    return next((each for each in ids if each), "")


def launch_result(parts: AgentParts, launch: ToolCall | None) -> ToolUseResult:
    """Give what toolUseResult says of an agent: the last launch that names it knows best."""
    call = parts.launches[-1] if parts.launches else launch
    if call is None or call.pair.result is None:
        return ToolUseResult("absent")
    return call.pair.result.record.tool_use_result
