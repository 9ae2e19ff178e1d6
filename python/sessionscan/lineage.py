"""Sessions and what they came from: forks, resumed sessions, handed-over ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from sessionscan.coverage import counted, one_line
from sessionscan.forest import depth_first, draw, plant
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

_STRENGTH = {evidence: rank for rank, evidence in enumerate(VOCABULARIES["link_evidence"])}
_SHARED = {"forkedFrom": "record", "shared_uuid": "record", "shared_response": "response"}
_MOMENT = pa.timestamp("us", tz="UTC")
_FIELDS: list[pa.Field[Any]] = [
    pa.field("session_id", pa.string()),
    pa.field("other_session_id", pa.string()),
    pa.field("depth", pa.int64()),
    pa.field("evidence", pa.string()),
    pa.field("n_shared", pa.int64()),
    pa.field("found", pa.bool_()),
    pa.field("project", pa.string()),
    pa.field("first_timestamp", _MOMENT),
    pa.field("last_timestamp", _MOMENT),
    pa.field("n_records", pa.int64()),
    pa.field("remark", pa.string()),
]
SCHEMA = pa.schema(_FIELDS, metadata={"table": "lineage"})


class Link(NamedTuple):
    """A row of `links`: the ancestor, what says so, and how much both share."""

    other_session_id: str
    evidence: str
    n_shared: int | None


@dataclass(eq=False, repr=False, slots=True)
class SessionNode:
    """A session and those that came from it.

    Attributes:
        session_id: its id.
        found: the corpus holds it; a fork may name an ancestor that it does not.
        link: what ties it to the session above it, None at the root.
        others: its ties to further sessions, which a tree cannot show.
        row: its row of `sessions`, None where it was not found.
        remark: why it stands at the root although it has an ancestor, else None.
        depth: how many sessions stand above it.
        children: the sessions that came from it, in the order of `sessions`.
    """

    session_id: str
    found: bool
    link: Link | None
    others: tuple[Link, ...]
    row: Mapping[str, Any] | None
    remark: str | None
    depth: int = 0
    children: list[SessionNode] = field(default_factory=list)

    def __repr__(self) -> str:
        """Name the session, and say how many came from it."""
        return f"<SessionNode {self.session_id!r}, {counted(len(self.children), 'session')} below>"


@dataclass(eq=False, repr=False, slots=True)
class Lineage:
    """Trees of sessions; iterating gives each session behind its ancestor.

    Attributes:
        roots: the sessions that nothing else is known to stand above.
    """

    roots: list[SessionNode]

    def __iter__(self) -> Iterator[SessionNode]:
        """Yield the sessions, each behind its ancestor."""
        return (node for _, node in depth_first(self.roots, lambda node: node.children))

    def __len__(self) -> int:
        """Return how many sessions there are, missing ones included."""
        return sum(1 for _ in self)

    def to_table(self) -> pa.Table:
        """Return a row per session, in the trees' order, with its depth and its ancestor."""
        return pa.Table.from_pylist([_flat(node) for node in self], schema=SCHEMA)

    def lines(self) -> list[str]:
        """Return the drawing, a line for each session."""
        drawn = draw(self.roots, lambda node: node.children, headed=False)
        return [f"{branch}{one_line(node.session_id)}  {_said(node)}" for branch, node in drawn]

    def __str__(self) -> str:
        """Draw the trees."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Say how many sessions and trees there are."""
        return f"<Lineage: {counted(len(self), 'session')}, {counted(len(self.roots), 'tree')}>"


def lineage(links: pa.Table, sessions: pa.Table, session_id: str | None) -> Lineage:
    """Return the forest that `Corpus.lineage` describes."""
    known = {row["session_id"]: row for row in sessions.to_pylist()}
    ties = _ties(links, known)
    linked = {*ties, *(tie.other_session_id for each in ties.values() for tie in each)}
    if session_id is not None:
        linked.add(session_id)
    ids = [*(name for name in known if name in linked), *sorted(linked - known.keys(), key=_bytes)]
    planted = plant(
        {name: ties[name][0].other_session_id if name in ties else None for name in ids}
    )
    nodes = {
        name: _node(name, known.get(name), ties.get(name, []), cut=name in planted.cut)
        for name in ids
    }
    for depth, name in depth_first(planted.roots, planted.children.__getitem__):
        nodes[name].depth = depth
        nodes[name].children = [nodes[child] for child in planted.children[name]]
    roots = [nodes[root] for root in planted.roots]
    return Lineage(roots if session_id is None else [_root_above(nodes, session_id)])


def _ties(links: pa.Table, known: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Link]]:
    """Return the links of each session, the one to the session above it first.

    That is the ancestor that `sessions` names; ruling 43 says how it is chosen.
    """
    ties: dict[str, list[Link]] = {}
    for row in links.select(["session_id", *Link._fields]).to_pylist():
        ties.setdefault(row.pop("session_id"), []).append(Link(**row))
    for name, each in ties.items():
        named = (known.get(name) or {}).get("forked_from_session_id")
        each.sort(
            key=lambda tie, named=named: (  # type: ignore[misc]
                tie.other_session_id != named,
                _STRENGTH[tie.evidence],
                -(tie.n_shared or 0),
            )
        )
    return ties


def _node(name: str, row: Mapping[str, Any] | None, ties: list[Link], *, cut: bool) -> SessionNode:
    remark = f"its ancestor {ties[0].other_session_id} leads back to it" if cut else None
    link = ties[0] if ties and not cut else None
    return SessionNode(name, row is not None, link, tuple(ties[1:]), row, remark)


def _root_above(nodes: Mapping[str, SessionNode], session_id: str) -> SessionNode:
    """Return the root of the tree that holds a session."""
    above = {child.session_id: node for node in nodes.values() for child in node.children}
    node = nodes[session_id]
    while node.session_id in above:
        node = above[node.session_id]
    return node


def _bytes(name: str) -> bytes:
    return name.encode()


def _flat(node: SessionNode) -> dict[str, Any]:
    row = node.row or {}
    taken = ("project", "first_timestamp", "last_timestamp", "n_records")
    return {
        "session_id": node.session_id,
        "depth": node.depth,
        "found": node.found,
        "remark": node.remark,
        **(node.link._asdict() if node.link else {}),
        **{name: row.get(name) for name in taken},
    }


def _said(node: SessionNode) -> str:
    """Say where and when it was, what ties it to the one above, and what is odd."""
    parts = [_about(node.row) if node.row else "not in this corpus"]
    if node.link:
        parts.append(_tie(node.link))
    parts += [_tie(tie, f" with {tie.other_session_id}") for tie in node.others]
    if node.remark:
        parts.append(one_line(node.remark))
    return "; ".join(parts)


def _about(row: Mapping[str, Any]) -> str:
    started: datetime | None = row["first_timestamp"]
    when = f"{started:%Y-%m-%d %H:%M}" if started else "no time"
    named = [one_line(row[name]) for name in ("project", "title") if row[name]]
    return f"{' '.join([when, *named])}, {counted(row['n_records'] or 0, 'record')}"


def _tie(tie: Link, whose: str = "") -> str:
    shared = counted(tie.n_shared or 0, _SHARED[tie.evidence])
    return f"shares {shared}{one_line(whose)} ({tie.evidence})"
