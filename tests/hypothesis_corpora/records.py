"""Records made from the vocabulary: every type, block and carrier that a table is read from."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis_corpora import values as v

cache_creation = v.objects(
    {}, {"ephemeral_5m_input_tokens": v.counts, "ephemeral_1h_input_tokens": v.counts}
)
details = v.objects({}, {"thinking_tokens": v.counts})
TOKENS = {
    "input_tokens": v.counts,
    "output_tokens": v.counts,
    "cache_creation_input_tokens": v.counts,
    "cache_read_input_tokens": v.counts,
    "cache_creation": cache_creation,
    "output_tokens_details": details,
}
iteration = v.objects(
    {"type": v.text("message", "advisor_message", "compaction")}, {"model": v.models} | TOKENS
)
usage = v.objects(
    {"output_tokens": v.counts},
    TOKENS | {"iterations": v.arrays(st.one_of(iteration, iteration, v.odd))},
)
diagnostics = v.objects(
    {},
    {"cache_miss_reason": v.objects({}, {"type": v.words, "cache_missed_input_tokens": v.counts})},
)

source = v.objects(
    {}, {"media_type": v.text("image/png"), "data": v.text("aGk=", "a", "====", "aGk")}
)
inner = st.one_of(
    v.objects({"type": v.text("text")}, {"text": v.words}),
    v.objects({"type": v.text("image")}, {"source": source}),
    v.objects({"type": v.text("tool_reference")}, {"tool_name": v.words}),
    v.words,
    v.odd,
)
results = st.one_of(
    v.words,
    v.arrays(inner),
    v.objects(
        {"type": v.text("advisor_redacted_result", "web_tool_result_error", "text")},
        {"text": v.words},
    ),
    v.odd,
)
asked = st.one_of(
    v.objects(
        {},
        {
            "command": v.text("git status", " \t", "", "ls\u00a0x -l"),
            "file_path": v.words,
            "notebook_path": v.words,
        },
        keys=("a",),
    ),
    v.odd,
)
names = v.text("Bash", "Read", "Agent", "mcp__srv__do__it", "mcp__srv", "mcp____x", "advisor", "")
call = v.objects(
    {
        "type": v.text("tool_use", "tool_use", "tool_use", "server_tool_use", "mcp_tool_use"),
        "id": v.tool_ids,
        "name": names,
        "input": asked,
    },
    {},
)
result = v.objects(
    {
        "type": v.text(
            "tool_result",
            "tool_result",
            "tool_result",
            "advisor_tool_result",
            "web_search_tool_result",
        ),
        "tool_use_id": v.tool_ids,
    },
    {"content": results, "is_error": v.booleans},
)
said = st.one_of(
    v.objects({"type": v.text("text")}, {"text": v.words}),
    v.objects({"type": v.text("thinking")}, {"thinking": v.words, "signature": v.words}),
    v.objects({"type": v.text("image", "document")}, {"source": source}),
    v.objects(
        {"type": v.text("redacted_thinking", "brand_new", "tool_reference")}, {"tool_name": v.words}
    ),
    v.words,
    v.odd,
)
content = st.one_of(v.arrays(st.one_of(said, call, call)), v.words, v.odd)

MESSAGE = {
    "id": v.message_ids,
    "model": v.models,
    "stop_reason": v.stops,
    "diagnostics": diagnostics,
    "role": v.text("assistant", "user"),
}
answered = v.objects({"id": v.message_ids, "usage": usage, "content": content}, MESSAGE)
told = v.objects(
    {"content": st.one_of(v.arrays(st.one_of(result, result, said)), v.words)},
    {"role": v.text("user")},
)

IDS = {"sessionId": v.sessions, "uuid": v.uuids, "timestamp": v.times}
ENVELOPE = {
    "session_id": v.sessions,
    "parentUuid": v.uuids,
    "requestId": v.request_ids,
    "agentId": v.agents,
    "isSidechain": v.booleans,
    "cwd": v.text("/home/ada/work", "C:\\work"),
    "gitBranch": v.text("main", "größer"),
    "version": v.text("1.0.17", "2.1.220"),
    "entrypoint": v.text("cli", "sdk-ts"),
    "effort": v.text("high", "low"),
    "leafUuid": v.uuids,
    "isApiErrorMessage": v.booleans,
    "attributionSkill": v.words,
    "forkedFrom": v.objects({}, {"sessionId": v.sessions, "messageUuid": v.uuids}),
    "origin": v.objects({}, {"kind": v.text("human", "peer", "task-notification")}),
}
# Keys that are read of a record and only ever have odd values here.
FURTHER = tuple(
    """
    type subtype logicalParentUuid userType role perTurnEffort promptId promptSource
    permissionMode sourceToolAssistantUUID sourceToolUseID interruptedMessageId toolDenialKind
    attributionAgent attributionPlugin attributionMcpServer attributionMcpTool advisorModel
    scheduledTaskId slug isMeta isCompactSummary isVisibleInTranscriptOnly isAbortedMidStream
    truncatedAfterOutput apiBlockIndex apiErrorStatus mcpMeta message toolUseResult attachment
    data content unknownKey
    """.split()  # noqa: SIM905
)

carrier = st.one_of(
    v.objects(
        {},
        {
            "status": v.text("async_launched", "teammate_spawned", "completed", "running"),
            "agentId": v.agents,
            "resolvedModel": v.models,
            "backgroundTaskId": v.words,
            "persistedOutputPath": v.words,
            "persistedOutputSize": v.counts,
            "stdout": v.words,
            "stderr": v.words,
            "interrupted": v.booleans,
            "exitCode": v.counts,
            "returnCode": v.counts,
            "timedOutAfterMs": v.counts,
            "gitOperation": v.raw('"commit"', '{"commit":1,"push":{},"commit":2}', "{}"),
        },
    ),
    v.raw(
        '"Error: no"',
        r'" \n{\"a\":1}\n"',
        r'"[1,2"',
        r'"{} x"',
        r'"\u005b\u005d"',
        '[{"type":"text"}]',
    ),
    v.odd,
)
EVENTS = {
    "data": v.objects({}, {"type": v.text("agent_progress", "bash_progress"), "agentId": v.agents}),
    "subtype": v.text("compact_boundary", "informational"),
    "attachment": v.objects(
        {"type": v.text("hook_success", "queued_command")}, {"prompt": v.words}
    ),
    "summary": v.words,
    "snapshot": v.odd,
    "content": v.words,
}
TYPES = v.text(
    "system", "attachment", "summary", "progress", "last-prompt", "queue-operation", "mode",
    "file-history-snapshot", "started", "result", "session_meta", "brand-new", "user",
    "assistant", "",
)  # fmt: skip


def record(required, further=None):
    """Return a strategy over a record's text: its ids, its own members, some of the rest."""
    return v.objects(IDS | required, ENVELOPE | (further or {}), keys=FURTHER)


assistant = record({"type": v.text("assistant"), "message": answered})
user = record(
    {"type": v.text("user"), "message": told},
    {
        "toolUseResult": carrier,
        "mcpMeta": v.objects({}, {"structuredContent": v.odd}),
        "toolDenialKind": v.words,
    },
)
older = st.one_of(
    record({"role": v.text("assistant", "user", "system"), "content": content}),
    record(
        {
            "type": v.text("user", "assistant"),
            "message": v.raw('"words"', "null", '""'),
            "content": content,
        }
    ),
    record({"message": answered}, {"role": v.text("assistant")}),
)
inline = v.objects(
    {"type": v.text("assistant", "assistant", "user"), "message": answered},
    IDS | ENVELOPE,
    keys=FURTHER,
)
progress = record(
    {
        "type": v.text("progress"),
        "data": v.objects(
            {"type": v.text("agent_progress"), "message": inline}, {"agentId": v.agents}
        ),
    }
)
event = v.objects({"type": TYPES}, IDS | ENVELOPE | EVENTS, keys=FURTHER)

records = st.one_of(assistant, assistant, user, user, older, progress, event)
