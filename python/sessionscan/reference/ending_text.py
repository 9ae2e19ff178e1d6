"""What the last words of a session are by themselves: rule 54 of the rulings."""

from __future__ import annotations

from sessionscan.reference.white_space import WHITE_SPACE

# The look-alikes of ASCII characters are meant as they stand.
_CLOSING = WHITE_SPACE + "*_`\"')]”’»"  # noqa: RUF001
_QUESTION_MARKS = ("?", "？")  # noqa: RUF001


def ends_with_question(words: str) -> bool:
    """Say whether words end with a question mark, whatever closes behind it.

    Example:
        >>> ends_with_question("**Shall I go on?**")
        True

    """
    return words.rstrip(_CLOSING).endswith(_QUESTION_MARKS)
