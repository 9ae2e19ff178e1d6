"""Where an original path goes inside the output folder, and which paths go nowhere."""

from __future__ import annotations

import os
import re

_WINDOWS = re.compile(r"([A-Za-z]):[/\\]|\\\\")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]").match
_SEPARATORS = re.compile(r"[/\\]")
_LONGEST_NAME = 255


def absolute(path: str, project: str | None) -> str:
    """Return a path behind the session's project, where it is relative and there is one."""
    if project is None or _ABSOLUTE(path):
        return path
    return f"{project.rstrip('/')}/{path}"


def steps(path: str) -> tuple[str, ...]:
    r"""Return the names that lead from the output folder to where `path` is recovered.

    The whole original path stands below the folder, so that files of one name do not
    meet. `/` separates names; in a path that starts like one of Windows `\` does, too,
    and the letter of its drive is a folder.

    Raises:
        ValueError: for a path that no file of its own below a folder can have.

    >>> steps("/home/iva/heights.py")
    ('home', 'iva', 'heights.py')
    >>> steps("C:\\tide\\heights.py")
    ('C', 'tide', 'heights.py')
    >>> steps("/home/../etc/passwd")
    Traceback (most recent call last):
        ...
    ValueError: the path holds "..", which may lead anywhere
    """
    windows = _WINDOWS.match(path)
    if windows:
        drive = windows[1] or ""
        parts = [drive, *_SEPARATORS.split(path[len(drive) + 1 if drive else 0 :])]
    else:
        parts = path.split("/")
    names = tuple(part for part in parts if part not in {"", "."})
    _check(names, path)
    return names


def identity(path: str) -> tuple[str, ...]:
    """Return what two spellings of one path share; empty parts and `.` say nothing.

    >>> identity("/tide//heights.py") == identity("/tide/./heights.py")
    True
    >>> identity("/tide/heights.py") == identity("tide/heights.py")
    False
    """
    try:
        names = steps(path)
    except ValueError:
        return ("", path)
    windows = _WINDOWS.match(path)
    return (windows[0] if windows else path[:1] if path[:1] == "/" else ".", *names)


def _check(names: tuple[str, ...], path: str) -> None:
    if ".." in names:
        raise ValueError('the path holds "..", which may lead anywhere')
    if "\0" in path:
        raise ValueError("the path holds a NUL, which no name can")
    if not names or path[-1] == "/" or _SEPARATORS.split(path)[-1] == ".":
        raise ValueError("the path names a folder, not a file")
    if any(len(os.fsencode(name)) > _LONGEST_NAME for name in names):
        raise ValueError(f"a name in the path is longer than {_LONGEST_NAME} bytes")
