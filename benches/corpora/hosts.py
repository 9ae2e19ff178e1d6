"""Records around the conversation: attachments, system records and what the host writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora import observed, prose
from corpora.author import stamp
from corpora.dice import Wheel

if TYPE_CHECKING:
    from corpora.author import Author, Turn

_ATTACHMENT = Wheel(observed.ATTACHMENTS)
_HOST = Wheel(observed.HOST_RECORDS)


def attachment(author: Author, turn: Turn, tool_id: str) -> None:
    """Write one attachment; most are hooks that ran."""
    dice = author.dice
    kind = dice.spin(_ATTACHMENT)
    if kind.startswith("hook_"):
        event = dice.pick(("PreToolUse", "PostToolUse", "Stop"))
        body = (
            f'"hookName":"{event}:Bash","toolUseID":"{tool_id}","hookEvent":"{event}",'
            f'"content":"","stdout":"{prose.output().cut(dice, 40)}","stderr":"","exitCode":0,'
            f'"command":"~/.hooks/check.sh","durationMs":{dice.below(900)}'
        )
    elif kind == "queued_command":
        origin = ',"origin":{"kind":"human"}' if dice.chance(0.6) else ""
        text = prose.talk().cut(dice, 200)
        body = f'"prompt":"{text}","commandMode":"prompt"{origin}'
    elif kind == "total_tokens_reminder":
        body = f'"used":{dice.below(200_000)},"total":200000,"remaining":{dice.below(90_000)}'
    elif kind in {"deferred_tools_delta", "skill_listing", "environment"}:
        names = ",".join(f'"{prose.words(dice, 1)}"' for _ in range(12))
        body = f'"content":"{prose.talk().cut(dice, 1_500)}","names":[{names}]'
    else:
        body = f'"content":"{prose.talk().cut(dice, 160)}"'
    author.say(turn, "attachment", f'"attachment":{{"type":"{kind}",{body}}},')


def host(author: Author, turn: Turn) -> None:
    """Write one record of the host or a system record."""
    kind = author.dice.spin(_HOST)
    if kind.startswith("system/"):
        _system(author, turn, kind.removeprefix("system/"))
    elif kind in {"file-history-snapshot", "file-history-delta"}:
        _history(author, turn, kind)
    else:
        author.note(turn, kind, f'{_members(author, kind)}"sessionId":"{author.session_id}"')


def _members(author: Author, kind: str) -> str:
    dice = author.dice
    if kind == "last-prompt":
        leaf = author.thread or dice.uuid()
        return f'"lastPrompt":"{prose.talk().cut(dice, 120)}","leafUuid":"{leaf}",'
    if kind == "queue-operation":
        operation = dice.pick(("enqueue", "enqueue", "dequeue", "remove"))
        content = f'"content":"{prose.talk().cut(dice, 90)}",' if operation == "enqueue" else ""
        return f'"operation":"{operation}","timestamp":"{author.tick(900)}",{content}'
    if kind == "permission-mode":
        return f'"permissionMode":"{dice.pick(("default", "plan", "acceptEdits"))}",'
    if kind == "cost-state":
        usage = f'"inputTokens":{dice.below(9_000)},"outputTokens":{dice.below(9_000)}'
        return (
            f'"totalCostUSD":{dice.below(900)}.25,"totalDuration":{dice.below(9_000_000)},'
            f'"hasUnknownModelCost":false,"modelUsage":{{"claude-opus-5":{{{usage},'
            f'"costUSD":1.5}}}},'
        )
    names = {"ai-title": "aiTitle", "custom-title": "customTitle", "agent-name": "agentName"}
    return f'"{names.get(kind, "value")}":"{prose.words(dice, 5)}",'


def _system(author: Author, turn: Turn, subtype: str) -> None:
    dice = author.dice
    members = {
        "stop_hook_summary": '"hookCount":1,"hookInfos":[{"command":"check"}],"hookErrors":[],'
        '"preventedContinuation":false,"stopReason":"","hasOutput":false,"level":"suggestion",',
        "turn_duration": f'"durationMs":{dice.below(900_000)},"isMeta":false,',
        "agents_killed": "",
    }
    text = f'"content":"{prose.talk().cut(dice, 100)}","level":"info","isMeta":false,'
    author.say(turn, "system", members.get(subtype, text), subtype=subtype)


def _history(author: Author, turn: Turn, kind: str) -> None:
    dice = author.dice
    message = author.thread or dice.uuid()
    now = stamp(author.clock)

    def backup() -> str:
        name = f'"{dice.bits(64):016x}@v{dice.between(1, 9)}"'
        return f'{{"backupFileName":{name},"version":{dice.between(1, 9)},"backupTime":"{now}"}}'

    if kind == "file-history-delta":
        path = prose.path(dice, author.folder)
        author.note(
            turn,
            kind,
            f'"messageId":"{message}","snapshotMessageId":"{message}","trackingPath":"{path}",'
            f'"backup":{backup()},"timestamp":"{now}"',
        )
        return
    tracked = ",".join(
        f'"{prose.path(dice, author.folder)}":{backup()}' for _ in range(dice.between(1, 30))
    )
    author.note(
        turn,
        kind,
        f'"messageId":"{message}","snapshot":{{"messageId":"{message}",'
        f'"trackedFileBackups":{{{tracked}}},"timestamp":"{now}"}},"isSnapshotUpdate":false',
    )
