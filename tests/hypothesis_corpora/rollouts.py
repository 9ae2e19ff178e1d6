"""Rollouts of Codex: threads with totals that grow, threads forked from them, and odd records.

Threads are templates with a few places to fill, as stories are; odd records are drawn member by
member, so that every key that is read has a wrong type or stands twice at times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
_call_ids = v.text("t1", "t2", "call_1", "call_2", "call_3", "")
_calls = v.raw("function_call", "function_call", "custom_tool_call", "local_shell_call")
_results = v.raw("function_call_output", "function_call_output", "custom_tool_call_output")
_texts = v.text("input_text", "output_text", "summary_text", "text")
_names = v.text("exec_command", "apply_patch", "Skill", "Task", "mcp__srv__do")
_spaces = v.text("mcp__kite", "agents", "mcp__", "")
_inputs = v.raw(
    r'"{\"cmd\":\"ls\"}"',
    '""',
    r'"*** Begin \u00fc\n"',
    '{"query": "größer"}',
    "[ 1 ]",
    "null",
    "7",
)
_entry = st.one_of(
    v.objects({"type": _texts, "text": v.words}, {}, keys=("type", "text")),
    v.objects({"type": v.text("input_image", "image", "tool_use")}, {"text": v.words}),
    v.words,
    v.odd,
)
_content = st.one_of(v.arrays(_entry), v.words, v.odd)
_outputs = st.one_of(
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
_folders = v.text("/home/ada/work", "/home/ada/kites", "")
_META = {
    "cwd": _folders,
    "cli_version": v.text("0.90.1", "0.142.4", ""),
    "originator": v.text("codex-tui", "codex_exec"),
    "git": v.objects({}, {"branch": v.text("main", "größer"), "commit_hash": v.words}),
    "forked_from_id": _threads,
    "type": v.words,
    "session_id": _threads,
}
_TURN = {"cwd": _folders, "model": v.text("gpt-5.5", "<synthetic>", ""), "effort": v.text("low")}


def _record(kind, payload):
    return v.objects(
        {"type": v.text(kind), "payload": payload, "timestamp": v.times},
        ENVELOPE | {"sessionId": v.sessions, "uuid": v.uuids, "message": st.one_of(answered, told),
                    "toolUseResult": carrier, "content": v.words},
        keys=(*FURTHER, "payload", "level", "hookErrors"),
    )  # fmt: skip


_item = {"role": v.text("user", "assistant", "developer")}
odd_records = st.one_of(
    _record("session_meta", v.objects({"id": _threads}, _META, keys=("role",))),
    _record("turn_context", v.objects({}, _TURN, keys=("role",))),
    _record("response_item", v.objects({"type": v.text("message"), "content": _content}, _item)),
    _record("response_item", v.objects({"type": v.text("reasoning"), "summary": _content}, _item)),
    _record(
        "response_item",
        v.objects(
            {"type": v.text("function_call", "tool_search_call"), "call_id": _call_ids},
            {"name": _names, "namespace": _spaces, "arguments": _inputs, "input": _inputs,
             "action": _inputs},
            keys=("output", "role"),
        ),
    ),
    _record(
        "response_item",
        v.objects(
            {"type": v.text("function_call_output", "tool_search_output"), "call_id": _call_ids},
            {"output": _outputs},
            keys=("name", "arguments"),
        ),
    ),
    _record("event_msg", v.objects({"type": v.text("token_count"), "info": _infos}, {})),
    _record("compacted", v.objects({"message": v.words}, {"type": v.words})),
    _record("world_state", st.one_of(v.objects({}, {"type": v.words, "content": v.words}), v.odd)),
)  # fmt: skip

_ITEM = "response_item"
_LINES = {
    "turn": ("turn_context", '{"cwd":CWD,"model":MODEL,"effort":"high"}'),
    "said": (_ITEM, '{"type":"message","role":ROLE,"content":[{"type":TEXT,"text":WORDS}]}'),
    "mirror": ("event_msg", '{"type":"user_message","message":WORDS}'),
    "thought": (_ITEM, '{"type":"reasoning","summary":[{"type":"summary_text","text":WORDS}]}'),
    "call": (_ITEM, '{"type":"CALL","call_id":ID,"name":NAME,"arguments":INPUT}'),
    "mcp": (_ITEM, '{"type":"CALL","call_id":ID,"name":NAME,"namespace":SPACE}'),
    "result": (_ITEM, '{"type":"RESULT","call_id":ID,"output":OUTPUT}'),
    "compacted": ("compacted", '{"message":WORDS,"replacement_history":[]}'),
    "state": ("world_state", '{"open":[]}'),
    "empty": ("event_msg", '{"type":"token_count","info":null}'),
}
_FILLED = {
    "CWD": _folders,
    "MODEL": v.text("gpt-5.5", "gpt-5.5-mini", "<synthetic>"),
    "ROLE": _item["role"],
    "TEXT": _texts,
    "WORDS": v.words,
    "CALL": _calls,
    "ID": _call_ids,
    "NAME": _names,
    "SPACE": _spaces,
    "INPUT": _inputs,
    "RESULT": _results,
    "OUTPUT": _outputs,
}
_place = re.compile(r"\b(?:" + "|".join(_FILLED) + r")\b")
_kinds = st.lists(
    st.sampled_from((*_LINES, "call", "result", "total", "total", "total", "again", "reset")),
    min_size=1,
    max_size=6,
)
_steps = st.sampled_from((0, 0, 1, 5, 300))
_seconds = st.integers(0, 59)
_sometimes = st.sampled_from((False,) * 4 + (True,))
_written = re.compile(r'"timestamp":"[^"]*"')


@dataclass(frozen=True)
class Thread:
    """A thread's id, its lines, and its total so far."""

    name: str
    lines: tuple[str, ...]
    total: tuple[int, ...] = (0, 0, 0, 0)


