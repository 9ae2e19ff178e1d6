"""Rollouts of Codex: threads with totals that grow, and threads forked from them.

They are templates with a few places to fill, as stories are, and an odd record now and then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis_corpora import values as v
from hypothesis_corpora.rollout_records import (
    THREADS,
    call_ids,
    folders,
    inputs,
    names,
    namespaces,
    odd_records,
    outputs,
    roles,
    texts,
)

_calls = v.raw("function_call", "function_call", "custom_tool_call", "local_shell_call")
_results = v.raw("function_call_output", "function_call_output", "custom_tool_call_output")
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
    "CWD": folders,
    "MODEL": v.text("gpt-5.5", "gpt-5.5-mini", "<synthetic>"),
    "ROLE": roles,
    "TEXT": texts,
    "WORDS": v.words,
    "CALL": _calls,
    "ID": call_ids,
    "NAME": names,
    "SPACE": namespaces,
    "INPUT": inputs,
    "RESULT": _results,
    "OUTPUT": outputs,
}
_place = re.compile(r"\b(?:" + "|".join(_FILLED) + r")\b")
_kinds = st.lists(
    st.sampled_from((*_LINES, "pair", "pair", "pair", "total", "total", "total", "again", "reset")),
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
def _said(draw, what, name=None):
    """Return the type and the payload of a line; `name` is the id of its call."""
    kind, template = _LINES[what]
    template = template if name is None else template.replace(":ID,", f":{name},")
    return kind, _place.sub(lambda found: draw(_FILLED[found[0]]), template)


@st.composite
def _going_on(draw, thread):
    """Return a thread with a few lines more."""
    lines, total = list(thread.lines), thread.total
    for what in draw(_kinds):
        second = draw(_seconds)
        if what in _LINES:
            lines.append(_line(second, *draw(_said(what))))
            continue
        if what == "pair":
            name = draw(call_ids)
            both = [_line(second, *draw(_said(each, name))) for each in ("call", "result")]
            lines += both[::-1] if draw(_sometimes) else both
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
