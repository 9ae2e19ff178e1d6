"""A small home whose session has agents, a fork that names it, and a cost record.

The crew of a boat: the mate was started by the session, the cook by the mate; nobody
started the stowaway; the diver has no transcript.
"""

import json

from api.transcripts import lines, record, response, text, usage

BOAT = "44444444-4444-4444-8444-444444444444"
RAFT = "55555555-5555-4555-8555-555555555555"
MATE, COOK, STOWAWAY, DIVER = "a1", "a2", "a3", "a4"
MODEL = "claude-opus-4-1"


def _call(number, name="Agent", **input_):
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": input_}


def _answer(number, agent, moment, status="completed", **more):
    result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "aye"}
    more |= {"toolUseResult": {"status": status, "agentId": agent}}
    return record("user", BOAT, moment, message={"role": "user", "content": [result]}, **more)


def _said(number, moment, *blocks, **more):
    ids = (f"msg_{number}", f"req_{number}")
    return response(
        BOAT, moment, ids, MODEL, usage(10, 5), *blocks, stop="end_turn", uuid=f"u-{number}", **more
    )


def _boat():
    prompt = {"role": "user", "content": "Set sail"}
    cost = {"inputTokens": 12, "outputTokens": 5, "costUSD": 0.5}
    return [
        record("user", BOAT, "2026-04-01T08:00:00Z", uuid="u-0", message=prompt),
        _said(1, "2026-04-01T08:00:01Z", _call(1, description="Trim the sails")),
        _answer(1, MATE, "2026-04-01T08:09:00Z"),
        _said(2, "2026-04-01T08:10:00Z", _call(4, description="Look below")),
        _answer(4, DIVER, "2026-04-01T08:10:01Z", "async_launched"),
        _said(3, "2026-04-01T08:11:00Z", text("We are off. Where to?")),
        {"type": "cost-state", "sessionId": BOAT, "totalCostUSD": 0.5, "modelUsage": {MODEL: cost}},
    ]


def _agent(agent, number, moment, *more):
    mine = {"agentId": agent, "isSidechain": True}
    first = _said(number, moment, *(more[:1] or [text("Aye.")]))
    return lines(first | mine, *(each | mine for each in more[1:]))


def _raft():
    forked = {"forkedFrom": {"sessionId": BOAT, "messageUuid": "u-0"}}
    prompt = {"role": "user", "content": "Set sail"}
    return [
        record("user", RAFT, "2026-04-02T08:00:00Z", uuid="u-0", message=prompt, **forked),
        record("user", RAFT, "2026-04-02T08:00:01Z", uuid="u-9", message=prompt | {"content": "?"}),
    ]


def write_home(folder):
    """Write the home below `folder` and return its path."""
    project = folder / "crew" / "projects" / "-srv-boat"
    agents = project / BOAT / "subagents"
    agents.mkdir(parents=True)
    (project / f"{BOAT}.jsonl").write_bytes(lines(*_boat()))
    (project / f"{RAFT}.jsonl").write_bytes(lines(*_raft()))
    cooking = (_call(2, description="Cook"), _answer(2, COOK, "2026-04-01T08:03:00Z"))
    (agents / f"agent-{MATE}.jsonl").write_bytes(_agent(MATE, 4, "2026-04-01T08:01:00Z", *cooking))
    (agents / f"agent-{COOK}.jsonl").write_bytes(_agent(COOK, 5, "2026-04-01T08:02:00Z"))
    (agents / f"agent-{STOWAWAY}.jsonl").write_bytes(_agent(STOWAWAY, 6, "2026-04-01T08:04:00Z"))
    mate = {"agentType": "mate", "toolUseId": "toolu_1", "description": "Trim the sails"}
    cook = {"agentType": "cook", "toolUseId": "toolu_2", "parentAgentId": MATE}
    (agents / f"agent-{MATE}.meta.json").write_text(json.dumps(mate))
    (agents / f"agent-{COOK}.meta.json").write_text(json.dumps(cook))
    return folder / "crew"
