"""Transcripts that keep their structure and none of their content: SPEC section 7."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.recovery import output_folder
from sessionscan.recovery.output_folder import Planned
from sessionscan.sanitizing.names import Names
from sessionscan.sanitizing.paths import Paths
from sessionscan.sanitizing.texts import Texts
from sessionscan.sanitizing.tree import found
from sessionscan.sanitizing.values import Values
from sessionscan.sources import on_disk, shown

if TYPE_CHECKING:
    import os

    from sessionscan.sanitizing.tree import Found

__all__ = ["sanitize"]

_SHORTEST_KEY = 16
_FIELDS: list[pa.Field[Any]] = [pa.field(name, pa.string()) for name in ("kind", "path", "written")]
SCHEMA = pa.schema(_FIELDS)


def sanitize(
    path: str | os.PathLike[str], out: str | os.PathLike[str], *, key: bytes | str | None = None
) -> pa.Table:
    """Write a transcript, or a folder of them, without what it says.

    Structure, order and lengths stay, to the byte; so do types, versions, models,
    moments and counts, and what refers to what: ids, paths and names are renamed
    consistently. Every text becomes letters, with its spaces and line ends, and the
    marks that tables go by (such as `<task-notification>`); keys that are not the
    format's, such as paths in `trackedFileBackups`, are renamed. A word is the format's
    only where a closed list has it (rulings 82 to 84). So a scan gives the tables that it gave,
    but for new names and texts; two things are not kept: an echo or a block that a hook
    appended, where it is part of a line, and the place in a line that did not parse.

    What stays may still tell something: how much was said and when, which tools ran,
    how long names are. Look at it before you hand it on.

    Args:
        path: a transcript, or a folder: a home, a project or a session. Of a folder also
            what stands beside transcripts is written: metas and workflows without their
            content, outputs, backups and others as so many `x`. Nothing else is.
        out: the file to write, or a folder that has it; for a folder the folder.
        key: a secret of 16 bytes or more; the same input with the same key gives the
            same output. None makes one and forgets it.

    Returns:
        A row per file: kind, path, written. It holds the old names: keep it.

    Raises:
        FileExistsError: where something stands already; nothing is replaced.
        ValueError: for a Codex rollout, a file that cannot be read, a short key, what
            holds no transcript, or a path that is not on disk.
        FileNotFoundError, TypeError: as `scan` does.
        OSError: where it cannot be written; then nothing is.

    Example:
        >>> import tempfile
        >>> import sessionscan as ss
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = ss.sanitize("fixtures/corpus", f"{folder}/home")
        ...     ss.scan(f"{folder}/home").totals() == ss.scan("fixtures/corpus").totals()
        True
    """
    secret = _secret(key)
    (root,) = on_disk([path], "sanitize")
    files = found(root.path.rstrip("/") or "/")
    names = Names(secret)
    paths = Paths(names)
    values = Values(secret, paths, Texts(secret, paths))
    for file in files:
        for name in file.names:
            paths.part(name)
        for _ in file.contents(values):
            pass
    names.give()
    folder, planned = _plan(files, Path(root.path).is_dir(), Path(out), paths, values)
    for plan in planned:
        problem = output_folder.occupied(folder, plan.steps)
        if problem is not None:
            raise FileExistsError(problem)
    output_folder.write(folder, planned)
    rows = [
        {"kind": file.kind, "path": shown(file.path), "written": "/".join((folder, *plan.steps))}
        for file, plan in zip(files, planned, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _secret(key: bytes | str | None) -> bytes:
    if key is None:
        return secrets.token_bytes(32)
    if not isinstance(key, bytes | str):
        raise TypeError(f"key must be bytes or a text, not {type(key).__name__}")
    secret = key.encode() if isinstance(key, str) else key
    if len(secret) < _SHORTEST_KEY:
        raise ValueError(f"key has {len(secret)} bytes; one of {_SHORTEST_KEY} or more is no guess")
    return secret


def _plan(
    files: list[Found], is_folder: bool, out: Path, paths: Paths, values: Values
) -> tuple[str, list[Planned]]:
    """Return the folder to write to, and what goes where in it."""
    is_inside = is_folder or out.is_dir()
    planned = []
    for file in files:
        steps = tuple(map(paths.part, file.names)) if is_inside else (out.name,)
        planned.append(Planned(steps, partial(file.contents, values), None))
    return str(out if is_inside else out.parent), planned
