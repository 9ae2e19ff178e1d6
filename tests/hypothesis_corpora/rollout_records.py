"""Records of rollouts, drawn member by member.

Every key that is read of a payload has a wrong type or stands twice at times.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis_corpora import values as v
from hypothesis_corpora.records import ENVELOPE, FURTHER, answered, carrier, told

# The first is a session of Claude's too.
THREADS = (
    v.SESSIONS[0],
    "33333333-cccc-4ccc-8ccc-000000000003",
    "44444444-dddd-4ddd-8ddd-000000000004",
)
_threads = v.text(*THREADS)
call_ids = v.text("t1", "t2", "call_1", "call_2", "call_3", "")
texts = v.text("input_text", "output_text", "summary_text", "text")
names = v.text("exec_command", "apply_patch", "Skill", "Task", "mcp__srv__do")
namespaces = v.text("mcp__kite", "agents", "mcp__", "")
inputs = v.raw(
    r'"{\"cmd\":\"ls\"}"',
    '""',
    r'"*** Begin \u00fc\n"',
    '{"query": "größer"}',
    "[ 1 ]",
    "null",
    "7",
)
_entry = st.one_of(
    v.objects({"type": texts, "text": v.words}, {}, keys=("type", "text")),
    v.objects({"type": v.text("input_image", "image", "tool_use")}, {"text": v.words}),
    v.words,
    v.odd,
)
_content = st.one_of(v.arrays(_entry), v.words, v.odd)
outputs = st.one_of(
    v.words,
    v.arrays(_entry),
    v.objects({"type": v.text("input_text", "later_error")}, {"text": v.words}),
    v.raw('"<persisted-output>\\nsaved to: a.txt"'),
    v.odd,
)


def _total(counts):
    return v.objects(
        {},
        {
            "input_tokens": counts,
            "cached_input_tokens": counts,
            "output_tokens": counts,
            "reasoning_output_tokens": counts,
            "total_tokens": counts,
        },
    )


_infos = st.one_of(
    v.objects({"total_token_usage": _total(v.counts)}, {"last_token_usage": _total(v.counts)}),
    v.objects({}, {"total_token_usage": v.odd}),
    v.odd,
)
folders = v.text("/home/ada/work", "/home/ada/kites", "")
_META = {
    "cwd": folders,
    "cli_version": v.text("0.90.1", "0.142.4", ""),
    "originator": v.text("codex-tui", "codex_exec"),
    "git": v.objects({}, {"branch": v.text("main", "größer"), "commit_hash": v.words}),
    "forked_from_id": _threads,
    "type": v.words,
    "session_id": _threads,
}
_TURN = {"cwd": folders, "model": v.text("gpt-5.5", "<synthetic>", ""), "effort": v.text("low")}


def _record(kind, payload):
    return v.objects(
        {"type": v.text(kind), "payload": payload, "timestamp": v.times},
        ENVELOPE | {"sessionId": v.sessions, "uuid": v.uuids, "message": st.one_of(answered, told),
                    "toolUseResult": carrier, "content": v.words},
        keys=(*FURTHER, "payload", "level", "hookErrors"),
    )  # fmt: skip


roles = v.text("user", "assistant", "developer")
_item = {"role": roles}
odd_records = st.one_of(
    _record("session_meta", v.objects({"id": _threads}, _META, keys=("role",))),
    _record("turn_context", v.objects({}, _TURN, keys=("role",))),
    _record("response_item", v.objects({"type": v.text("message"), "content": _content}, _item)),
    _record("response_item", v.objects({"type": v.text("reasoning"), "summary": _content}, _item)),
    _record(
        "response_item",
        v.objects(
            {"type": v.text("function_call", "tool_search_call"), "call_id": call_ids},
            {"name": names, "namespace": namespaces, "arguments": inputs, "input": inputs,
             "action": inputs},
            keys=("output", "role"),
        ),
    ),
    _record(
        "response_item",
        v.objects(
            {"type": v.text("function_call_output", "tool_search_output"), "call_id": call_ids},
            {"output": outputs},
            keys=("name", "arguments"),
        ),
    ),
    _record("event_msg", v.objects({"type": v.text("token_count"), "info": _infos}, {})),
    _record("compacted", v.objects({"message": v.words}, {"type": v.words})),
    _record("world_state", st.one_of(v.objects({}, {"type": v.words, "content": v.words}), v.odd)),
)  # fmt: skip
