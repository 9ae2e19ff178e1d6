"""A small corpus with everything that could go wrong where work is split."""

from __future__ import annotations

import gzip

SESSION = "11111111-aaaa-4aaa-8aaa-000000000001"
OTHER = "22222222-bbbb-4bbb-8bbb-000000000002"
THREAD = "33333333-cccc-4ccc-8ccc-000000000003"
FORK = "44444444-dddd-4ddd-8ddd-000000000004"


def assistant(uuid, message_id, output, block, *, session=SESSION, stop="null"):
    usage = f'{{"input_tokens":2,"output_tokens":{output}}}'
    return (
        f'{{"type":"assistant","uuid":"{uuid}","sessionId":"{session}","requestId":"req_1",'
        f'"timestamp":"2026-07-01T10:00:{output % 60:02d}.5Z","message":{{"id":"{message_id}",'
        f'"model":"claude-opus-5","role":"assistant","content":[{block}],'
        f'"stop_reason":{stop},"usage":{usage}}}}}'
    ).encode()


def user(uuid, block, *, session=SESSION):
    return (
        f'{{"type":"user","uuid":"{uuid}","sessionId":"{session}",'
        f'"timestamp":"2026-07-01T10:01:00Z","message":{{"role":"user","content":[{block}]}},'
        f'"toolUseResult":{{"stdout":"größer 🚲","interrupted":false}}}}'
    ).encode()


def call(name, tool_id):
    return f'{{"type":"tool_use","id":"{tool_id}","name":"{name}","input":{{"command":"ls -l"}}}}'


def result(tool_id):
    return f'{{"type":"tool_result","tool_use_id":"{tool_id}","content":"a\\u00e9\\ud800"}}'


def odd_lines():
    """Return the lines of one file: every repair, replays, joins across all of it."""
    first = assistant("u1", "msg_1", 3, call("Bash", "t1"))
    answer = user("u3", result("t1"))
    return [
        b"\xef\xbb\xbf" + first,
        user("u2", result("t2")),
        b"",
        b" \t\r",
        assistant("u4", "msg_1", 40, call("Read", "t2"), stop='"tool_use"') + b"\r",
        answer,
        b"\x00\x00" + answer + b"\x00",
        first + user("u5", result("t1")),
        first[:90] + user("u6", result("t9")),
        b'{"type":"user","uuid":"u1","message":"another payload"}',
        b"[1, 2]",
        b'{"broken": \x01}',
        b'{"type":"user","uuid":"u7","text":"\xff\xfe \xe2\x80\xa8"}',
        b"\x00" * 9,
        b"[" * 520,
        first,
        assistant("u8", "msg_2", 7, call("Bash", "t1"), session=OTHER),
        b'{"type":"session_note","version":"1","timestamp":1782900000}',
        b'{"still being writ',
    ]


def odd_file():
    """Return the file's bytes: its last line has no LF and is still being written."""
    return b"\n".join(odd_lines())


def write(folder):
    """Write several files that share sessions, responses and bytes; return their paths."""
    lines = odd_lines()
    files = {
        f"one/p/{SESSION}.jsonl": odd_file(),
        f"two/p/{SESSION}.jsonl": b"\n".join(lines[:8]) + b"\n",
        f"three/p/{SESSION}.jsonl": b"\n".join(lines[:5] + lines[12:]) + b"\n",
        f"one/p/{OTHER}.jsonl": b"\n".join([*lines[16:18], lines[5]]) + b"\n",
        f"one/p/{SESSION}/subagents/agent-a1.jsonl": lines[5] + b"\n" + lines[4] + b"\n",
        "two/notes.jsonl": b"\n".join(lines[7:10]),
        "three/empty.jsonl": b"",
    }
    return _written(folder, files)


def _written(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return [folder / name for name in files]


def rollout_record(second, kind, payload):
    return (
        f'{{"timestamp":"2026-07-01T10:02:{second:02d}Z","type":"{kind}","payload":{payload}}}'
    ).encode()


def counted(second, given, cached, output):
    total = (
        f'{{"input_tokens":{given},"cached_input_tokens":{cached},"output_tokens":{output},'
        f'"reasoning_output_tokens":{output // 2}}}'
    )
    info = f'{{"type":"token_count","info":{{"total_token_usage":{total}}}}}'
    return rollout_record(second, "event_msg", info)


def rollout_lines():
    """Return the lines of a thread: calls, totals that repeat and start again, another model."""
    called = '{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}'
    answer = '{"type":"function_call_output","call_id":"c1","output":"gr\u00f6\u00dfer"}'
    return [
        rollout_record(0, "session_meta", f'{{"id":"{THREAD}","cwd":"/one","cli_version":"1"}}'),
        rollout_record(1, "turn_context", '{"cwd":"/one","model":"a","effort":"low"}'),
        rollout_record(2, "response_item", called),
        counted(3, 100, 40, 9),
        rollout_record(4, "response_item", answer),
        counted(5, 100, 40, 9),
        rollout_record(6, "turn_context", '{"model":"b"}'),
        counted(7, 130, 60, 12),
        counted(8, 20, 0, 1) + counted(9, 25, 5, 2),
        rollout_record(10, "event_msg", '{"type":"token_count","info":null}'),
        rollout_record(11, "compacted", '{"message":"So far"}'),
    ]


def fork_lines():
    """Return the lines of a thread that begins with the other one's, and goes on."""
    about = f'{{"id":"{FORK}","forked_from_id":"{THREAD}","originator":"tui"}}'
    again = [line.replace(b"10:02:", b"11:00:") for line in rollout_lines()[:8]]
    own = [
        b'{"broken": ',
        counted(20, 131, 60, 12),
        rollout_record(21, "response_item", '{"type":"message","role":"user","content":"x"}'),
    ]
    return [rollout_record(15, "session_meta", about), *again, *own]


def write_rollouts(folder):
    """Write a thread, a fork of it, and a packed copy of that; return their paths."""
    whole = b"\n".join(fork_lines()) + b"\n"
    files = {
        f"sessions/2026/rollout-2026-07-01T10-02-00-{THREAD}.jsonl": b"\n".join(rollout_lines()),
        f"sessions/2026/rollout-2026-07-01T11-00-00-{FORK}.jsonl": whole,
        f"sessions/2027/rollout-2026-07-01T11-00-00-{FORK}.jsonl.gz": gzip.compress(whole),
    }
    return _written(folder, files)
