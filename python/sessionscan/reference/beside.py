"""What stands beside the transcripts, told by names: rule 38 of the rulings."""
# ruff: noqa: PTH118  paths are bytes

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionscan.reference.path_shape import session_folder, shape, without_compression
from sessionscan.reference.side_file import SideFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.storage import Member, Storage

META, TOOL_RESULT, WORKFLOW, MEMORY, SCRIPT = "meta", "tool_result", "workflow", "memory", "script"
KINDS = (META, WORKFLOW, MEMORY, SCRIPT, TOOL_RESULT)
"""What is counted, in the order of `beside` in coverage."""

_META_END = ".meta.json"
_WORKFLOW_END = ".json"
_AGENT = "agent-"
_TRANSCRIPT_END = ".jsonl"


def kind_beside(path: str) -> str | None:
    """Say what a file that is no transcript is beside them, None for anything else."""
    *folders, name = path.split("/")
    if _is_meta(name):
        return META
    if folders[-1:] == ["workflows"] and name.startswith("wf_") and name.endswith(_WORKFLOW_END):
        return WORKFLOW
    if folders[-1:] == ["memory"] and name.endswith(".md"):
        return MEMORY
    return SCRIPT if folders[-2:] == ["workflows", "scripts"] else None


def _is_meta(name: str) -> bool:
    return name.startswith(_AGENT) and name.endswith(_META_END)


def outputs(folder: Member, storage: Storage) -> Iterator[bytes]:
    """Give the regular files in a folder of tools' outputs, at any depth; no link is one."""
    folders = [folder.path] if _is_folder(folder) else []
    while folders:
        try:
            members = storage.members(folders.pop())
        except OSError:
            continue
        for member in members:
            if _is_folder(member):
                folders.append(member.path)
            elif _is_file(member):
                yield member.path


def _is_folder(member: Member) -> bool:
    try:
        return member.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(member: Member) -> bool:
    try:
        return member.is_file(follow_symlinks=False)
    except OSError:
        return False


def meta_beside(path: bytes) -> bytes | None:
    """Give where the meta file of an agent's transcript would stand."""
    folder, name = os.path.split(path)
    plain, _ = without_compression(os.fsdecode(name))
    if not (plain.startswith(_AGENT) and plain.endswith(_TRANSCRIPT_END)):
        return None
    return os.path.join(folder, os.fsencode(plain.removesuffix(_TRANSCRIPT_END) + _META_END))


def side_file(kind: str, raw_path: bytes, shown: str, source: str, storage: Storage) -> SideFile:
    """Read out of its path what a side file belongs to; `shown` is how tables have it."""
    path = raw_path.decode("utf-8", "replace")
    *folders, name = path.split("/")
    if kind == META:
        return SideFile(
            kind,
            raw_path,
            shown,
            source,
            storage=storage,
            stem=path.removesuffix(_META_END),
            session_id=session_folder(folders),
            agent_id=name.removeprefix(_AGENT).removesuffix(_META_END),
            workflow_id=shape(path).workflow_id,
        )
    stem = path.removesuffix(_WORKFLOW_END)
    if kind == WORKFLOW:
        session_id = folders[-2] if len(folders) > 1 else None
        workflow_id = name.removesuffix(_WORKFLOW_END)
        return SideFile(
            kind,
            raw_path,
            shown,
            source,
            stem,
            session_id or None,
            workflow_id=workflow_id,
            storage=storage,
        )
    return SideFile(kind, raw_path, shown, source, stem, storage=storage)
