"""What there is of each subagent: its parts by session and agent id (rule 41)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.path_shape import without_compression
from sessionscan.reference.session_key import SessionKey, key_of_row, session_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.joined import Joined
    from sessionscan.reference.side_file import SideFile
    from sessionscan.reference.tool_calls import ToolCall

AgentKey = tuple[SessionKey, str]

_TRANSCRIPT_KINDS = frozenset({"subagent", "workflow_agent", "flat_agent"})
_LAUNCHERS = frozenset({"Agent", "Task"})


@dataclass(slots=True, eq=False)
class AgentParts:
    """The parts of one agent, each list in the order of files and places."""

    session: SessionKey
    agent_id: str
    transcripts: list[FileFacts] = field(default_factory=list)
    metas: list[SideFile] = field(default_factory=list)
    launches: list[ToolCall] = field(default_factory=list)
    inline: list[Record] = field(default_factory=list)

    @property
    def workflow_id(self) -> str | None:
        """Give the workflow whose folder holds its transcript, else its meta file."""
        of_transcript = [each.transcript.shape.workflow_id for each in self.transcripts[:1]]
        of_meta = [file.workflow_id for file in self.metas[:1]]
        return next((each for each in of_transcript + of_meta if each is not None), None)

    @property
    def is_launch_alone(self) -> bool:
        """Say whether nothing but a launch shows it."""
        return not (self.transcripts or self.metas or self.inline)


Agents = dict[AgentKey, AgentParts]


def agent_parts(joined: Joined) -> Agents:
    """Give the parts of every agent that anything speaks of."""
    agents: Agents = {}

    def agent(session: SessionKey, agent_id: str) -> AgentParts:
        return agents.setdefault((session, agent_id), AgentParts(session, agent_id))

    for facts in joined.read:
        if facts.kind in _TRANSCRIPT_KINDS and facts.agent_id:
            agent(session_key(None, facts), facts.agent_id).transcripts.append(facts)
        for record, agent_id in _inline(facts):
            agent(session_key(record.session_id, facts), agent_id).inline.append(record)
    for session, file in _metas(joined):
        if file.agent_id:
            agent(session, file.agent_id).metas.append(file)
    for call in joined.calls:
        if is_launch(call):
            session = key_of_row(call.row, joined.files)
            agent(session, call.row["launched_agent_id"]).launches.append(call)
    return _without_repeated_launches(agents)


def _without_repeated_launches(agents: Agents) -> Agents:
    """Leave out what a fork only repeats: its ancestor's launches, without their agents."""
    known = {
        _launch_ids(parts.launches[0])
        for parts in agents.values()
        if parts.launches and not parts.is_launch_alone
    }

    def is_new(parts: AgentParts) -> bool:
        launch = parts.launches[0]
        ids = _launch_ids(launch)
        return not launch.row["is_copy"] and (ids is None or ids not in known)

    return {
        key: parts for key, parts in agents.items() if not parts.is_launch_alone or is_new(parts)
    }


def _launch_ids(launch: ToolCall) -> tuple[str, str] | None:
    """Give what tells that two calls are one (SPEC section 5)."""
    message_id, tool_use_id = launch.row["message_id"], launch.row["tool_use_id"]
    return (message_id, tool_use_id) if message_id and tool_use_id else None


def is_launch(call: ToolCall) -> bool:
    """Say whether a call started an agent that it names."""
    row = call.row
    return row["tool_name"] in _LAUNCHERS and bool(row["launched_agent_id"])


def _inline(facts: FileFacts) -> Iterator[tuple[Record, str]]:
    """Give the progress records that hold a record of an agent, with its id."""
    for record in facts.counted:
        inline = record.further.inline_agent
        if inline is not None and inline.agent_id:
            yield record, inline.agent_id


def _metas(joined: Joined) -> Iterator[tuple[SessionKey, SideFile]]:
    """Give the meta files with their sessions: the transcript's beside it, else the folder's.

    One that names no session is alone in one of its own.
    """
    beside = {
        _stem(facts.transcript.raw_path): session_key(None, facts)
        for facts in reversed(joined.files)
        if facts.kind in _TRANSCRIPT_KINDS
    }
    metas = (file for file in joined.beside if file.kind == "meta")
    for number, file in enumerate(metas, start=1):
        yield beside.get(file.stem, file.session_id or -number), file


def _stem(path: bytes) -> str:
    """Give the path of a transcript without its ending, which a meta file has in its place."""
    plain, _ = without_compression(path.decode("utf-8", "replace"))
    return plain.removesuffix(".jsonl")
