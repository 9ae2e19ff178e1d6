"""Stretches that the further tables are made of: launches, notices, prompts, titles, snapshots.

They are templates with a few places to fill: drawing whole records member by member takes
most of the time that these tests have, and what matters here is how records belong together.
"""

from __future__ import annotations

import json
import re

from hypothesis import strategies as st
from hypothesis_corpora import values as v

_AGENT_CALL = (
    '{"type":"assistant","sessionId":S,"timestamp":T,"message":{"id":M,"role":"assistant",'
    '"content":[{"type":"tool_use","id":C,"name":"Agent","input":{"description":"Count",'
    '"subagent_type":"scout","model":"sonnet"}}]}}'
)
_TASK_CALL = _AGENT_CALL.replace('"Agent"', '"Task"').replace('"timestamp":T', '"agentId":A')
_SKILL_CALL = (
    '{"type":"assistant","sessionId":S,"attributionSkill":"chart","message":{"content":['
    '{"type":"tool_use","id":C,"name":"Skill","input":{"skill":"chart"}}]}}'
)


def _result(carrier, content='"ok"', more=""):
    return (
        f'{{"type":"user","sessionId":S,"timestamp":T{more},"message":{{"role":"user","content":['
        f'{{"type":"tool_result","tool_use_id":C,"content":{content}}}]}},'
        f'"toolUseResult":{carrier}}}'
    )


