"""Outputs of tools that stand in files of their own: rule 46 of the rulings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.inside_folder import OUTSIDE, UNKNOWN, Sought, is_plain_name, seek
from sessionscan.reference.pairing import Spot
from sessionscan.reference.white_space import trim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.joined import Joined

_OUTPUTS = "tool-results"
_MARK = "<persisted-output>"
_SAVED_TO = "saved to: "
_KINDS = {
    **dict.fromkeys((".txt", ".log", ".md"), "text"),
    **dict.fromkeys((".json", ".jsonl"), "json"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".webp"), "image"),
    ".pdf": "pdf",
}
_SEPARATOR = re.compile(r"[/\\]")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:").match


class _Sidecar(NamedTuple):
    """A result whose output stands elsewhere, and what says so."""

    result: Spot
    path: str | None
    locator: str


def sidecar_rows(joined: Joined) -> list[Columns]:
    """Give a row for every result that names a file, and look whether it is there."""
    names = {
        id(result.block): call.pair.call.block.tool_name
        for call in joined.calls
        for result in call.pair.results
    }
    rows = []
    for sidecar in _sidecars(joined):
        result = sidecar.result
        sought = _look(sidecar)
        if sought.leads_outside:
            result.report("path_outside_session")
        rows.append(
            {
                "file_id": result.record.file_id,
                "line": result.record.line,
                "session_id": result.facts.session_of(result.record),
                "tool_use_id": result.block.tool_use_id,
                "tool_name": names.get(id(result.block)),
                "path": sidecar.path,
                "declared_bytes": result.record.tool_use_result.persisted_output_bytes,
                "exists": sought.exists,
                "size_bytes": sought.size_bytes,
                "locator": sidecar.locator,
                "kind": _kind(sidecar.path),
            }
        )
    return rows


def _sidecars(joined: Joined) -> Iterator[_Sidecar]:
    """Find the results that name a file; toolUseResult speaks of the first of its record."""
    for result, is_first in _results(joined):
        path = result.record.tool_use_result.persisted_output_path
        text = result.block.text or ""
        if is_first and path is not None:
            yield _Sidecar(result, path, "persistedOutputPath")
        elif trim(text).startswith(_MARK):
            yield _Sidecar(result, _path_in(text), "text")


def _results(joined: Joined) -> Iterator[tuple[Spot, bool]]:
    for facts in joined.read:
        for record in facts.counted:
            results = [block for block in record.blocks if block.result is not None]
            for number, block in enumerate(results):
                yield Spot(block, record, facts), number == 0


def _path_in(text: str) -> str | None:
    _, found, behind = text.partition(_SAVED_TO)
    return trim(behind.partition("\n")[0]) if found else None


def _look(sidecar: _Sidecar) -> Sought:
    """Look for a sidecar where its own session keeps such files, and nowhere else."""
    if sidecar.path is None:
        return UNKNOWN
    folder = _session_folder(sidecar.result)
    if folder is None:
        return UNKNOWN
    base, name = folder
    if not is_plain_name(name.decode("utf-8", "replace")):
        return OUTSIDE
    steps = _steps(sidecar.path, name.decode("utf-8", "replace"))
    return OUTSIDE if steps is None else seek(base, [name, *(step.encode() for step in steps)])


def _session_folder(result: Spot) -> tuple[bytes, bytes] | None:
    """Give the folder that holds the session's folder, and its name, if there can be one."""
    folders = result.facts.transcript.raw_path.split(b"/")[:-1]
    for index in range(len(folders) - 1, 0, -1):
        if folders[index] == b"subagents" and folders[index - 1]:
            return _joined(folders[: index - 1]), folders[index - 1]
    session_id = result.facts.session_of(result.record)
    return None if session_id is None else (_joined(folders), session_id.encode())


def _joined(folders: list[bytes]) -> bytes:
    """Join names to a path; one empty name is the root of all."""
    return b"/" if folders == [b""] else b"/".join(folders)


def _steps(path: str, folder_name: str) -> list[str] | None:
    """Give the names that lead from the session's folder to a path, None if none do."""
    parts = [part for part in _SEPARATOR.split(path) if part not in {"", "."}]
    if ".." in parts or any("\0" in part for part in parts):
        return None
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] == folder_name and parts[index + 1] == _OUTPUTS:
            inner = parts[index + 2 :]
            return [_OUTPUTS, *inner] if inner else None
    return None if _ABSOLUTE(path) or not parts else parts


def _kind(path: str | None) -> str | None:
    if path is None:
        return None
    lowered = path.translate(_LOWER)
    return next((kind for end, kind in _KINDS.items() if lowered.endswith(end)), "other")


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
