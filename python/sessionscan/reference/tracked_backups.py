"""Backups of tracked files in snapshots and deltas of file history: rule 39."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from sessionscan.reference.values import Reader

_KEYS = frozenset({"backupFileName", "version", "backupTime", "realParentDir"})


@dataclass(frozen=True, slots=True)
class TrackedBackup:
    """A tracked path and its backup, as a record has them.

    `is_tombstone` is None where the record does not say whether there was a file.
    """

    path: str
    backup_file_name: str | None
    version: int | None
    backup_time: int | None
    real_parent_dir: str | None
    is_tombstone: bool | None
    snapshot_time: int | None


def read_snapshot(obj: Obj, reader: Reader) -> list[TrackedBackup]:
    """Read the backups of a snapshot, in its order."""
    reader.look(obj, ("snapshot",))
    snapshot = reader.object(obj, "snapshot")
    if snapshot is None:
        return []
    reader.look(snapshot, ("timestamp", "trackedFileBackups"))
    moment = reader.timestamp(snapshot, "timestamp")
    backups = []
    for path, backup in (reader.object(snapshot, "trackedFileBackups") or {}).items():
        if isinstance(backup, Obj):
            backups.append(_backup(path, backup, moment, reader))
        else:
            reader.bad()
    return backups


def read_delta(obj: Obj, reader: Reader) -> list[TrackedBackup]:
    """Read the backup of a delta; without path or backup there is none."""
    reader.look(obj, ("trackingPath", "backup"))
    path, backup = reader.string(obj, "trackingPath"), reader.object(obj, "backup")
    if backup is None:
        return []
    read = _backup(path or "", backup, None, reader)
    return [] if path is None else [read]


def _backup(path: str, backup: Obj, snapshot_time: int | None, reader: Reader) -> TrackedBackup:
    reader.look(backup, _KEYS)
    name = reader.string(backup, "backupFileName")
    is_null = "backupFileName" in backup and backup["backupFileName"] is None
    return TrackedBackup(
        path=path,
        backup_file_name=name,
        version=reader.integer(backup, "version"),
        backup_time=reader.timestamp(backup, "backupTime"),
        real_parent_dir=reader.string(backup, "realParentDir"),
        is_tombstone=True if is_null else None if name is None else False,
        snapshot_time=snapshot_time,
    )