_LAUNCHED = (
    _result('{"agentId":A,"status":"async_launched","isAsync":true,"resolvedModel":"claude-s"}'),
    _result(
        '{"agentId":A,"status":"completed","agentType":"scout","worktreeBranch":"wt",'
        '"totalTokens":9,"totalToolUseCount":2,"totalDurationMs":7}'
    ),
    _result('{"status":"completed","totalTokens":5}'),
    _result('{"runId":W,"workflowName":"chart","status":"running"}'),
    _result('{"transcriptDir":"/x/wf_1","workflowName":"chart","runId":"r"}'),
    _result('{"backgroundTaskId":A}'),
)
_INLINE = (
    (
        '{"type":"progress","sessionId":S,"timestamp":T,"parentToolUseID":C,"data":{"type":'
        '"agent_progress","agentId":A,"message":{"type":"user","message":{"content":"Go."}}}}'
    ),
    (
        '{"type":"progress","sessionId":S,"data":{"type":"agent_progress","agentId":A,"message":'
        '{"type":"assistant","timestamp":T,"message":{"id":M,"usage":{"output_tokens":3}}}}}'
    ),
)
_NOTES = (
    (
        "<task-notification><task-id>A</task-id><tool-use-id>C</tool-use-id>"
        "<status>completed</status><usage><total_tokens>70</total_tokens><tool_uses>2</tool_uses>"
        "</usage></task-notification>"
    ),
    (
        " \n<task-notification>\n<task-id>A</task-id><status> failed </status><summary>"
        "<status>killed</status></summary><usage><duration_ms>5</duration_ms></task-notification>"
    ),
    (
        "<task-notification><tool-use-id>C</tool-use-id><status>killed</status><result></result>"
        "</task-notification><task-id>A</task-id></result><usage><total_tokens>01</total_tokens>"
        "</usage><task-notification><task-id>A</task-id><status>x</status>"
    ),
    (
        "Words. <task-notification><task-id>A</task-id><status></status></task-notification>"
        "<task-notification><task-id>A</task-id><status>late</status></task-notification>"
    ),
    "<task-notification><task-id>A<status>completed</status></task-id></task-notification>",
)
_KNOWN = "Remember that the tide turns at six."
_WORDS = "The tide turns at six at the north pier, and at seven at the south pier of größe."
_SAID = (
    _KNOWN,
    _WORDS,
    _WORDS[:29],
    f"Go on. {_KNOWN}",
    f"{_KNOWN}\n{_KNOWN}",
    "Go on.<system-reminder>Be kind.</system-reminder>",
    f"<user-prompt-submit-hook>a</user-prompt-submit-hook> {_KNOWN} </system-reminder>",
    (
        "<command-message>m</command-message><command-name>/chart</command-name>"
        "<command-args> a </command-args>"
    ),
    "/chart it",
    "/home/ada",
    "<bash-input>ls</bash-input>",
    "<local-command-stdout>x</local-command-stdout>",
    "[Request interrupted by user]",
    "[Image #1] Look [Image #22]",
    "[Image #1]",
    "Shall I?**",
    " \n",
    "x" * 2_000,
    "ß\n" * 1_000,
    "This session is being continued from a previous conversation",
    *_NOTES,
)
_TEXTS = tuple(json.dumps(text, ensure_ascii=False) for text in _SAID)
_USERS = (
    '{"type":"user","sessionId":S,"timestamp":T,"uuid":U,"message":{"content":X}}',
    (
        '{"type":"user","sessionId":S,"timestamp":T,"promptSource":"typed","message":'
        '{"content":[{"type":"text","text":X},X]}}'
    ),
    '{"type":"user","sessionId":S,"isMeta":true,"message":X}',
    '{"type":"user","sessionId":S,"promptSource":"system","message":X}',
    '{"type":"user","sessionId":S,"origin":{"kind":"task-notification"},"message":X}',
    '{"type":"user","sessionId":S,"origin":{"kind":"peer"},"isCompactSummary":true,"message":X}',
    '{"role":"user","content":X,"isSidechain":true,"agentId":A}',
    (
        '{"type":"attachment","sessionId":S,"timestamp":T,"attachment":{"type":"queued_command",'
        '"prompt":X,"commandMode":"prompt","origin":{"kind":"human"}}}'
    ),
    '{"type":"attachment","sessionId":S,"attachment":{"type":"queued_command","prompt":[X,X]}}',
    (
        '{"type":"attachment","sessionId":S,"attachment":{"type":"hook_additional_context",'
        '"content":[X,{"type":"text","text":X}]}}'
    ),
    '{"type":"queue-operation","sessionId":S,"operation":"enqueue","content":X}',
)
_ANSWERS = (
    (
        '{"type":"assistant","sessionId":S,"timestamp":T,"message":{"id":M,"content":'
        '[{"type":"text","text":X}]}}'
    ),
    '{"type":"assistant","sessionId":S,"uuid":U,"isApiErrorMessage":true,"message":X}',
    '{"type":"assistant","sessionId":S,"message":{"id":M,"content":[X,{"type":"thinking"}]}}',
)
_BESIDE = (
    '{"type":"custom-title","sessionId":S,"customTitle":X}',
    '{"type":"ai-title","sessionId":S,"aiTitle":" ","title":X}',
    '{"type":"summary","summary":X,"leafUuid":U}',
    (
        '{"type":"cost-state","sessionId":S,"timestamp":T,"totalCostUSD":1.5,"hasUnknownModelCost":'
        'false,"modelUsage":{"a":{"inputTokens":1,"costUSD":0.1},"b":{},"a":{"outputTokens":2}}}'
    ),
    (
        '{"type":"file-history-snapshot","sessionId":S,"snapshot":{"timestamp":T,'
        '"trackedFileBackups":{"/a":{"backupFileName":"one@v1","version":1,"backupTime":T},'
        '"b/c":{"backupFileName":null,"version":2,"realParentDir":"/r/"},"d":{"backupFileName":X}}}}'
    ),
    (
        '{"type":"file-history-delta","sessionId":S,"cwd":"/w","timestamp":T,"trackingPath":"a",'
        '"backup":{"backupFileName":"../x","version":3}}'
    ),
    (
        '{"type":"attachment","sessionId":S,"uuid":U,"attachment":{"type":"skill_listing",'
        '"names":["chart","knots","chart",X]}}'
    ),
    (
        '{"type":"attachment","sessionId":S,"attachment":{"type":"invoked_skills","skills":'
        '[{"name":"chart"},{"path":X},{}]}}'
    ),
    (
        '{"type":"attachment","sessionId":S,"attachment":{"type":"hook_success","hookName":"h",'
        '"hookEvent":"e","exitCode":0,"durationMs":7,"toolUseID":C}}'
    ),
    (
        '{"type":"system","subtype":"compact_boundary","sessionId":S,"timestamp":T,'
        '"compactMetadata":{"trigger":"auto","preTokens":9,"preservedMessages":{"uuids":[U]}}}'
    ),
    (
        '{"type":"system","subtype":"microcompact_boundary","sessionId":S,"microcompactMetadata":'
        '{"trigger":"auto","postTokens":3,"preservedMessages":2}}'
    ),
    (
        '{"type":"system","subtype":"api_error","sessionId":S,"level":"error","retryInMs":1.5,'
        '"retryAttempt":1,"hookErrors":[],"content":X}'
    ),
    '{"type":"last-prompt","sessionId":S,"leafUuid":U}',
    (
        '{"type":"user","sessionId":S,"uuid":U,"parentUuid":U,"forkedFrom":{"sessionId":S,'
        '"messageUuid":U},"message":"one"}'
    ),
    '{"type":"started","agentId":A,"label":"l","phase":"p"}',
    '{"type":"result","agentId":A,"result":X}',
    _SKILL_CALL,
)
_PATHS = ("/x/§/tool-results/a.txt", "tool-results/a.txt", "../a.txt", "a\\b.JSON", "")
_PERSISTED = (
    *(
        _result(f'{{"persistedOutputPath":{json.dumps(path, ensure_ascii=False)}}}')
        for path in _PATHS
    ),
    _result('"x"', '"<persisted-output>\\nsaved to: tool-results/a.txt\\n"'),
)

