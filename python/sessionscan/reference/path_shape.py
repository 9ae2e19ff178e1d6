"""What a path alone says about a transcript: rules 5 and 93 of the rulings."""

from __future__ import annotations

import re
from typing import NamedTuple

_UUID_PATTERN = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
is_uuid = re.compile(_UUID_PATTERN).fullmatch
_ROLLOUT = re.compile(rf"rollout-.+-({_UUID_PATTERN})", re.DOTALL).fullmatch
_ENDING = ".jsonl"
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


class Shape(NamedTuple):
    """Kind, ids and compression as the path has them; None where it is silent."""

    kind: str | None
    session_id: str | None
    agent_id: str | None
    workflow_id: str | None
    compression: str | None


def is_transcript_name(name: str) -> bool:
    """Say whether a name below a folder is that of a transcript."""
    return without_compression(name)[0].endswith(_ENDING)


def shape(path: str) -> Shape:
    """Read a path's kind, ids and compression out of its names."""
    *folders, name = path.split("/")
    name, compression = without_compression(name)
    stem = name.removesuffix(_ENDING) if name.endswith(_ENDING) else None
    folder = folders[-1] if folders else ""
    kind = _kind(stem, folders)
    is_agent = kind in {"workflow_agent", "subagent", "flat_agent"}
    return Shape(
        kind=kind,
        session_id=_own_session(kind, stem) or session_folder(folders),
        agent_id=stem.removeprefix("agent-") if stem is not None and is_agent else None,
        workflow_id=folder if folder.startswith("wf_") else None,
        compression=compression,
    )


def without_compression(name: str) -> tuple[str, str | None]:
    """Part a name from the end that says how a file is packed."""
    for ending, compression in _COMPRESSIONS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), compression
    return name, None


def _kind(stem: str | None, folders: list[str]) -> str | None:
    if stem is None:
        return None
    in_workflow = bool(folders) and folders[-1].startswith("wf_")
    if stem.startswith("rollout-"):
        return "codex"
    if stem == "journal" and in_workflow:
        return "journal"
    if stem.startswith("agent-"):
        if in_workflow and folders[-3:-1] == ["subagents", "workflows"]:
            return "workflow_agent"
        return "subagent" if folders[-1:] == ["subagents"] else "flat_agent"
    return "parent" if is_uuid(stem) else None


def _own_session(kind: str | None, stem: str | None) -> str | None:
    """Give the session that the name itself holds: a parent's is all of it."""
    if kind == "parent":
        return stem
    named = _ROLLOUT(stem) if kind == "codex" and stem is not None else None
    return named[1] if named else None


def session_folder(folders: list[str]) -> str | None:
    """Give the name of the folder that holds `subagents`, the nearest of several."""
    for index in range(len(folders) - 1, 0, -1):
        if folders[index] == "subagents":
            return folders[index - 1] or None
    return None
