"""The subagents of a session as a tree: who started whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.coverage import counted, one_line
from sessionscan.forest import depth_first, draw, plant
from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FLAGS = (
    "has_transcript",
    "has_meta",
    "has_launch",
    "is_async",
    "is_fork",
    "stopped_by_user",
    "is_dangling",
    "is_orphan",
)
COUNTS = ("n_records", "n_inline_records", "n_tool_calls", "n_failed", "n_responses")

_WIDEST = 60


@dataclass(eq=False, repr=False, slots=True)
class AgentNode:
    """A subagent and those that it started.

    Attributes:
        agent_id: its id.
        agent_type: its type, where anything states one.
        joined_by: how it was joined to what launched it (SPEC section 6).
        flags: which of the flags of `agents` are true: has_transcript, has_meta,
            has_launch, is_async, is_fork, stopped_by_user, is_dangling, is_orphan.
        counts: n_records, n_inline_records, n_tool_calls, n_failed, n_responses; its
            own, without those of the agents below it.
        tokens: the token columns, its own likewise; None where no response says.
        remark: why it stands at the root although it names a parent, else None.
        depth: how many agents stand above it.
        children: the agents that it started, in the order of `agents`.
        row: its whole row of `agents`.
    """

    agent_id: str
    agent_type: str | None
    joined_by: str
    flags: frozenset[str]
    counts: Mapping[str, int | None]
    tokens: Mapping[str, int | None]
    remark: str | None
    row: Mapping[str, Any]
    depth: int = 0
    children: list[AgentNode] = field(default_factory=list)

    def __repr__(self) -> str:
        """Name the agent, and say how many it started."""
        return f"<AgentNode {self.agent_id!r}, {counted(len(self.children), 'agent')} below>"


@dataclass(eq=False, repr=False, slots=True)
class AgentTree:
    """The subagents of one session; iterating gives each behind the one that started it.

    Attributes:
        session_id: the session; None for agents of files that name none.
        roots: the agents that the session itself started, that nothing is known to
            have started, or whose parent is missing or leads back to them.
    """

    session_id: str | None
    roots: list[AgentNode]
    _agents: pa.Table
    _order: list[int]

    def __iter__(self) -> Iterator[AgentNode]:
        """Yield the agents, each behind its parent."""
        return (node for _, node in depth_first(self.roots, lambda node: node.children))

    def __len__(self) -> int:
        """Return how many agents there are."""
        return len(self._order)

    def find(self, agent_id: str) -> AgentNode | None:
        """Return the agent with that id, or None."""
        return next((node for node in self if node.agent_id == agent_id), None)

    def to_table(self) -> pa.Table:
        """Return the rows of `agents` in the tree's order, with `depth` and `remark`."""
        return as_table(self._agents, [self])

    def lines(self) -> list[str]:
        """Return the drawing: a line for the session, and one for each agent."""
        drawn = [
            (branch + one_line(node.agent_id), one_line(node.agent_type or "-"), _said(node))
            for branch, node in draw(self.roots, lambda node: node.children, headed=True)
        ]
        widths = [max((len(line[place]) for line in drawn), default=0) for place in (0, 1)]
        first, second = (min(width, _WIDEST) for width in widths)
        named = "no session" if self.session_id is None else f"session {one_line(self.session_id)}"
        return [
            f"{named}: {counted(len(self), 'agent')}",
            *(f"{name:<{first}}  {type_:<{second}}  {said}" for name, type_, said in drawn),
        ]

    def __str__(self) -> str:
        """Draw the tree."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Name the session, and say how many agents it has."""
        return f"<AgentTree of {self.session_id!r}: {counted(len(self), 'agent')}>"


def agent_tree(agents: pa.Table, session_id: str | None) -> AgentTree:
    """Return the tree that `Corpus.agent_tree` describes."""
    of_session = agents["session_id"]
    chosen = pc.is_null(of_session) if session_id is None else pc.equal(of_session, session_id)
    places = pc.indices_nonzero(chosen)
    return _planted(
        agents,
        session_id,
        dict(zip(places.to_pylist(), agents.take(places).to_pylist(), strict=True)),
    )