_calls = st.sampled_from((_AGENT_CALL, _AGENT_CALL, _TASK_CALL))
_launched = st.sampled_from(_LAUNCHED)
_persisted = st.sampled_from(_PERSISTED)
_inline = st.sampled_from(_INLINE)
_users = st.sampled_from(_USERS)
_told = st.sampled_from([_USERS[at] for at in (0, 4, 7, 8, 10)])
_answers = st.sampled_from(_ANSWERS)
_beside = st.sampled_from(_BESIDE)
_texts = st.sampled_from(_TEXTS)
_notes = st.sampled_from(_TEXTS[-len(_NOTES) :])
_times = st.sampled_from([f'"2026-07-01T10:00:{second:02d}Z"' for second in range(6)])
_ways = st.sampled_from(("launch", "launch", "talk", "talk", "beside", "beside", "persisted"))
_rarely = st.sampled_from((False,) * 5 + (True,))
_places = st.integers(0, 40)
_SPOT = re.compile(r"\b[SACMUWTX]\b(?=[],}:])")
_VALUE = re.compile(r'(?<=":)(?:"[a-zA-Z ]*"|[0-9.]+|true|false|null|\[\]|\{\})')


@st.composite
def stories(draw):
    """Return the lines of a stretch of one session, about one agent and one call."""
    way = draw(_ways)
    fixed = {"S": draw(v.sessions), "A": draw(v.agents), "C": draw(v.tool_ids)}
    if way == "launch":
        templates = [draw(_calls), draw(_launched), draw(_told)]
        templates += [draw(_inline)] * draw(_rarely)
    elif way == "talk":
        templates = [draw(_answers), draw(_users), draw(_users)]
    elif way == "persisted":
        templates = [_AGENT_CALL.replace('"Agent"', '"Bash"'), draw(_persisted)]
    else:
        templates = [draw(_beside), draw(_beside)]
    text = draw(_notes if way == "launch" else _texts)
    lines = [_filled(draw, template, fixed | {"X": text}) for template in templates]
    return lines[::-1] if draw(_rarely) else lines


def _filled(draw, template, fixed):
    """Fill a template's places; at times spoil a value, or give it a second time."""
    names = {
        "M": v.message_ids,
        "U": v.uuids,
        "W": v.workflows,
        "T": _times,
    }
    drawn = fixed | {name: draw(of) for name, of in names.items() if name in template}
    drawn["X"] = drawn["X"].replace(">A<", f">{drawn['A'][1:-1]}<")
    drawn["X"] = drawn["X"].replace(">C<", f">{drawn['C'][1:-1]}<")
    line = _SPOT.sub(lambda spot: drawn[spot[0]], template.replace("§", drawn["S"][1:-1]))
    if draw(_rarely):
        values = list(_VALUE.finditer(line))
        if values:
            spot = values[draw(_places) % len(values)]
            line = line[: spot.start()] + draw(v.odd) + line[spot.end() :]
    return line
