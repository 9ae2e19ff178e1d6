"""What a tool is asked and what it answers: input, result and the structured result beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from corpora import observed, prose
from corpora.dice import Quantiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpora.dice import Dice

_RESULT = {name: Quantiles(points) for name, points in observed.RESULT_CHARS.items()}
_OTHER = Quantiles(observed.OTHER_RESULT_CHARS)
_ORIGINAL = Quantiles(observed.ORIGINAL_FILE_CHARS)
_IMAGE = Quantiles(observed.IMAGE_CHARS)
_PROMPT = Quantiles(observed.PROMPT_CHARS)


class Answered(NamedTuple):
    """JSON texts of a call and its result, and the outcome that they are evidence of."""

    input: str
    content: str
    carrier: str | None
    is_error: bool | None
    outcome: str
    evidence: str
    extra: str = ""


class Place(NamedTuple):
    """Where a tool works."""

    folder: str
    session_folder: str
    cap: int


def _text(dice: Dice, tool: str, cap: int) -> str:
    return prose.output().cut(dice, dice.size(_RESULT.get(tool, _OTHER), cap))


def _unknown(asked: str, content: str, carrier: str | None, extra: str = "") -> Answered:
    return Answered(asked, content, carrier, None, "unknown", "none", extra)


def _bash(dice: Dice, place: Place) -> Answered:
    text = _text(dice, "Bash", place.cap)
    command = dice.pick(("rg -n", "cargo test", "ls -la", "git status", "python", "sed -n"))
    target = prose.path(dice, place.folder)
    asked = f'{{"command":"{command} \\"{target}\\"","description":"{prose.words(dice, 4)}"}}'
    shown, more = text, ""
    draw = dice.random()
    if draw < 254 / 20_603:
        path = f"{place.session_folder}/tool-results/b{dice.bits(32):08x}.txt"
        size = 30_000 + dice.below(400_000)
        shown = f"<persisted-output>\\n{text}\\n</persisted-output>"
        more = f',"persistedOutputPath":"{path}","persistedOutputSize":{size}'
    elif draw < 0.025:
        more = f',"backgroundTaskId":"b{dice.bits(24):06x}"'
    elif draw < 0.04:
        more = f',"gitOperation":{{"commit":{{"sha":"{dice.bits(40):010x}"}},"push":null}}'
    elif draw < 0.042:
        more = f',"timedOutAfterMs":{dice.pick((120_000, 600_000))}'
    errors = prose.output().cut(dice, 60) if dice.chance(0.05) else ""
    carrier = (
        f'{{"stdout":"{text}","stderr":"{errors}","interrupted":false,"isImage":false,'
        f'"noOutputExpected":{"false" if dice.chance(0.9) else "true"}{more}}}'
    )
    return Answered(asked, f'"{shown}"', carrier, False, "not_failed", "is_error")


def _read(dice: Dice, place: Place) -> Answered:
    path = prose.path(dice, place.folder)
    asked = f'{{"file_path":"{path}"}}'
    if dice.chance(114 / 942):
        data = prose.base64(dice, dice.size(_IMAGE, place.cap))
        source = f'{{"type":"base64","media_type":"image/png","data":"{data}"}}'
        content = f'[{{"type":"image","source":{source}}}]'
        file = f'{{"base64":"{data}","type":"image/png","originalSize":{len(data)}}}'
        return _unknown(asked, content, f'{{"type":"image","file":{file}}}')
    text = _text(dice, "Read", place.cap)
    lines = text.count("\\n")
    carrier = (
        f'{{"type":"text","file":{{"filePath":"{path}","content":"{text}",'
        f'"numLines":{lines},"startLine":1,"totalLines":{lines}}}}}'
    )
    return _unknown(asked, f'"{text}"', carrier)


def _edit(dice: Dice, place: Place) -> Answered:
    path = prose.path(dice, place.folder)
    old, new = (prose.output().cut(dice, min(300, place.cap)) for _ in range(2))
    whole = prose.output().cut(dice, dice.size(_ORIGINAL, place.cap))
    names = f'"filePath":"{path}","oldString":"{old}","newString":"{new}"'
    carrier = (
        f'{{{names},"originalFile":"{whole}","structuredPatch":[{{"oldStart":4,"oldLines":1,'
        f'"newStart":4,"newLines":1,"lines":["-{old}","+{new}"]}}],"userModified":false,'
        f'"replaceAll":false}}'
    )
    asked = (
        f'{{"replace_all":false,"file_path":"{path}","old_string":"{old}","new_string":"{new}"}}'
    )
    return _unknown(asked, f'"{_text(dice, "Edit", place.cap)}"', carrier)


def _write(dice: Dice, place: Place) -> Answered:
    path = prose.path(dice, place.folder)
    text = prose.output().cut(dice, dice.size(_ORIGINAL, place.cap // 2 + 1))
    carrier = (
        f'{{"type":"create","filePath":"{path}","content":"{text}","structuredPatch":[],'
        f'"originalFile":null,"userModified":false}}'
    )
    asked = f'{{"file_path":"{path}","content":"{text}"}}'
    return _unknown(asked, f'"File created successfully at: {path}"', carrier)


def _search(dice: Dice, place: Place) -> Answered:
    text = _text(dice, "WebSearch", place.cap)
    query = prose.words(dice, 4)
    carrier = f'{{"query":"{query}","results":["{text}"],"durationSeconds":1.5,"searchCount":1}}'
    return _unknown(f'{{"query":"{query}"}}', f'"{text}"', carrier)


def _fetch(dice: Dice, place: Place) -> Answered:
    text = _text(dice, "WebFetch", place.cap)
    url = f"https://{dice.pick(('docs', 'notes'))}.example/{dice.below(900)}"
    carrier = (
        f'{{"bytes":{dice.below(90_000)},"code":200,"codeText":"OK","result":"{text}",'
        f'"durationMs":{dice.below(9_000)},"url":"{url}"}}'
    )
    asked = f'{{"url":"{url}","prompt":"{prose.words(dice, 6)}"}}'
    return _unknown(asked, f'"{text}"', carrier)


def _tool_search(dice: Dice, place: Place) -> Answered:
    del place
    names = [f"mcp__atlas__{prose.words(dice, 1)}" for _ in range(dice.between(1, 4))]
    blocks = ",".join(f'{{"type":"tool_reference","tool_name":"{name}"}}' for name in names)
    query = prose.words(dice, 2)
    carrier = json.dumps(
        {"matches": names, "query": query, "total_deferred_tools": 40}, separators=(",", ":")
    )
    return _unknown(f'{{"query":"{query}","max_results":5}}', f"[{blocks}]", carrier)


def _mcp(tool: str) -> Callable[[Dice, Place], Answered]:
    def answer(dice: Dice, place: Place) -> Answered:
        text = _text(dice, tool, place.cap)
        content = f'[{{"type":"text","text":"{text}"}}]'
        meta = f'"mcpMeta":{{"structuredContent":{{"count":{dice.below(90)}}}}},'
        asked = f'{{"page":{dice.below(40)},"title":"{prose.words(dice, 3)}"}}'
        return _unknown(asked, content, content, meta if dice.chance(12 / 39) else "")

    return answer


def _plain(tool: str) -> Callable[[Dice, Place], Answered]:
    def answer(dice: Dice, place: Place) -> Answered:
        text = _text(dice, tool, place.cap)
        asked = f'{{"message":"{prose.words(dice, 5)}","kind":"{tool.lower()}"}}'
        draw = dice.random()
        if draw < 0.1:
            return _unknown(asked, f'"{text}"', f'"{text}"')
        if draw < 0.15:
            return _unknown(asked, f'"{text}"', None)
        carrier = f'{{"success":true,"message":"{text}"}}'
        return _unknown(asked, f'"{text}"', carrier)

    return answer


_ANSWERS: dict[str, Callable[[Dice, Place], Answered]] = {
    "Bash": _bash,
    "Read": _read,
    "Edit": _edit,
    "NotebookEdit": _edit,
    "Write": _write,
    "WebSearch": _search,
    "WebFetch": _fetch,
    "ToolSearch": _tool_search,
} | {
    name: _mcp(name) if name.startswith("mcp__") else _plain(name)
    for name in observed.TOOLS
    if name not in {"Bash", "Read", "Edit", "NotebookEdit", "Write"}
    and name not in {"WebSearch", "WebFetch", "ToolSearch", "Agent", "Workflow"}
}


def answer(dice: Dice, tool: str, place: Place) -> Answered:
    """Return a call of `tool` with the result of a call that did not fail."""
    return _ANSWERS[tool](dice, place)


def launch(dice: Dice, agent_id: str, model: str, *, waited: bool) -> Answered:
    """Return an Agent call: most are launches, few wait and are completed."""
    about, prompt = prose.words(dice, 4), prose.talk().cut(dice, dice.size(_PROMPT, 4_000))
    asked = (
        f'{{"description":"{about}","prompt":"{prompt}","subagent_type":"explorer",'
        f'"run_in_background":{"false" if waited else "true"}}}'
    )
    said = prose.talk().cut(dice, 1_000)
    content = f'[{{"type":"text","text":"{said}"}}]'
    status = "completed" if waited else "async_launched"
    carrier = (
        f'{{"isAsync":{"false" if waited else "true"},"status":"{status}",'
        f'"agentId":"{agent_id}","description":"{about}","resolvedModel":"{model}",'
        f'"prompt":"{prompt}"}}'
    )
    outcome = "not_failed" if waited else "launched"
    return Answered(asked, content, carrier, None, outcome, "status")


def workflow(dice: Dice, workflow_id: str) -> Answered:
    """Return a Workflow call; its result says is_error false, as Bash does."""
    name = prose.words(dice, 2)
    asked = f'{{"name":"{name}","script":"{prose.output().cut(dice, 800)}"}}'
    carrier = (
        f'{{"status":"running","taskId":"{workflow_id}","taskType":"workflow",'
        f'"workflowName":"{name}","runId":"{workflow_id}",'
        f'"transcriptDir":"/home/ada/.claude/jobs/{workflow_id}"}}'
    )
    return Answered(asked, f'"{name} started"', carrier, False, "not_failed", "is_error")


def failed(dice: Dice, asked: str, place: Place, *, denied: bool) -> Answered:
    """Return a failure: an is_error, and the message again as a bare string."""
    text = prose.output().cut(dice, dice.size(_OTHER, place.cap))
    extra = '"toolDenialKind":"user-rejected",' if denied else ""
    return Answered(asked, f'"{text}"', f'"Error: {text}"', True, "failed", "is_error", extra)
