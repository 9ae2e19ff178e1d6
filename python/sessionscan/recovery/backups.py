"""The bytes of a backup: found in every home, compared, and never read through a link."""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan import without_links
from sessionscan.reference.inside_folder import is_plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionscan.sources import Root

_FOLDER = "file-history"
_PROJECTS = b"projects"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup as one home holds it."""

    home: bytes
    session_id: str
    name: str
    size: int
    sha256: str

    @property
    def path(self) -> bytes:
        """Where it stands."""
        return b"/".join([self.home, *_names(self.session_id, self.name)])

    def pieces(self) -> Iterator[bytes]:
        """Read it, in pieces of at most 64 KiB.

        Raises:
            OSError, ValueError: where it is not what it was when it was found.
        """
        with ExitStack() as opened:
            names = _names(self.session_id, self.name)
            yield from without_links.pieces(without_links.open_file(opened, self.home, names))


def homes(roots: Iterable[Root], paths: Iterable[str]) -> list[bytes]:
    """Return the homes of roots and of transcripts, each physical folder once."""
    places: list[bytes | None] = []
    for root in roots:
        places.append(os.fsencode(root.path))
        places.append(_home(os.fsencode(root.path) + b"/"))
    places += [_home(os.fsencode(path)) for path in paths]
    found: dict[tuple[int, int], bytes] = {}
    for place in dict.fromkeys(place for place in places if place is not None):
        try:
            folder = os.stat(os.path.join(place, os.fsencode(_FOLDER)), follow_symlinks=False)  # noqa: PTH116, PTH118 (paths are bytes)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            # What cannot be looked at now is told when a backup is looked for.
            found[(-1, len(found))] = place
            continue
        found.setdefault((folder.st_dev, folder.st_ino), place)
    return list(found.values())


def _home(path: bytes) -> bytes | None:
    """Return the folder that holds the last folder named `projects` on a path."""
    folders = path.split(b"/")[:-1]
    for index in range(len(folders) - 1, -1, -1):
        if folders[index] == _PROJECTS:
            return b"/".join(folders[:index]) or (b"/" if path.startswith(b"/") else b".")
    return None


def find(homes: Sequence[bytes], session_id: str, names: Sequence[str]) -> list[Backup]:
    """Find the backups of these names in every home; all must hold the same bytes.

    Returns:
        At least one; the first is the one to read.

    Raises:
        ValueError: where a name leads out of the session's folder, a backup is missing
            or cannot be read, or two of them differ: it says which, and where.
    """
    found = []
    for name in names:
        here = [each for home in homes if (each := _look(home, session_id, name)) is not None]
        if not here:
            raise ValueError(f"the backup {name!r} is missing: {_searched(homes, session_id)}")
        found += here
    for other in found[1:]:
        if other.sha256 != found[0].sha256:
            shown = (os.fsdecode(each.path) for each in (found[0], other))
            raise ValueError("conflicting bytes: {} and {} differ".format(*shown))
    return found


def _look(home: bytes, session_id: str, name: str) -> Backup | None:
    if not (is_plain_name(session_id) and is_plain_name(name)):
        raise ValueError(f"the backup {name!r} leads out of the session's folder")
    digest, size = hashlib.sha256(), 0
    names = _names(session_id, name)
    try:
        with ExitStack() as opened:
            for piece in without_links.pieces(without_links.open_file(opened, home, names)):
                digest.update(piece)
                size += len(piece)
    except FileNotFoundError:
        return None
    except OSError as error:
        where = os.fsdecode(b"/".join([home, *names]))
        link = error.errno in {errno.ELOOP, errno.ENOTDIR}
        reason = "a link or a file stands on the way" if link else error.strerror
        raise ValueError(f"the backup {where} cannot be read: {reason}") from error
    return Backup(home, session_id, name, size, digest.hexdigest())


def _searched(homes: Sequence[bytes], session_id: str) -> str:
    if not homes:
        return f"no home with a folder {_FOLDER} was among the sources"
    places = (f"{os.fsdecode(home)}/{_FOLDER}/{session_id}" for home in homes)
    return "it is in none of " + ", ".join(places)


def _names(session_id: str, name: str) -> list[bytes]:
    return [_FOLDER.encode(), session_id.encode(), name.encode()]
