r"""Words and regular expressions as the patterns that are searched for (rulings 86, 87).

What both engines search for is made here, so that they agree on what it means: the
syntax is that which `re` and the crate `regex` share, and what either would take in its
own way is refused, with its place.

    a  \.  \n \t \r  \x41  \u00e9   a character
    .  [a-z_]  [^"]  \d \w \s \D \W \S   one of a set; \d \w \s are ASCII
    ab  a|b  (a)  (?:a)             one behind the other, either, a group
    a*  a+  a?  a{2}  a{2,}  a{2,5}  repeated; with `?` behind it as seldom as possible
    ^  $  \b                        start and end of a line, edge of an ASCII word
"""

from __future__ import annotations

from dataclasses import dataclass

from sessionscan.fold_case import fold
from sessionscan.pattern_reader import check_unicode, read, written

_WHITE_SPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Term:
    r"""A pattern that never matches nothing, and texts that stand in all that it matches.

    `pattern` is in the dialect of Python's `re` with `re.ASCII`. Where case does not
    matter both are for folded text. `is_literal` where it matches the texts, white space
    between them, and nothing else.
    """

    pattern: str
    contains: tuple[str, ...]
    is_literal: bool = False

    @property
    def for_rust(self) -> str:
        """The pattern in the dialect of the crate `regex`."""
        # No other escape that is written here has a b behind its backslash.
        return self.pattern.replace(r"\b", r"(?-u:\b)")


def literal(word: str, *, folds: bool) -> Term:
    """Return the term of a word or phrase: white space in it is any run of white space.

    Raises:
        ValueError: where there is nothing but white space, or no Unicode.
    """
    check_unicode(word)
    parts = (fold(word) if folds else word).translate(dict.fromkeys(map(ord, "\t\n\r"), " "))
    words = [part for part in parts.split(" ") if part]
    if not words:
        raise ValueError("an empty word is everywhere; name one with a character in it")
    gap = f"[{''.join(map(written, _WHITE_SPACE))}]+"
    pattern = gap.join("".join(map(written, part)) for part in words)
    return Term(pattern, tuple(words), is_literal=True)


def regular(pattern: str, *, folds: bool) -> Term:
    """Return the term of a regular expression.

    Raises:
        ValueError: for what is none in the shared syntax, and for one that matches the
            empty text.

    >>> regular("ab+|c", folds=True)
    Term(pattern='a(?:b)+|c', contains=(), is_literal=False)
    """
    part = read(pattern, folds=folds)
    return Term(part.text, part.contains)