def agent_trees(agents: pa.Table) -> list[AgentTree]:
    """Return the trees of all sessions that have agents, in the order of `agents`."""
    of_session: dict[str | None, dict[int, dict[str, Any]]] = {}
    for place, row in enumerate(agents.to_pylist()):
        of_session.setdefault(row["session_id"], {})[place] = row
    return [_planted(agents, session, rows) for session, rows in of_session.items()]


def as_table(agents: pa.Table, trees: Sequence[AgentTree]) -> pa.Table:
    """Return the rows of `agents` in the trees' order, with `depth` and `remark`."""
    nodes = [node for tree in trees for node in tree]
    places = [place for tree in trees for place in tree._order]  # noqa: SLF001 (its own module)
    rows = agents.take(pa.array(places, pa.int64()))
    rows = rows.append_column("depth", pa.array([node.depth for node in nodes], pa.int64()))
    return rows.append_column("remark", pa.array([node.remark for node in nodes], pa.string()))


def _planted(
    agents: pa.Table, session_id: str | None, rows: dict[int, dict[str, Any]]
) -> AgentTree:
    """Plant the agents of a session: its rows by their places in `agents`.

    Agents of files that name no session belong together only where they stand in one
    file (ruling 37), so parents are looked for by session or, without one, by file.
    """
    placed = {_key(row, row["agent_id"]): place for place, row in reversed(rows.items())}
    parents = {place: placed.get(_key(row, row["parent_agent_id"])) for place, row in rows.items()}
    planted = plant(parents)
    nodes = {
        place: _node(row, _remark(row, parents[place], in_circle=place in planted.cut))
        for place, row in rows.items()
    }
    order = []
    for depth, place in depth_first(planted.roots, planted.children.__getitem__):
        nodes[place].depth = depth
        nodes[place].children = [nodes[child] for child in planted.children[place]]
        order.append(place)
    return AgentTree(session_id, [nodes[root] for root in planted.roots], agents, order)


def _key(row: Mapping[str, Any], agent_id: str | None) -> tuple[str | int, str | None]:
    session: str | None = row["session_id"]
    return (row["file_id"] if session is None else session), agent_id


def _remark(row: Mapping[str, Any], parent: int | None, *, in_circle: bool) -> str | None:
    if in_circle:
        return f"its parent {row['parent_agent_id']} leads back to it"
    if row["parent_agent_id"] is not None and parent is None:
        return f"its parent {row['parent_agent_id']} was not found"
    return None


def _node(row: dict[str, Any], remark: str | None) -> AgentNode:
    return AgentNode(
        agent_id=row["agent_id"],
        agent_type=row["agent_type"],
        joined_by=row["joined_by"],
        flags=frozenset(flag for flag in FLAGS if row[flag]),
        counts={name: row[name] for name in COUNTS},
        tokens={name: row[name] for name in TOKENS},
        remark=remark,
        row=row,
    )


def _said(node: AgentNode) -> str:
    """Say what it did, how it ended, and what is odd about it."""
    parts = [_work(node)]
    if ended := node.row["result_status"] or node.row["status"]:
        parts.append(one_line(ended))
    parts += [
        flag.removeprefix("is_") for flag in ("is_dangling", "is_orphan") if flag in node.flags
    ]
    if node.row["workflow_id"]:
        parts.append(f"workflow {one_line(node.row['workflow_id'])}")
    if "stopped_by_user" in node.flags:
        parts.append("stopped by user")
    if node.remark:
        parts.append(one_line(node.remark))
    return "; ".join(parts)


def _work(node: AgentNode) -> str:
    calls, failed = node.counts["n_tool_calls"] or 0, node.counts["n_failed"] or 0
    output = node.tokens["output_tokens"]
    return (
        f"{counted(node.counts['n_responses'] or 0, 'response')}, {counted(calls, 'call')}"
        + (f" ({failed:,} failed)" if failed else "")
        + ("" if output is None else f", {output:,} output tokens")
    )
