"""Tracked paths and their backups -> the rows of `file_history`: rule 47 of the rulings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import line_finding
from sessionscan.reference.inside_folder import OUTSIDE, UNKNOWN, Sought, is_plain_name, seek

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.tracked_backups import TrackedBackup

_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]").match


def file_history_rows(
    files: Iterable[FileFacts], projects: Mapping[str, str | None]
) -> list[Columns]:
    """Give a row for every tracked path; `projects` has the project of each session."""
    return [
        _row(facts, record, backup, projects)
        for facts in files
        for record in facts.counted
        for backup in record.further.backups
    ]


def _row(
    facts: FileFacts, record: Record, backup: TrackedBackup, projects: Mapping[str, str | None]
) -> Columns:
    session_id = facts.session_of(record)
    sought = _look(facts, session_id, backup.backup_file_name)
    if sought.leads_outside:
        found = line_finding("path_outside_session", record.line, record.span)
        facts.findings.append(found)
    moment = backup.snapshot_time
    project = projects.get(session_id) if session_id is not None else None
    return {
        "file_id": record.file_id,
        "line": record.line,
        "session_id": session_id,
        "path": _path(backup, record.columns["cwd"], project),
        "backup_file_name": backup.backup_file_name,
        "version": backup.version,
        "backup_time": backup.backup_time,
        "snapshot_time": record.columns["timestamp"] if moment is None else moment,
        "is_tombstone": backup.is_tombstone,
        "exists": sought.exists,
        "size_bytes": sought.size_bytes,
    }


def _path(backup: TrackedBackup, cwd: str | None, project: str | None) -> str:
    """Give a tracked path behind the folder that it is relative to, where one is known."""
    folders = (backup.real_parent_dir, cwd, project)
    folder = next((each for each in folders if each is not None), None)
    if folder is None or _ABSOLUTE(backup.path):
        return backup.path
    return f"{folder.rstrip('/')}/{backup.path}"


def _look(facts: FileFacts, session_id: str | None, name: str | None) -> Sought:
    """Look for a backup where the home of its file keeps them."""
    home = _home(facts.transcript.raw_path)
    if home is None or session_id is None or name is None:
        return UNKNOWN
    if not (is_plain_name(session_id) and is_plain_name(name)):
        return OUTSIDE
    steps = [b"file-history", session_id.encode(), name.encode()]
    return seek(home, steps, facts.transcript.storage)


def _home(path: bytes) -> bytes | None:
    """Give the folder that holds the last folder named `projects` on a path."""
    folders = path.split(b"/")[:-1]
    for index in range(len(folders) - 1, -1, -1):
        if folders[index] == b"projects":
            return b"/" if folders[:index] == [b""] else b"/".join(folders[:index])
    return None