def _line(second, kind, payload):
    return f'{{"timestamp":"2026-07-01T10:00:{second:02d}Z","type":"{kind}","payload":{payload}}}'


def _counted(total):
    return (
        '{"type":"token_count","info":{"total_token_usage":'
        f'{{"input_tokens":{total[0]},"cached_input_tokens":{total[1]},'
        f'"output_tokens":{total[2]},"reasoning_output_tokens":{total[3]}}}}}}}'
    )


@st.composite
def _going_on(draw, thread):
    """Return a thread with a few lines more."""
    lines, total = list(thread.lines), thread.total
    for what in draw(_kinds):
        second = draw(_seconds)
        if what in _LINES:
            kind, template = _LINES[what]
            filled = _place.sub(lambda found: draw(_FILLED[found[0]]), template)
            lines.append(_line(second, kind, filled))
            continue
        if what == "total":
            total = tuple(count + draw(_steps) for count in total)
        elif what == "reset":
            total = tuple(draw(_steps) for _ in total)
        lines.append(_line(second, "event_msg", _counted(total)))
    if draw(_sometimes):
        lines.insert(draw(st.integers(0, len(lines))), draw(odd_records))
    return replace(thread, lines=tuple(lines), total=total)


@st.composite
def threads(draw):
    """Return a thread of its own, at times without a session_meta."""
    name = draw(st.sampled_from(THREADS))
    about = f'{{"id":"{name}","cwd":"/home/ada/work","cli_version":"0.90.1","git":{{}}}}'
    first = () if draw(_sometimes) else (_line(0, "session_meta", about),)
    return draw(_going_on(Thread(name, first)))


@st.composite
def forked(draw, parent):
    """Return a thread that begins with what another has, written anew, and goes on."""
    name = draw(st.sampled_from(THREADS))
    about = f'{{"id":"{name}","forked_from_id":"{parent.name}","originator":"codex_exec"}}'
    kept = parent.lines[: draw(st.integers(0, len(parent.lines)))]
    again = [_written.sub('"timestamp":"2026-07-02T00:00:00Z"', line, count=1) for line in kept]
    if again and draw(_sometimes):
        place = draw(st.integers(0, len(again) - 1))
        again[place : place + 1] = draw(
            st.sampled_from(((), (again[place].replace(":", ": ", 1),)))
        )
    lines = (_line(1, "session_meta", about), *again)
    return draw(_going_on(Thread(name, lines, parent.total)))


_PATHS = (
    "three/sessions/2026/07/01/rollout-2026-07-01T10-00-00-{t}.jsonl",
    "three/sessions/2026/07/01/rollout-2026-07-01T10-00-00-{t}.jsonl",
    "three/archived_sessions/rollout-2026-07-01T10-00-00-{t}.jsonl",
    "three/sessions/rollout-{t}.jsonl",
    "one/p/{t}.jsonl",
    "one/thread.jsonl",
)


@st.composite
def rollout_files(draw):
    """Return rollouts by path: a thread, at times forks of it and of them, and copies."""
    known = [draw(threads())]
    for _ in range(draw(st.sampled_from((0, 1, 1, 2)))):
        known.append(draw(forked(draw(st.sampled_from(known)))))
    files = {}
    for thread in known:
        path = draw(st.sampled_from(_PATHS)).format(t=thread.name)
        data = "".join(f"{line}\n" for line in thread.lines).encode()
        files[path] = data
        if draw(_sometimes):
            kept = draw(st.sampled_from((len(data), len(data) // 2, data.find(b"\n") + 1)))
            files[f"three/archived_sessions/{path.rpartition('/')[2]}"] = data[:kept]
    return files
