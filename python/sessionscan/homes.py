"""Where coding agents keep their transcripts on this machine.

Places are those of section 1 of the contract: CLAUDE_CONFIG_DIR (a list with
commas), `~/.claude`, `~/.config/claude`, `~/.claude-profiles/*`, `~/.claude-*`,
CODEX_HOME or `~/.codex`, and the archives of `~/.claude/history-sources.json`. A
Claude home has `projects/`; a Codex home has `sessions/` or `archived_sessions/`. A
folder without them is no home, so that another program's `~/.claude-something` is not
read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sessionscan import archive_registry
from sessionscan.errors import RegistryError

if TYPE_CHECKING:
    from collections.abc import Iterator

Status = Literal["found", "repeated", "missing", "no_home", "error"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place that was looked at, and what was found there.

    `walk` is what a scan walks. `reason` says why a place is not read, or what is
    wrong with a registry; `error` is what a scan of all homes raises for it.
    """

    provider: Literal["claude", "codex"]
    kind: Literal["home", "profile", "archive", "registry"]
    label: str
    home: Path
    named_by: str
    walk: Path
    status: Status = "found"
    reason: str | None = None
    required: bool | None = None
    error: RegistryError | None = None


def places() -> list[Place]:
    """Look at every place, in order; each physical folder is found once, at its first."""
    seen: dict[tuple[int, int], Place] = {}
    return [_once(place, seen) for place in (*_claude_homes(), _codex_home(), *_archives())]


def patterns() -> list[str]:
    """Return the patterns of profiles, which may match nothing."""
    return [str(folder / pattern) for folder, pattern in _profiles()]


def _profiles() -> tuple[tuple[Path, str], ...]:
    user = Path.home()
    return (user / ".claude-profiles", "*"), (user, ".claude-*")


def _claude_homes() -> Iterator[Place]:
    for name in os.environ.get("CLAUDE_CONFIG_DIR", "").split(","):
        if name.strip():
            yield _claude(Path(name.strip()).expanduser(), "CLAUDE_CONFIG_DIR", "home")
    user = Path.home()
    for named in (".claude", ".config/claude"):
        yield _claude(user / named, f"~/{named}", "home")
    for folder, pattern in _profiles():
        named = f"~/{(folder / pattern).relative_to(user)}"
        for home in sorted(folder.glob(pattern), key=os.fsencode):
            if home.is_dir() and home != user / ".claude-profiles":
                yield _claude(home, named, "profile")


def _claude(home: Path, named_by: str, kind: Literal["home", "profile"]) -> Place:
    place = Place("claude", kind, str(home), home, named_by, home)
    return _judged(place, home / "projects")


def _codex_home() -> Place:
    named = os.environ.get("CODEX_HOME", "").strip()
    home = Path(named).expanduser() if named else Path.home() / ".codex"
    place = Place("codex", "home", str(home), home, "CODEX_HOME" if named else "~/.codex", home)
    archived = home / "archived_sessions"
    if _identity(home / "sessions") is None and _identity(archived) is not None:
        return replace(place, walk=archived)
    return _judged(place, home / "sessions")


def _archives() -> Iterator[Place]:
    path = archive_registry.registry_path()
    try:
        found = archive_registry.archives(path)
    except RegistryError as error:
        place = Place("claude", "registry", str(path), path, str(path), path)
        yield replace(place, status="error", reason=str(error), error=error)
        return
    for archive in found:
        walk = archive.home / "projects"
        place = Place(
            "claude", "archive", archive.label, archive.home, f"{path}: {archive.entry}", walk
        )
        place = _judged(replace(place, required=archive.required), walk)
        if place.status != "found" and archive.required:
            said = f"the required archive is missing: {place.reason}"
            wrong = RegistryError(str(path), archive.entry, said)
            place = replace(place, status="error", reason=str(wrong), error=wrong)
        yield place


def _judged(place: Place, mark: Path) -> Place:
    """Say whether the folder `mark` makes a home of a place."""
    if _identity(mark) is not None:
        return place
    try:
        there = place.home.exists()
    except OSError as error:
        return replace(place, status="missing", reason=f"{place.home}: {error.strerror}")
    if there:
        return replace(place, status="no_home", reason=f"{mark} is no folder")
    return replace(place, status="missing", reason=f"{place.home} does not exist")


def _once(place: Place, seen: dict[tuple[int, int], Place]) -> Place:
    if place.status != "found":
        return place
    walked = place.walk / "projects" if place.provider == "claude" else place.walk
    identity = _identity(walked) or _identity(place.walk)
    first = seen.setdefault(identity, place) if identity is not None else place
    if first is place:
        return place
    return replace(place, status="repeated", reason=f"the same folder as {first.label}")


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells a folder from others; None where there is none to be seen."""
    try:
        found = folder.stat()
        return (found.st_dev, found.st_ino) if folder.is_dir() else None
    except OSError:
        return None
