"""What would be written, from where, and what stands against it, before anything is."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.recovery import backups, output_folder
from sessionscan.recovery.original_path import steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.recovery.backups import Backup
    from sessionscan.recovery.choice import Choice


@dataclass(slots=True)
class Recovered:
    """A file as it would be recovered; with a `problem` it cannot be."""

    choice: Choice
    steps: tuple[str, ...] = ()
    backup: Backup | None = None
    text: bytes | None = None
    size: int | None = None
    sha256: str | None = None
    copies: int = 0
    problem: str | None = None

    def pieces(self) -> Iterable[bytes]:
        """Give its bytes."""
        if self.backup is not None:
            return self.backup.pieces()
        return [self.text or b""]


def plan(
    found: Iterable[Choice],
    homes: Sequence[bytes],
    session_id: str,
    folder: str | None,
) -> list[Recovered]:
    """Find the bytes of every file and its place; keep what is wrong beside each."""
    files = []
    for choice in found:
        file = Recovered(choice)
        try:
            file.steps = steps(choice.path)
            _find_bytes(file, homes, session_id)
        except ValueError as error:
            file.problem = str(error)
        files.append(file)
    _check_places(files, folder)
    return files


def _find_bytes(file: Recovered, homes: Sequence[bytes], session_id: str) -> None:
    if file.choice.backups:
        names = [entry.name for entry in file.choice.backups if entry.name is not None]
        found = backups.find(homes, session_id, names)
        file.backup, file.copies = found[0], len(found)
        file.size, file.sha256 = found[0].size, found[0].sha256
        return
    if file.choice.write is None:
        return
    file.text = file.choice.write.content()
    if file.text is None:
        raise ValueError("the newest Write holds no text")
    file.copies, file.size = 1, len(file.text)
    file.sha256 = hashlib.sha256(file.text).hexdigest()


def _check_places(files: Sequence[Recovered], folder: str | None) -> None:
    """Refuse places that two files share, that are inside another file, or are taken."""
    held = [file for file in files if file.sha256 is not None and file.problem is None]
    taken = Counter(file.steps for file in held)
    for file in held:
        above = next((up for up in _folders_of(file.steps) if up in taken), None)
        if taken[file.steps] > 1:
            file.problem = "another original path leads to the same place"
        elif above is not None:
            file.problem = f"{'/'.join(above)} is a file to recover, too, and cannot be a folder"
        elif folder is not None:
            file.problem = output_folder.occupied(folder, file.steps)


def _folders_of(names: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    return (names[:length] for length in range(1, len(names)))
