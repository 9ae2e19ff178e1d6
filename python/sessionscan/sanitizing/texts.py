"""Texts without their words: as long, as many lines, and the marks of the format in them."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING

from sessionscan.sanitizing.kept import WORDS
from sessionscan.sanitizing.names import filler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionscan.sanitizing.paths import Paths

_LETTERS = bytes(ord("a") + byte % 26 for byte in range(256))
_SPACE = " \t\r\n"
_WORD = re.compile(r"[^ \t\r\n]+")
_TAGS = "|".join(
    (
        *("task-notification", "task-id", "tool-use-id", "status", "summary", "result", "usage"),
        *("total_tokens", "tool_uses", "duration_ms", "system-reminder", "user-prompt-submit-hook"),
        *("command-name", "command-message", "command-args", "bash-input", "bash-stdout"),
        *("bash-stderr", "local-command-stdout", "local-command-stderr", "local-command-caveat"),
        *("persisted-output",),
    )
)
# Marks that a table goes by, as rulings 40, 46, 51 to 54 have them.
_MARK = re.compile(
    rf"<(?P<id>task-id|tool-use-id)>(?P<of>[^<\n]*)(?=</)"
    rf"|<status>(?P<status>[ \t]*[a-z_]*[ \t]*)(?=</status>)"
    rf"|<(?:total_tokens|tool_uses|duration_ms)>(?P<count>[ \t]*\d{{1,18}}[ \t]*)(?=</)"
    rf"|</?(?:{_TAGS})>"
    r"|\[Request interrupted by user"
    r"|This session is being continued from a previous conversation"
    r"|\[Image #\d{1,4}\]"
    r"|saved to: (?P<path>[^\n]*)"
)
_SLASH = re.compile(r"[ \t\r\n]*(/)[A-Za-z][A-Za-z0-9_:-]*(?=[ \t\r\n]|$)")
_ASKED = re.compile(r"[?？][*_`\"')\]”’» \t\r\n]*$")  # noqa: RUF001 (the wide question mark)


class Texts:
    """Makes filler of texts: the same line of the same key gives the same filler."""

    def __init__(self, key: bytes, paths: Paths) -> None:
        """Take the key, and what renames ids and paths that stand in texts."""
        self._key = key
        self._paths = paths

    def of(self, text: str) -> str:
        """Return the filler of a text, character for character."""
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterator[str]:
        asked = _ASKED.search(text)
        end = asked.start() if asked else len(text)
        slash = _SLASH.match(text)
        place = 0
        if slash:
            yield text[: slash.end(1)]
            place = slash.end(1)
        for mark in _MARK.finditer(text, place, end):
            yield from self._lines(text[place : mark.start()])
            yield self._marked(mark)
            place = mark.end()
        yield from self._lines(text[place:end])
        yield text[end:]

    def _marked(self, mark: re.Match[str]) -> str:
        """Return a mark; an id in it is renamed, a word that is none of the format's goes."""
        if mark["id"] is not None:
            return f"<{mark['id']}>{_trimmed(mark['of'], self._paths.id)}"
        if mark["status"] is not None:
            status = _trimmed(
                mark["status"], lambda word: word if word in WORDS else self._line(word)
            )
            return f"<status>{status}"
        if mark["path"] is not None:
            return f"saved to: {_trimmed(mark['path'], self._paths.path)}"
        if mark["count"] is not None and "<task-notification>" not in mark.string:
            return mark[0].removesuffix(mark["count"]) + self._line(mark["count"])
        return mark[0]

    def _lines(self, text: str) -> Iterator[str]:
        # At LF alone: what ends a line elsewhere is a character here.
        for line in re.findall(r"[^\n]*\n|[^\n]+", text):
            yield self._line(line)

    def _line(self, line: str) -> str:
        """Make filler of a line: spaces stay, everything else becomes a letter."""
        words = line.strip(_SPACE)
        if not words or self._paths.are_gathered:
            return line
        digest = hmac.digest(self._key, words.encode("utf-8", "surrogatepass"), "sha256")
        noise = hashlib.shake_256(digest).digest(len(line))
        letters = noise.translate(_LETTERS).decode()
        start = len(line) - len(line.lstrip(_SPACE))

        def filled(word: re.Match[str]) -> str:
            first, last = word.start() - start, word.end() - start
            if word[0].isascii():
                return letters[first:last]
            return "".join(
                letters[first + n] if char.isascii() else filler(char, noise[first + n])
                for n, char in enumerate(word[0])
            )

        return _WORD.sub(filled, line)


def _trimmed(text: str, renamed: Callable[[str], str]) -> str:
    """Return a text with what stands between its spaces renamed."""
    inner = text.strip(_SPACE)
    if not inner:
        return text
    start = text.index(inner)
    return text[:start] + renamed(inner) + text[start + len(inner) :]
