"""A small home of three sessions, for tests of the API and of the command.

The first session works in a garden's folder; the second is forked from it and repeats
a response; the third has a broken line.
"""

import json

GARDEN = "11111111-1111-4111-8111-111111111111"
FORK = "22222222-2222-4222-8222-222222222222"
SHED = "33333333-3333-4333-8333-333333333333"

OPUS = "claude-opus-4-1"
HAIKU = "claude-haiku-4-5"


def lines(*records):
    """Return records as the bytes of a transcript."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def record(type_, session, moment, **more):
    """Return a record with what most records have."""
    return {
        "type": type_,
        "sessionId": session,
        "timestamp": moment,
        "cwd": "/srv/garden",
        "gitBranch": "main",
        "version": "2.1.0",
        "isSidechain": False,
        **more,
    }


def response(session, moment, ids, model, usage, *blocks, stop=None, **more):
    """Return an assistant record of the response with `ids`, (message id, request id)."""
    message = {"id": ids[0], "role": "assistant", "model": model, "usage": usage}
    message |= {"content": list(blocks), "stop_reason": stop}
    return record("assistant", session, moment, message=message, requestId=ids[1], **more)


def usage(input_tokens, output_tokens, **more):
    """Return a usage object."""
    return {"input_tokens": input_tokens, "output_tokens": output_tokens, **more}


def text(words):
    """Return a text block."""
    return {"type": "text", "text": words}


def _garden():
    advisor = {"type": "advisor_message", "model": OPUS, **usage(7, 3)}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls beds"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no", "is_error": True}
    first = ("msg_1", "req_1")
    return [
        record(
            "user", GARDEN, "2026-03-01T22:30:00Z", message={"role": "user", "content": "Beans"}
        ),
        response(GARDEN, "2026-03-01T22:30:01Z", first, OPUS, usage(10, 2), text("Let me look.")),
        response(GARDEN, "2026-03-01T22:30:02Z", first, OPUS, usage(10, 40), call, stop="tool_use"),
        record(
            "user", GARDEN, "2026-03-01T22:30:07Z", message={"role": "user", "content": [result]}
        ),
        response(
            GARDEN,
            "2026-03-01T23:30:08Z",
            ("msg_2", "req_2"),
            HAIKU,
            usage(5, 1, iterations=[{"type": "message", **usage(5, 1)}, advisor]),
            text("The beds are full."),
        ),
    ]


def _fork():
    came_from = {"forkedFrom": {"sessionId": GARDEN, "messageUuid": "u-1"}}
    return [
        response(
            FORK,
            "2026-03-01T22:30:02Z",
            ("msg_1", "req_1"),
            OPUS,
            usage(10, 40),
            text("Let me look."),
            stop="tool_use",
            **came_from,
        ),
        response(
            FORK,
            "2026-03-04T09:00:00Z",
            ("msg_3", "req_3"),
            OPUS,
            usage(100, 200, cache_read_input_tokens=1000),
            text("Then the peas."),
            stop="end_turn",
        ),
    ]


def write_home(folder):
    """Write the home below `folder` and return its path."""
    project = folder / "home" / "projects" / "-srv-garden"
    project.mkdir(parents=True)
    (project / f"{GARDEN}.jsonl").write_bytes(lines(*_garden()))
    (project / f"{FORK}.jsonl").write_bytes(lines(*_fork()))
    odd = record("weather", SHED, "2026-03-05T10:00:00Z", cwd="/srv/shed")
    (project / f"{SHED}.jsonl").write_bytes(b'{"type":\n' + lines(odd))
    return folder / "home"


def transcript(home, session):
    """Return the path of a session's transcript."""
    return home / "projects" / "-srv-garden" / f"{session}.jsonl"
