"""The archives that a user registered in `~/.claude/history-sources.json`: SPEC section 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from sessionscan.errors import RegistryError

VERSION = 1
_PROVIDER, _KIND = "claude", "archive"
_KEYS = ("provider", "kind", "label", "home")


class Archive(NamedTuple):
    """A registered home that is no longer written to.

    `required` is true unless the entry says false: who registers an archive counts
    on it.
    """

    label: str
    home: Path
    required: bool
    entry: str


def registry_path() -> Path:
    """Return where the registry of this user stands."""
    return Path.home() / ".claude" / "history-sources.json"


def archives(path: Path) -> list[Archive]:
    """Read the registry; without one there are no archives.

    Raises:
        RegistryError: for one that cannot be read or is malformed; it names the entry.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        registry = json.loads(text)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RegistryError(str(path), None, f"cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RegistryError(str(path), None, f"is no JSON: {error}") from error
    entries = _entries(registry, str(path))
    found = [_archive(entry, number, str(path)) for number, entry in enumerate(entries)]
    _check_labels(found, str(path))
    return found


def _entries(registry: object, path: str) -> list[Any]:
    if not isinstance(registry, dict):
        raise RegistryError(path, None, f"must hold an object, not {_named(registry)}")
    version = registry.get("version")
    if version != VERSION or isinstance(version, bool):
        raise RegistryError(path, None, f"must have version {VERSION}, not {version!r}")
    entries = registry.get("sources")
    if not isinstance(entries, list):
        raise RegistryError(path, None, f"must have an array of sources, not {_named(entries)}")
    return entries


def _archive(entry: object, number: int, path: str) -> Archive:
    where = f"sources[{number}]"
    if not isinstance(entry, dict):
        raise RegistryError(path, where, f"must be an object, not {_named(entry)}")
    if isinstance(entry.get("label"), str):
        where += f" ({entry['label']!r})"
    for key in _KEYS:
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise RegistryError(path, where, f"{key} must be a text, not {value!r}")
    for key, allowed in (("provider", _PROVIDER), ("kind", _KIND)):
        if entry[key] != allowed:
            raise RegistryError(path, where, f"{key} must be {allowed!r}, not {entry[key]!r}")
    required = entry.get("required", True)
    if not isinstance(required, bool):
        raise RegistryError(path, where, f"required must be true or false, not {required!r}")
    return Archive(entry["label"], _home(entry["home"], path, where), required, where)


def _home(home: str, path: str, where: str) -> Path:
    try:
        found = Path(home).expanduser()
    except RuntimeError as error:
        raise RegistryError(path, where, f"home {home!r} is of no known user") from error
    if not found.is_absolute():
        raise RegistryError(path, where, f"home must be an absolute path or start with ~: {home!r}")
    return found


def _check_labels(found: list[Archive], path: str) -> None:
    seen: set[str] = set()
    for archive in found:
        if archive.label in seen:
            raise RegistryError(path, archive.entry, "its label stands twice")
        seen.add(archive.label)


def _named(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
