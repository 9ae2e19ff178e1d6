"""What a sanitized transcript keeps: the words of the format, and nothing that is not listed.

Every list is closed. What is not on it may be somebody's, and is replaced, however much it
looks like a word of the format: a new record type is then one more unknown name.
"""

from __future__ import annotations

import re

from sessionscan.schema import VOCABULARIES

_FIELDS = frozenset(part for name in VOCABULARIES["known_fields"] for part in name.split("."))

KEYS = _FIELDS - {"content[]"} | {
    # Records and what stands in them (rulings 19 and 39).
    *("messageUuid", "kind", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"),
    "media_type",
    *("thinking_tokens", "cache_miss_reason", "cache_missed_input_tokens", "structuredContent"),
    *("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
    *("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "costUSD"),
    *("backupFileName", "backupTime", "realParentDir", "trackedFileBackups", "trackingPath"),
    *("preTokens", "postTokens", "cumulativeDroppedTokens", "preservedMessages", "uuids"),
    *("signature", "thinking", "text", "id", "name", "input", "source", "data", "is_error"),
    *("tool_use_id", "tool_name", "agentType", "description", "model", "toolUseId", "spawnDepth"),
    *("parentAgentId", "worktreeBranch", "isFork", "stoppedByUser", "runId", "workflowName"),
    *("totalTokens", "stop_reason", "stop_sequence", "usage", "iterations", "skills", "names"),
    *("cache_creation", "output_tokens_details", "service_tier", "inference_geo", "speed"),
    *("server_tool_use", "web_search_requests", "web_fetch_requests", "encrypted_content"),
    # Input of the client's own tools.
    *("command", "file_path", "notebook_path", "path", "pattern", "glob", "old_string"),
    "new_string",
    *("replace_all", "offset", "limit", "prompt", "subagent_type", "skill", "args", "timeout"),
    *("run_in_background", "output_mode", "head_limit", "multiline", "url", "query", "questions"),
    *("question", "header", "options", "multiSelect", "todos", "status", "activeForm", "edits"),
    *("bash_id", "shell_id", "task_id", "plan", "cell_id", "cell_type", "edit_mode", "new_source"),
}  # fmt: skip

WORDS = frozenset(
    {
        *VOCABULARIES["known_record_types"],
        *VOCABULARIES["known_block_types"],
        *VOCABULARIES["known_attachment_types"],
        *VOCABULARIES["prompt_source"],
        *("message", "base64", "url", "direct", "agent_progress", "hook_progress", "bash_progress"),
        *("advisor_message", "compaction", "compact_boundary", "microcompact_boundary"),
        *("api_error", "local_command", "turn_duration", "stop_hook_summary", "informational"),
        *("away_summary", "advisor_redacted_result", "advisor_tool_result_error"),
        *("web_search_tool_result_error", "web_fetch_tool_result_error", "web_search_result"),
        *("code_execution_tool_result_error", "mcp_tool_use", "mcp_tool_result", "ephemeral"),
        *("cli", "sdk-ts", "sdk-py", "sdk-cli", "external", "internal", "default", "acceptEdits"),
        *("bypassPermissions", "plan", "dontAsk", "auto", "human", "peer", "task-notification"),
        *("enqueue", "dequeue", "remove", "popAll", "info", "warning", "error", "suggestion"),
        *("completed", "failed", "killed", "stopped", "running", "pending", "in_progress"),
        *("async_launched", "teammate_spawned", "end_turn", "tool_use", "max_tokens", "refusal"),
        *("stop_sequence", "pause_turn", "low", "medium", "high", "xhigh", "max", "later", "next"),
        *("now", "prompt", "bash", "manual", "user-rejected", "hook", "permission", "interrupt"),
        *("standard", "priority", "batch", "fast", "not_available", "global", "us", "eu"),
        *("tools_changed", "system_changed", "messages_changed", "model_changed", "ttl_expired"),
        *("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain"),
        *("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"),
        *("SubagentStart", "SubagentStop", "PreCompact", "Notification", "PermissionRequest"),
        *("commit", "push", "branch", "merge", "pr", "rebase", "create", "update", "success"),
        *("content", "files_with_matches", "count", "foreground", "background"),
    }
)  # fmt: skip

NAMES = frozenset(
    {
        *("Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode"),
        "ExitPlanMode",
        *("Glob", "Grep", "KillShell", "LS", "ListMcpResourcesTool", "LSP", "MultiEdit", "Monitor"),
        *("NotebookEdit", "NotebookRead", "Read", "ReadMcpResourceTool", "SendMessage", "Skill"),
        *("SlashCommand", "StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList"),
        *("TaskOutput", "TaskStop", "TaskUpdate", "TeamCreate", "TeamDelete", "TodoRead"),
        *("TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write", "web_search"),
        *("web_fetch", "advisor", "code_execution", "general-purpose", "Explore", "Plan"),
        *("statusline-setup", "output-style-setup", "mcp"),
    }
)  # fmt: skip

IDS = frozenset(
    {
        *("uuid", "parentUuid", "logicalParentUuid", "sessionId", "session_id", "promptId"),
        *("leafUuid", "sourceToolAssistantUUID", "sourceToolUseID", "interruptedMessageId"),
        *("requestId", "agentId", "id", "tool_use_id", "messageId", "snapshotMessageId"),
        *("toolUseID", "parentToolUseID", "backgroundTaskId", "messageUuid", "runId", "slug"),
        *("scheduledTaskId", "toolUseId", "parentAgentId", "taskId", "task_id", "bash_id"),
        *("shell_id", "uuids", "compactedToolIds", "clearedAttachmentUUIDs"),
    }
)

PATHS = frozenset(
    {
        *("cwd", "gitBranch", "worktreeBranch", "worktreePath", "file_path", "notebook_path"),
        *("filePath", "persistedOutputPath", "outputFile", "scriptPath", "transcriptDir"),
        *("realParentDir", "trackingPath", "backupFileName", "filenames", "path"),
    }
)

CALLED = frozenset(
    {
        *("name", "names", "tool_name", "toolName", "skill", "skills", "attributionAgent"),
        *("attributionSkill", "attributionPlugin", "attributionMcpServer", "serverName"),
        *("attributionMcpTool", "agentType", "subagent_type", "hookName", "label", "phase"),
        *("workflowName", "addedNames", "removedNames", "readdedNames", "tools", "allowedTools"),
    }
)

MODELS = frozenset({"model", "resolvedModel", "advisorModel"})

SAID = frozenset(
    {
        *("type", "subtype", "role", "entrypoint", "userType", "permissionMode", "promptSource"),
        *("kind", "operation", "level", "status", "stop_reason", "effort", "perTurnEffort"),
        *("commandMode", "toolDenialKind", "trigger", "media_type", "hookEvent", "service_tier"),
        *("speed", "inference_geo", "queuePriority", "gitOperation", "mode", "taskType"),
        *("output_mode", "retrieval_status", "stopReason"),
    }
)

TIMES = frozenset({"timestamp", "backupTime"})

COUNTS = frozenset(
    {
        *("input_tokens", "output_tokens", "cache_creation_input_tokens", "thinking_tokens"),
        *("cache_read_input_tokens", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"),
        *("cache_missed_input_tokens", "inputTokens", "outputTokens", "cacheReadInputTokens"),
        *("cacheCreationInputTokens", "costUSD", "totalCostUSD", "totalDuration", "preTokens"),
        *("postTokens", "cumulativeDroppedTokens", "preservedMessages", "tokensSaved"),
        *("durationMs", "retryAttempt", "maxRetries", "hookCount", "retryInMs", "version"),
        *("exitCode", "returnCode", "timedOutAfterMs", "persistedOutputSize", "totalTokens"),
        *("totalToolUseCount", "totalDurationMs", "spawnDepth", "apiBlockIndex"),
        *("apiErrorStatus", "skillCount", "itemCount", "messageCount", "web_search_requests"),
        *("web_fetch_requests", "elapsedTimeMs", "elapsedTimeSeconds", "timeoutMs"),
    }
)

# In these nothing is the format's: numbers and moments are somebody's, too.
FREE = frozenset({"input", "structuredContent", "answers", "annotations", "todos", "questions"})

VERSION = re.compile(r"\d{1,4}(\.\d{1,6}){1,3}(-(alpha|beta|dev|rc)(\.\d{1,3})?)?").fullmatch
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)|\d{1,13}(\.\d{1,6})?"
).fullmatch
MODEL = re.compile(
    r"<synthetic>|opus|sonnet|haiku|inherit|claude(-(instant|haiku|sonnet|opus))?(-\d{1,2}){0,2}(-(haiku|sonnet|opus))?"
    r"(-\d{8}|-latest)?(\[1m\])?"
).fullmatch
