"""New ids and paths: the parts of a path keep their places, and what a client calls them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionscan.sanitizing.kept import NAMES

if TYPE_CHECKING:
    from sessionscan.sanitizing.names import Names

_SEPARATORS = re.compile(r"([/\\])")
_FIXED = frozenset(
    {
        *("", ".", "..", "~", "projects", "subagents", "workflows", "tool-results"),
        *("file-history", "memory", "scripts", ".claude", ".codex", "journal.jsonl"),
    }
)
_DRIVE = re.compile(r"[A-Za-z]:").fullmatch
_ENDING = re.compile(
    r"(\.meta\.json|\.jsonl(\.gz|\.zst)?|\.(txt|log|md|json|png|jpe?g|gif|webp|pdf)|@v\d{1,6})$",
    re.IGNORECASE,
)
_PIECES = re.compile(r"(__|:)")


class Paths:
    """Renames ids, paths and what tools are called, all by one list of names."""

    def __init__(self, names: Names) -> None:
        """Take the list of names."""
        self._names = names

    @property
    def are_gathered(self) -> bool:
        """Whether names are still gathered."""
        return self._names.are_gathered

    def id(self, text: str) -> str:
        """Return a new id."""
        return self._names.of(text)

    def path(self, text: str) -> str:
        """Return a path with each part renamed."""
        parts = _SEPARATORS.split(text)
        return "".join(part if _SEPARATORS.fullmatch(part) else self.part(part) for part in parts)

    def part(self, name: str) -> str:
        """Return a part of a path with a new name, and the ending that says its kind."""
        if name in _FIXED or _DRIVE(name):
            return name
        match = _ENDING.search(name)
        ending = match[0] if match and match.start() else ""
        return self._names.of(name[: len(name) - len(ending)]) + ending

    def called(self, text: str) -> str:
        """Return what a tool, skill or agent is called; `mcp__` and the client's own stay."""
        return "".join(
            piece if piece in NAMES or piece in {"__", ":", ""} else self._names.of(piece)
            for piece in _PIECES.split(text)
        )
