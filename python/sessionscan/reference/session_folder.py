"""Where a session keeps the outputs of its tools, and the way to one: rule 46 of the rulings."""

from __future__ import annotations

import re

_OUTPUTS = "tool-results"
_SEPARATOR = re.compile(r"[/\\]")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:").match


def session_folder(raw_path: bytes, session_id: str | None) -> tuple[bytes, bytes] | None:
    """Give the folder that holds a session's folder, and its name, if there can be one.

    `raw_path` is that of a transcript, `session_id` that of its record.
    """
    folders = raw_path.split(b"/")[:-1]
    for index in range(len(folders) - 1, 0, -1):
        if folders[index] == b"subagents" and folders[index - 1]:
            return _joined(folders[: index - 1]), folders[index - 1]
    return None if session_id is None else (_joined(folders), session_id.encode())


def _joined(folders: list[bytes]) -> bytes:
    """Join names to a path; one empty name is the root of all, none is where paths begin."""
    return b"/" if folders == [b""] else b"/".join(folders)


def steps_to(path: str, folder_name: str) -> list[str] | None:
    """Give the names that lead from the session's folder to a path, None if none do."""
    parts = [part for part in _SEPARATOR.split(path) if part not in {"", "."}]
    if ".." in parts or any("\0" in part for part in parts):
        return None
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] == folder_name and parts[index + 1] == _OUTPUTS:
            inner = parts[index + 2 :]
            return [_OUTPUTS, *inner] if inner else None
    return None if _ABSOLUTE(path) or not parts else parts
