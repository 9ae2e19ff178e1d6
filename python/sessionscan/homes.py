"""Where coding agents keep their transcripts on this machine.

Places are those of section 1 of the contract: CLAUDE_CONFIG_DIR (a list with
commas), `~/.claude`, `~/.config/claude`, `~/.claude-profiles/*`, `~/.claude-*`,
and CODEX_HOME or `~/.codex`. A Claude home has `projects/`; a Codex home has
`sessions/` or `archived_sessions/`. A folder without them is no home, so that
another program's `~/.claude-something` is not read.
"""

from __future__ import annotations

import os
from pathlib import Path


def discover() -> tuple[list[tuple[str, str]], list[str]]:
    """Return the homes that exist, as (label, path), and every place looked in.

    The path is what to walk; each physical folder stands once, at its first place.
    """
    looked: list[str] = []
    found: dict[tuple[int, int], tuple[str, str]] = {}
    for home in _claude_homes(looked):
        _add(found, home, home / "projects", home)
    codex = _codex_home(looked)
    archived = codex / "archived_sessions"
    if not _add(found, codex, codex / "sessions", codex):
        _add(found, codex, archived, archived)
    return list(found.values()), looked


def _claude_homes(looked: list[str]) -> list[Path]:
    user = Path.home()
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").split(",")
    homes = [Path(name.strip()).expanduser() for name in named if name.strip()]
    homes += [user / ".claude", user / ".config" / "claude"]
    looked += [str(home) for home in homes]
    for folder, pattern in ((user / ".claude-profiles", "*"), (user, ".claude-*")):
        looked.append(str(folder / pattern))
        homes += sorted(folder.glob(pattern), key=os.fsencode)
    return homes


def _codex_home(looked: list[str]) -> Path:
    named = os.environ.get("CODEX_HOME", "").strip()
    home = Path(named).expanduser() if named else Path.home() / ".codex"
    looked.append(str(home))
    return home


def _add(found: dict[tuple[int, int], tuple[str, str]], home: Path, mark: Path, walk: Path) -> bool:
    """Add `home` where the folder `mark` stands in it; say whether it does."""
    try:
        if not mark.is_dir():
            return False
        folder = mark.stat()
    except OSError:
        return False
    found.setdefault((folder.st_dev, folder.st_ino), (str(home), str(walk)))
    return True
