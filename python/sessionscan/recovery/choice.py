"""Which of the states of a file is recovered: SPEC section 7, ruling 76."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from sessionscan.recovery.original_path import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.recovery.evidence import Call, Entry

_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class Choice:
    """The state of one file that is recovered, and what is known of later ones.

    `backups` are the entries that rank first; several only where they tie and name
    different backups. Without any, `write` is the newest Write; without either nothing
    that was kept holds the file.
    """

    path: str
    backups: list[Entry] = field(default_factory=list)
    write: Call | None = None
    tombstone: Entry | None = None
    deleted_later: bool | None = False
    later_calls: int = 0

    @property
    def moment(self) -> datetime | None:
        """When the recovered state was taken or written."""
        if self.backups:
            return self.backups[-1].moment
        return None if self.write is None else self.write.moment


def choices(entries: Sequence[Entry], calls: Sequence[Call]) -> list[Choice]:
    """Choose for each file, in order of its path.

    Paths that differ only in empty parts and `.` are one file.
    """
    tracked = _by_file(entries)
    changed = _by_file(calls)
    return [
        _choose(tracked.get(key, []), changed.get(key, []))
        for key in sorted(tracked.keys() | changed.keys())
    ]


_Named = TypeVar("_Named", "Entry", "Call")


def _by_file(named: Iterable[_Named]) -> dict[tuple[str, ...], list[_Named]]:
    files: dict[tuple[str, ...], list[_Named]] = defaultdict(list)
    for each in named:
        files[identity(each.path)].append(each)
    return files


def _choose(entries: list[Entry], calls: list[Call]) -> Choice:
    choice = _backup(entries) or _write(entries, calls) or _nothing(entries, calls)
    if choice.moment is not None:
        later = (call for call in calls if call.moment is not None and call.moment > choice.moment)
        choice.later_calls = sum(1 for _ in later)
    return choice


def _backup(entries: list[Entry]) -> Choice | None:
    """Choose the highest backup; a tombstone above it is a later state, no lesser one."""
    named = [entry for entry in entries if entry.name is not None]
    if not named:
        return None
    best = max(map(_rank, named))
    first = {entry.name: entry for entry in named if _rank(entry) == best}
    tombstone = _last_tombstone(entries)
    deleted = tombstone is not None and _rank(tombstone) > best
    backups = list(first.values())
    return Choice(backups[-1].path, backups, tombstone=tombstone, deleted_later=deleted)


def _write(entries: list[Entry], calls: list[Call]) -> Choice | None:
    """Choose the newest Write, of equally new ones the last; untimed ones are older."""
    writes = [call for call in calls if call.tool_name == "Write"]
    if not writes:
        return None
    _, _, write = max(
        (call.moment or _EARLIEST, number, call) for number, call in enumerate(writes)
    )
    tombstone = _last_tombstone(entries)
    deleted = None if tombstone else False
    if tombstone is not None and tombstone.moment is not None and write.moment is not None:
        deleted = tombstone.moment > write.moment
    return Choice(write.path, write=write, tombstone=tombstone, deleted_later=deleted)


def _nothing(entries: list[Entry], calls: list[Call]) -> Choice:
    """Say that there was a file, and that no state of it was kept."""
    tombstone = _last_tombstone(entries)
    path = tombstone.path if tombstone is not None else calls[-1].path
    return Choice(path, tombstone=tombstone, deleted_later=tombstone is not None)


def _last_tombstone(entries: list[Entry]) -> Entry | None:
    return max((entry for entry in entries if entry.name is None), key=_rank, default=None)


def _rank(entry: Entry) -> tuple[int, datetime, datetime]:
    """Order the states of a file: by version, then backupTime, then the snapshot's time."""
    version = -1 if entry.version is None else entry.version
    return version, entry.backup_time or _EARLIEST, entry.snapshot_time or _EARLIEST
