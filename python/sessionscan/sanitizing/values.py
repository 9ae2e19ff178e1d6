"""JSON without its content: every token in its place, each string by what its key says."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.json_text import parse_whole
from sessionscan.reference.json_values import JsonStop
from sessionscan.sanitizing import kept
from sessionscan.sanitizing.escapes import rewritten, unescaped, units
from sessionscan.sanitizing.names import filler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionscan.sanitizing.paths import Paths
    from sessionscan.sanitizing.texts import Texts

_PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^"{}\[\],:]+', re.DOTALL)
_NUMBER = re.compile(r"(-?)(\d+)(\.\d+)?([eE][+-]?\d+)?").fullmatch
_SPACE = " \t\r\n"


@dataclass(slots=True)
class _Frame:
    """An open object or array: the key that leads to it, and the one that is read in it.

    In a `free` one nothing is the format's.
    """

    is_object: bool
    inside: str | None
    free: bool
    key: str | None = None
    wants_key: bool = False


class Values:
    """Writes JSON anew without what it says."""

    def __init__(self, key: bytes, paths: Paths, texts: Texts) -> None:
        """Take the key, and what renames and fills."""
        self._key = key
        self._paths = paths
        self._texts = texts
        self._by_key: tuple[tuple[frozenset[str], Callable[[str], str]], ...] = (
            (kept.IDS, paths.id),
            (kept.PATHS, paths.path),
            (kept.CALLED, paths.called),
            (kept.MODELS, paths.called),
        )

    def of(self, text: str) -> str:
        """Return the JSON text of one value without its content, as long as it was."""
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterator[str]:
        stack: list[_Frame] = []
        for match in _PIECE.finditer(text):
            piece = match[0]
            frame = stack[-1] if stack else None
            if piece in "{[":
                stack.append(_opened(piece, frame))
            elif piece in "}]":
                stack.pop()
            elif piece == ",":
                if frame is not None:
                    frame.wants_key = frame.is_object
            elif piece[0] == '"':
                yield f'"{self._string(piece[1:-1], frame, len(stack))}"'
                continue
            elif piece.strip(_SPACE) and piece != ":":
                yield self._scalar(piece, frame)
                continue
            yield piece

    def _string(self, raw: str, frame: _Frame | None, depth: int) -> str:
        old = unescaped(raw)
        if frame is not None and frame.wants_key:
            frame.key, frame.wants_key = old, False
            return rewritten(raw, old, self._named(old, frame))
        key = None if frame is None else frame.key
        return rewritten(raw, old, self._valued(old, key, frame, depth))

    def _named(self, key: str, frame: _Frame) -> str:
        """Return what a key becomes: those of the format stay, but where keys are data."""
        if frame.inside == "trackedFileBackups":
            return self._paths.path(key)
        if frame.inside == "modelUsage":
            return key if kept.MODEL(key) else self._paths.called(key)
        if frame.inside in {"answers", "annotations"}:
            return self._paths.id(key)
        is_known = key in kept.KEYS or (frame.inside == "gitOperation" and key in kept.WORDS)
        return key if is_known else self._paths.id(key)

    def _valued(self, value: str, key: str | None, frame: _Frame | None, depth: int) -> str:
        free = frame is None or frame.free
        if self._stays(value, key, depth, free=free):
            return value
        for keys, renamed in self._by_key:
            if key in keys:
                return renamed(value)
        if key == "data" and frame is not None and frame.inside == "source":
            content = value.rstrip("=")
            return self._texts.of(content) + value[len(content) :]
        return self._structured(value) if key == "toolUseResult" else self._texts.of(value)

    def _stays(self, value: str, key: str | None, depth: int, *, free: bool) -> bool:
        if key in kept.SAID:
            return value in kept.WORDS
        if key in kept.MODELS:
            return kept.MODEL(value) is not None
        if key in kept.TIMES and not free:
            return kept.MOMENT(value) is not None
        return key == "version" and depth == 1 and kept.VERSION(value) is not None

    def _scalar(self, piece: str, frame: _Frame | None) -> str:
        """Return a number, true, false or null, with the space around it."""
        number = piece.strip(_SPACE)
        match = _NUMBER(number)
        key = None if frame is None else frame.key
        free = frame is None or frame.free
        if match is None or (not free and (key in kept.COUNTS or key in kept.TIMES)):
            return piece
        digits = self._digits(match[2]) + ((match[3] and f".{self._digits(match[3][1:])}") or "")
        start = piece.index(number)
        return f"{piece[:start]}{match[1]}{digits}{match[4] or ''}{piece[start + len(number) :]}"

    def _digits(self, old: str) -> str:
        """Return other digits; one that leads is none that may not."""
        digest = hmac.digest(self._key, old.encode(), "sha256")
        noise = hashlib.shake_256(digest).digest(len(old))
        first = old[0] if old[0] == "0" else str(1 + noise[0] % 9)
        return first + "".join(str(byte % 10) for byte in noise[1:])

    def _structured(self, text: str) -> str:
        """Return a text that is JSON itself as JSON still: a table tells it from other text."""
        inner = text.strip(_SPACE)
        try:
            is_json = inner[:1] in {"{", "["} and parse_whole(inner) is not None
        except JsonStop:
            is_json = False
        if not is_json:
            return self._texts.of(text)
        start = text.index(inner)
        made = (self._plain_piece(match[0]) for match in _PIECE.finditer(inner))
        return text[:start] + "".join(made) + text[start + len(inner) :]

    def _plain_piece(self, piece: str) -> str:
        if piece[0] != '"':
            return piece if piece in "{}[],:" else self._scalar(piece, None)
        old = piece[1:-1]
        digest = hmac.digest(self._key, old.encode("utf-8", "surrogatepass"), "sha256")
        noise = hashlib.shake_256(digest).digest(len(old) + 1)
        made = (_plain_unit(unit, noise[number]) for number, unit in enumerate(units(old)))
        return f'"{"".join(made)}"'


def _plain_unit(unit: str, byte: int) -> str:
    if unit[0] != "\\":
        return chr(ord("a") + byte % 26) if unit.isascii() else filler(unit, byte)
    if unit[1] != "u":
        return unit
    return "\\u0061" * (len(unit) // 6)


def _opened(piece: str, frame: _Frame | None) -> _Frame:
    """Open an object or array where `frame` stands."""
    inside = None if frame is None else frame.key
    free = frame is not None and (frame.free or inside in kept.FREE)
    is_object = piece == "{"
    # What stands in an array is what its key says.
    return _Frame(is_object, inside, free, None if is_object else inside, is_object)
