"""What public transcripts look like: the counts and quantiles that a corpus is drawn from."""

from __future__ import annotations

# Tool calls by name, of 25,149.
TOOLS: dict[str, int] = {
    "Bash": 20_603,
    "Read": 1_431,
    "Edit": 1_002,
    "Agent": 593,
    "Write": 337,
    "WebFetch": 286,
    "SendMessage": 188,
    "Skill": 138,
    "WebSearch": 136,
    "AskUserQuestion": 132,
    "ToolSearch": 84,
    "Workflow": 60,
    "Monitor": 47,
    "StructuredOutput": 32,
    "mcp__atlas__find_page": 25,
    "mcp__ledger__list_entries": 14,
    "TaskOutput": 14,
    "NotebookEdit": 8,
}

# Share of a tool's calls whose result has is_error true.
FAILURES: dict[str, float] = {
    "Bash": 0.0192,
    "Agent": 0.057,
    "Read": 0.009,
    "Write": 0.024,
    "Edit": 0.006,
    "Skill": 0.029,
    "AskUserQuestion": 0.03,
    "Monitor": 0.043,
    "mcp__atlas__find_page": 0.077,
    "mcp__ledger__list_entries": 0.077,
}

# Characters of a result's text: p50, p90, p99, max.
RESULT_CHARS: dict[str, tuple[int, int, int, int]] = {
    "Read": (20_706, 201_762, 416_559, 681_794),
    "Bash": (884, 6_080, 20_942, 29_937),
    "WebFetch": (1_047, 2_557, 45_038, 45_038),
    "mcp__atlas__find_page": (9_280, 24_660, 24_660, 24_660),
    "WebSearch": (2_494, 3_043, 3_874, 6_017),
    "Agent": (1_084, 1_099, 1_119, 3_248),
    "Edit": (210, 254, 356, 490),
}
OTHER_RESULT_CHARS = (180, 900, 4_000, 9_000)

# A call's results are more or fewer bytes than other files' contents; these are guesses
# that bring the bytes of each kind near to what was measured.
ORIGINAL_FILE_CHARS = (5_000, 30_000, 100_000, 300_000)
SIGNATURE_CHARS = (1_100, 4_800, 12_000, 30_000)
PROSE_CHARS = (260, 1_400, 5_000, 12_000)
PROMPT_CHARS = (180, 1_500, 9_000, 40_000)
IMAGE_CHARS = (18_000, 90_000, 240_000, 400_000)

MODELS: dict[str, int] = {
    "claude-opus-5": 28_522,
    "claude-fable-5-1": 11_359,
    "claude-fable-5": 7_544,
    "claude-sonnet-5": 2_798,
}

EFFORTS: dict[str, int] = {"high": 35_819, "medium": 7_564, "xhigh": 6_834, "low": 8}

# Attachments by attachment.type, of 87,914; 3.7 of them for each response.
ATTACHMENTS: dict[str, int] = {
    "hook_success": 56_349,
    "total_tokens_reminder": 17_211,
    "batching_reminder_sent": 5_232,
    "bash_output_audience_note": 3_372,
    "queued_command": 738,
    "environment": 696,
    "deferred_tools_delta": 320,
    "skill_listing": 300,
    "hook_non_blocking_error": 45,
    "compact_file_reference": 41,
    "read_truncation_notice": 31,
    "thinking_stripped": 6,
    "hook_blocking_error": 1,
}
ATTACHMENTS_PER_RESPONSE = 87_914 / 23_715

# Records of the host and of the client itself, in parents: name, or system/subtype.
HOST_RECORDS: dict[str, int] = {
    "last-prompt": 7_798,
    "atis-latch": 7_241,
    "mode": 6_346,
    "permission-mode": 6_008,
    "ai-title": 5_844,
    "queue-operation": 5_566,
    "bridge-session": 4_820,
    "pr-link": 3_446,
    "system/stop_hook_summary": 2_269,
    "system/turn_duration": 2_121,
    "file-history-snapshot": 1_100,
    "system/away_summary": 355,
    "custom-title": 206,
    "agent-name": 206,
    "file-history-delta": 199,
    "frame-link": 76,
    "system/informational": 43,
    "system/local_command": 40,
    "cost-state": 32,
    "artifact-autoreact-ledger": 15,
    "artifact-comment-monitor": 4,
    "system/scheduled_task_fire": 4,
    "system/agents_killed": 2,
    "system/bridge_status": 1,
}
# The parents of the sample hold 77 % of its records, so of its responses.
HOST_RECORDS_PER_RESPONSE = sum(HOST_RECORDS.values()) / (23_715 * 0.77)

# Blocks of a response, so that its records are 2.1 on average.
THINKING = 0.70
THINKING_WITH_TEXT = 0.05
TEXT = 0.35
CALLS: dict[int, int] = {0: 12, 1: 75, 2: 9, 3: 4}

# Of the responses with several records, those whose copies differ (19 % of all).
CONFLICT = 0.24
# Responses of which no copy became final.
NEVER_FINAL = 0.08

# Happenings: chance for each response (or call), times the caller's variety.
COMPACTION = 20 / 23_715
REPLAY_AFTER_COMPACTION = 0.5
API_ERROR = 38 / 23_715
NO_MESSAGE_ID = 1 / 12_000
ADVISOR = 60 / 23_715
NOTIFICATION = 1_130 / 23_715
INTERRUPTION = 71 / 23_715
PROMPT = 3_264 / 23_715
DENIAL = 48 / 25_149
NO_RESULT = 3 / 25_149
RESULT_BEFORE_CALL = 12 / 25_149
REUSED_TOOL_ID = 10 / 25_149
REPEATED_BLOCK = 6 / 25_149
FORK = 0.06

# A workflow starts 30 agents on average (1,801 in 60).
WORKFLOW_AGENTS = (3, 57)
# Launched agents whose transcript exists (503 of 554).
LAUNCHED_WITH_TRANSCRIPT = 503 / 554
