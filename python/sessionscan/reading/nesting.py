"""A session with its subagents: each below the call that started it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sessionscan.reading.loading import load
from sessionscan.reading.story import Call, Story
from sessionscan.reading.turns import turns
from sessionscan.reference.json_values import Obj
from sessionscan.reference.record import read_record
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionscan.reading.loading import Loaded
    from sessionscan.reference.facts import Record

# Deeper than this a subagent stands beside the conversation, not below its call.
_DEEPEST = 20


def session_story(
    main: Loaded, agents: Iterable[Mapping[str, Any]], paths: list[str], *, strict: bool
) -> Story:
    """Return the story of a session.

    Args:
        main: its transcript.
        agents: its rows of `agents`.
        paths: the path of each file, by `file_id`.
        strict: as in `load`.
    """
    tree = _Tree()
    story = tree.add(Story("Session", main.path, _facts(main.records)), main.records)
    story.lost += main.lost
    inline = _inline(main.records)
    children = [
        (child, row["tool_use_id"])
        for row in agents
        if (child := _agent_story(tree, row, paths, inline, strict=strict)) is not None
    ]
    for child, call_id in children:
        tree.hang(child, call_id, story)
    _flatten(story)
    return story


class _Tree:
    """Stories, the calls in them, and which story stands in which."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[Call, Story]] = {}
        self._above: dict[Story, Story] = {}

    def add(self, story: Story, records: Iterable[tuple[Record, Obj]]) -> Story:
        """Give a story its turns."""
        calls: dict[str, Call] = {}
        story.turns = turns(records, story.left_out, calls)
        for name, call in calls.items():
            self._calls.setdefault(name, (call, story))
        return story

    def hang(self, child: Story, call_id: str | None, main: Story) -> None:
        """Put a subagent below its call, unless that stands in what it started itself."""
        call, above = self._calls.get(call_id or "", (None, main))
        if call is None or child in self._chain(above):
            main.agents.append(child)
            above = main
        else:
            call.agents.append(child)
        self._above[child] = above

    def _chain(self, story: Story | None) -> Iterator[Story]:
        while story is not None:
            yield story
            story = self._above.get(story)


def _flatten(story: Story) -> None:
    """Move what stands too deep to the end of the session: depth must not end the reading."""
    waiting = [(story, 0)]
    while waiting:
        each, depth = waiting.pop()
        for turn in each.turns:
            for call in turn.parts:
                if isinstance(call, Call) and call.agents:
                    if depth == _DEEPEST:
                        story.agents += call.agents
                        waiting += [(agent, 1) for agent in call.agents]
                        call.agents = []
                    waiting += [(agent, depth + 1) for agent in call.agents]
        waiting += [(agent, 1) for agent in each.agents if depth == 0]


def _agent_story(
    tree: _Tree,
    row: Mapping[str, Any],
    paths: list[str],
    inline: Mapping[str, list[tuple[Record, Obj]]],
    *,
    strict: bool,
) -> Story | None:
    """Tell what a subagent did: by its transcript, else by what progress records hold of it."""
    title = " ".join(filter(None, ("Subagent", row["agent_type"], row["agent_id"])))
    facts = [(name, str(row[name])) for name in ("description", "status") if row[name]]
    if row["transcript_file_id"] is not None:
        loaded = load(paths[row["transcript_file_id"]], strict=strict)
        story = Story(title, loaded.path, facts, lost=loaded.lost)
        return tree.add(story, loaded.records)
    records = inline.get(row["agent_id"] or "")
    if not records:
        return None
    return tree.add(Story(f"{title} (from progress records)", "", facts), records)


def _inline(records: Iterable[tuple[Record, Obj]]) -> dict[str, list[tuple[Record, Obj]]]:
    """Return the messages of subagents that progress records embed, by agent."""
    found: dict[str, list[tuple[Record, Obj]]] = defaultdict(list)
    for record, obj in records:
        agent = record.further.inline_agent
        data = obj.get("data")
        message = data.get("message") if isinstance(data, Obj) else None
        if agent is None or agent.agent_id is None or not isinstance(message, Obj):
            continue
        own = read_record(message, record.line, record.index, record.span, Reader())
        found[agent.agent_id].append((own, message))
    return found


def _facts(records: Iterable[tuple[Record, Obj]]) -> list[tuple[str, str]]:
    """Return what a page says of a session at its head."""
    named = {"session": "session_id", "project": "cwd", "branch": "git_branch", "client": "version"}
    found: dict[str, str] = {}
    for record, _ in records:
        for name, column in named.items():
            if record.columns[column] and name not in found:
                found[name] = record.columns[column]
    return [(name, found[name]) for name in named if name in found]
