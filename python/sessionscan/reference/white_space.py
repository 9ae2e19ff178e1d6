"""White space of the further tables, and nothing beyond it: rule 37 of the rulings.

`str.strip()` without characters takes far more: no-break spaces, separators, U+2028.
"""

from __future__ import annotations

WHITE_SPACE = " \t\n\r"


def trim(text: str) -> str:
    """Strip white space at both ends."""
    return text.strip(WHITE_SPACE)


def is_blank(text: str | None) -> bool:
    """Say whether there is nothing but white space."""
    return text is None or not trim(text)
