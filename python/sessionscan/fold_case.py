"""Letters that differ in case alone, made equal, one character for one (ruling 86).

Only alphabets whose pairs have long been settled are folded, so that the answer does
not depend on the version of Unicode that a Python was built with.
"""

from __future__ import annotations

# Latin, Greek, Cyrillic and Armenian; signs that are such letters; full-width Latin.
_ALPHABETS = (
    range(0x41, 0x5B),
    range(0x80, 0x590),
    range(0x1E00, 0x2000),
    (0x2126, 0x212A, 0x212B),
    range(0xFF21, 0xFF5B),
)
_DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"


def _folded(letter: str) -> str:
    # The dotless i is a letter of its own, whatever its capital.
    if letter == _DOTLESS_I:
        return letter
    upper = letter.upper()
    for capital in (upper if len(upper) == 1 else letter, letter):
        lower = capital.lower()
        if len(lower) == 1:
            return lower
    return letter


FOLDED = {
    code: ord(_folded(chr(code)))
    for alphabet in _ALPHABETS
    for code in alphabet
    if _folded(chr(code)) != chr(code)
}
"""What becomes of each letter that is not its own, by code points."""


def fold(text: str) -> str:
    """Return `text` with letters that differ in case alone made equal.

    It has as many characters as before.

    >>> fold("Straße ΣΊΣΥΦΟΣ \u212aI")
    'straße σίσυφοσ ki'
    """
    return text.lower() if text.isascii() else text.translate(FOLDED)
