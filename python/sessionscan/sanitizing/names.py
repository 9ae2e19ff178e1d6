"""New names for ids and the parts of paths: one for each, in the same order as before.

Rows of tables stand in the order of paths, and of ids where all else is equal. So a new
name begins with its rank among all, and only its rest is random: what sorts first still
does. Length, separators and the shape of a UUID stay.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import defaultdict

from sessionscan.reference.path_shape import is_uuid

_PREFIX = re.compile(r"(?:toolu_|srvtoolu_|mcptoolu_|msg_|req_|agent-|wf_)(?=.)")
_ALNUM = re.compile(r"[0-9A-Za-z]")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_HEX = "0123456789abcdef"
_RANKED = 4


class Names:
    """Names as they were and as they will be; first all are gathered, then given."""

    def __init__(self, key: bytes) -> None:
        """Begin without names."""
        self._key = key
        self._gathered: set[str] | None = set()
        self._new: dict[str, str] = {}

    @property
    def are_gathered(self) -> bool:
        """Whether names are still gathered, so that nothing else matters yet."""
        return self._gathered is not None

    def give(self) -> None:
        """Give every name that was gathered a new one."""
        ranked = sorted(self._gathered or (), key=_order)
        shapes: dict[str, int] = defaultdict(int)
        for rank, name in enumerate(ranked):
            shape = _ALNUM.sub("0", name)
            self._new[name] = self._renamed(name, rank, shapes[shape])
            shapes[shape] += 1
        self._gathered = None

    def of(self, name: str) -> str:
        """Return the new name; while names are gathered, the old one.

        The beginning of ids that says what they are of, such as `toolu_`, stays.
        """
        match = _PREFIX.match(name)
        prefix = match[0] if match else ""
        bare = name[len(prefix) :]
        if not bare:
            return name
        if self._gathered is not None:
            self._gathered.add(bare)
            return name
        return prefix + self._new[bare]

    def _renamed(self, name: str, rank: int, rank_of_shape: int) -> str:
        if is_uuid(name):
            # Names of other shapes stand between UUIDs by their first digit.
            digits = name[0].lower() + _coded(rank, 7, _HEX)
            return self._filled(name, digits, _HEX)
        free = len(_ALNUM.findall(name))
        if free >= _RANKED:
            return self._filled(name, _coded(rank, _RANKED, _DIGITS), _DIGITS[36:])
        return self._filled(name, _coded(rank_of_shape, free, _DIGITS), _DIGITS)

    def _filled(self, name: str, first: str, alphabet: str) -> str:
        """Put `first`, and then random digits, in the places of letters and digits."""
        digest = hmac.digest(self._key, name.encode("utf-8", "surrogatepass"), "sha256")
        noise = iter(hashlib.shake_256(digest).digest(len(name)))
        begun = iter(first)
        made = []
        for char in name:
            byte = next(noise)
            if _ALNUM.match(char):
                made.append(next(begun, alphabet[byte % len(alphabet)]))
            else:
                made.append(filler(char, byte))
        return "".join(made)


def _order(name: str) -> bytes:
    """Order names as paths do: a folder sorts by its name and the separator behind it."""
    return f"{name}/".encode("utf-8", "surrogatepass")


def _coded(rank: int, width: int, alphabet: str) -> str:
    """Write a rank with so many digits that order as it does."""
    digits = []
    for _ in range(width):
        rank, digit = divmod(rank, len(alphabet))
        digits.append(alphabet[digit])
    return "".join(reversed(digits))


def filler(char: str, byte: int) -> str:
    """Return what stands for a character that is no ASCII: as many bytes of UTF-8.

    ASCII, and what marks bytes that are not UTF-8, stays.
    """
    code = ord(char)
    if code < 0x80 or 0xDC00 <= code < 0xDC80:  # noqa: PLR2004 (where ASCII ends; lone halves)
        return char
    length = len(char.encode("utf-8", "surrogatepass"))
    first, count = {2: (0xE0, 23), 3: (0x3042, 64), 4: (0x10330, 26)}[length]
    return chr(first + byte % count)
