"""Which sessions worked in a project: by the `cwd` of their records, never by folder names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 10


def sessions_in(
    project: str | os.PathLike[str], worked: Iterable[tuple[str, str]]
) -> tuple[str, set[str]]:
    """Return the project's path, and the sessions that worked in it or below it.

    Args:
        project: a path (with a separator, or `.`, `..`, `~`), relative to the current
            folder where it is not absolute; or the bare name of a folder.
        worked: pairs of a session and a folder that a record of it names.

    Raises:
        ValueError: for a bare name of several folders, which are listed, and for a
            project that no session worked in.

    >>> sessions_in("tide", [("s", "/home/iva/tide"), ("t", "/home/iva/tide/docs")])[0]
    '/home/iva/tide'
    >>> sessions_in("docs", [("s", "/a/docs"), ("t", "/b/docs/x")])
    Traceback (most recent call last):
        ...
    ValueError: 'docs' is the name of 2 folders: /a/docs, /b/docs; name one by its path
    """
    pairs = list(worked)
    known = {cwd for _, cwd in pairs}
    folders = folders_named(project, known)
    if not folders:
        raise ValueError(f"no session worked in a folder named {project!r}; {_known(known)}")
    found = {session for session, cwd in pairs if any(is_in(cwd, path) for path in folders)}
    if not found:
        raise ValueError(f"no session worked in {folders[0]}; {_known(known)}")
    return folders[0], found


def folders_named(project: str | os.PathLike[str], known: Iterable[str]) -> list[str]:
    """Return the paths that a project may stand by in records; none for an unknown name.

    Args:
        project: as in `sessions_in`.
        known: folders that records name.

    Raises:
        ValueError: for a bare name of several folders, which are listed.
    """
    named = os.fspath(project)
    return _paths(named) if _is_path(named) else _only(named, known)


def _is_path(name: str) -> bool:
    return name in {".", ".."} or name.startswith("~") or "/" in name or "\\" in name


def _paths(name: str) -> list[str]:
    """Return a path as it may stand in records: as given, and with its links resolved."""
    expanded = os.path.expanduser(name)  # noqa: PTH111 (Path would drop what `..` means)
    if "\\" in expanded and "/" not in expanded:
        return [expanded]
    return list(dict.fromkeys((os.path.abspath(expanded), os.path.realpath(expanded))))  # noqa: PTH100


def is_in(cwd: str, folder: str) -> bool:
    """Say whether a folder is another or lies below it, name by name."""
    inside, above = _names(cwd), _names(folder)
    return inside[: len(above)] == above


def _names(path: str) -> list[str]:
    """Return the names of a path; of one of Windows split at both separators."""
    if path[1:3] == ":\\" or path.startswith("\\\\"):
        path = path.replace("\\", "/").lower()
    return [name for name in path.split("/") if name not in {"", "."}]


def _only(name: str, known: Iterable[str]) -> list[str]:
    """Return the one folder of that name among folders and those above them, if any."""
    found = set()
    for cwd in known:
        names = cwd.replace("\\", "/").split("/")
        found |= {cwd[: _length(names, n)] for n, each in enumerate(names) if each == name}
    if len(found) > 1:
        said = f"{name!r} is the name of {len(found):,} folders: {_listed(found)}"
        raise ValueError(f"{said}; name one by its path")
    return list(found)


def _length(names: list[str], number: int) -> int:
    return sum(map(len, names[: number + 1])) + number


def _known(folders: Iterable[str]) -> str:
    known = set(folders)
    return f"projects are {_listed(known)}" if known else "no record names a project"


def _listed(folders: set[str]) -> str:
    listed = sorted(folders)
    more = f" and {len(listed) - _SHOWN:,} more" if listed[_SHOWN:] else ""
    return ", ".join(listed[:_SHOWN]) + more
