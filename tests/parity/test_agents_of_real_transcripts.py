"""Subagents of real transcripts, against a count made with json alone."""

from __future__ import annotations

import json

import pytest
from parity import realdata

TOKENS = ("input_tokens", "output_tokens")


@pytest.fixture
def corpus(engine):
    realdata.require()
    return realdata.scanned(engine, text=True)


def agents_below(corpus, folder):
    """Return the rows of agents whose transcript lies below `folder`, or that it launches."""
    files = {
        row["file_id"]
        for row in corpus.files.to_pylist()
        if f"/{folder}/" in row["path"] and "subagents" not in row["path"]
    }
    sessions = {row["session_id"] for row in corpus.files.to_pylist() if row["file_id"] in files}
    return [row for row in corpus.agents.to_pylist() if row["session_id"] in sessions]


def carriers(parent):
    """Yield (agent id, place, message) of every copy of a subagent's response, wherever it is."""
    for path in sorted(parent.with_suffix("").glob("subagents/agent-*.jsonl")):
        for record in records(path):
            if record.get("type") == "assistant" and record["message"].get("usage"):
                yield path.stem.removeprefix("agent-"), "file", record["message"]
    for record in records(parent):
        data = record.get("data") or {}
        if record.get("type") == "progress" and data.get("type") == "agent_progress":
            inner = data["message"]
            if inner.get("type") == "assistant" and inner["message"].get("usage"):
                yield data["agentId"], "inline", inner["message"]


def records(path):
    """Yield the records of a file, of which none is damaged."""
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            yield json.loads(line)


def test_work_that_stands_in_three_places_is_counted_once(corpus):
    (parent,) = realdata.FOLDER.glob("marot__spotter/**/4d5611e5-*.jsonl")
    ids, places = {}, {}
    for agent, place, message in carriers(parent):
        ids.setdefault(agent, set()).add(message["id"])
        places.setdefault((agent, place), set()).add(message["id"])
    doubled = [agent for agent in ids if (agent, "inline") in places and (agent, "file") in places]
    assert doubled, "the session has an agent both in progress records and in a file"
    found = {row["agent_id"]: row for row in agents_below(corpus, "marot__spotter")}
    assert {agent: found[agent]["n_responses"] for agent in ids} == {
        agent: len(messages) for agent, messages in ids.items()
    }
    for agent in doubled:
        row = found[agent]
        assert row["n_responses"] < sum(
            len(places[agent, place]) for place in ("inline", "file")
        ), "their sum would count them twice"
        assert row["n_inline_records"] > 0
        assert row["has_launch"]
        assert row["reported_total_tokens"] is not None, "the third place: toolUseResult"


def test_tokens_of_an_agent_are_those_of_its_largest_copies(corpus):
    (parent,) = realdata.FOLDER.glob("marot__spotter/**/4d5611e5-*.jsonl")
    largest = {}
    for agent, _, message in carriers(parent):
        key = (agent, message["id"])
        usage = message["usage"]
        if key not in largest or usage["output_tokens"] > largest[key]["output_tokens"]:
            largest[key] = usage
    for row in agents_below(corpus, "marot__spotter"):
        own = [usage for (agent, _), usage in largest.items() if agent == row["agent_id"]]
        sums = {name: sum(usage[name] for usage in own) for name in TOKENS}
        assert {name: row[name] for name in TOKENS} == sums, row["agent_id"]


def test_six_agents_none_orphaned_by_a_missing_tool_use_id(corpus):
    (parent,) = realdata.FOLDER.glob("iansherr__claude-code-log/**/ef958aa1-*.jsonl")
    metas = sorted(parent.with_suffix("").glob("subagents/agent-*.meta.json"))
    assert all("toolUseId" not in json.loads(path.read_bytes()) for path in metas)
    names = ("has_transcript", "has_meta", "has_launch", "joined_by", "is_orphan", "is_dangling")
    rows = [row for row in corpus.agents.to_pylist() if row["session_id"] == parent.stem]
    assert [tuple(row[name] for name in names) for row in rows] == [
        (True, True, True, "agent_id", False, False)
    ] * 6
    ids = sorted(path.name.removeprefix("agent-").removesuffix(".meta.json") for path in metas)
    assert sorted(row["agent_id"] for row in rows) == ids
    tree = corpus.agent_tree(parent.stem)
    assert sorted(node.agent_id for node in tree) == ids
    assert [node.remark for node in tree] == [None] * 6
    written = {path.name: json.loads(path.read_bytes()) for path in metas}
    for row in rows:
        assert row["agent_type"] == written[f"agent-{row['agent_id']}.meta.json"]["agentType"]


def test_every_session_has_an_ending_and_its_counts(corpus):
    sessions, endings = corpus.sessions.to_pylist(), corpus.endings.to_pylist()
    assert [row["session_id"] for row in sessions] == [row["session_id"] for row in endings]
    assert [row["ending_kind"] for row in sessions] == [row["kind"] for row in endings]
    for name in ("agents", "compactions"):
        told = [row["session_id"] for row in corpus.table(name).to_pylist()]
        for row in sessions:
            assert row[f"n_{name}"] == told.count(row["session_id"]), (name, row["session_id"])
