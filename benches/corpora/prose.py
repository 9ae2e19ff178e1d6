"""Invented text: pools of escaped JSON text, cut at line ends so that no escape is torn."""

from __future__ import annotations

import json
from bisect import bisect_left
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from corpora.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Callable

_LEXICON = """
anchor basin cedar delta ember fjord garnet harbor inlet juniper kelp lantern meadow
nectar orchard pebble quarry ripple saddle timber umber valley willow yarrow zephyr
module parser buffer packet router branch ticket ledger margin cursor socket handle
returns opens splits reads counts joins sorts keeps drops finds holds writes checks
before after while until because although where which under above inside beside
"""
_WORDS = tuple(_LEXICON.split())
_FOREIGN = ("größer", "déjà", "señal", "Übung", "файл", "日本語", "naïve", "→", "✓", "…", "🚲")
_POOL_CHARS = 3_000_000
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def escape(text: str) -> str:
    """Return the inside of the JSON string for `text`, as JSON.stringify writes it."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _sentence(dice: Dice) -> str:
    words = [dice.pick(_WORDS) for _ in range(dice.between(5, 16))]
    if dice.chance(0.3):
        words[dice.below(len(words))] = dice.pick(_FOREIGN)
    return " ".join(words).capitalize() + ".\n"


def _code(dice: Dice) -> str:
    name, other = dice.pick(_WORDS), dice.pick(_WORDS)
    return dice.pick(
        (
            f'    {name} = {other}.get("{dice.pick(_WORDS)}", {dice.below(900)})\n',
            f"\tif ({name} !== '{other}') {{ return {dice.below(90)}; }}\n",
            f"def {name}_{other}(self, {dice.pick(_WORDS)}: str) -> None:\n",
            f"# {name}: {other} \\ {dice.pick(_WORDS)}\n",
            "\n",
        )
    )


def _log(dice: Dice) -> str:
    level = dice.pick(("INFO", "DEBUG", "WARN", "\x1b[32mok\x1b[0m"))
    return (
        f"{level} {dice.pick(_WORDS)}/{dice.pick(_WORDS)}.rs:{dice.below(900)}: {_sentence(dice)}"
    )


def _odd(dice: Dice) -> str:
    # Separators that are no line ends of a transcript.
    return f"{dice.pick(_WORDS)}\u2028{dice.pick(_WORDS)}\u2029\u0085\r\n"


class Pool:
    """A long escaped text with the places of its lines."""

    def __init__(self, seed: str, line: Callable[[Dice], str]) -> None:
        """Write lines until the pool is full."""
        dice = Dice(seed)
        lines: list[str] = []
        held = 0
        while held < _POOL_CHARS:
            lines.append(escape(line(dice)))
            held += len(lines[-1])
        self.text = "".join(lines)
        self.ends = tuple(accumulate(map(len, lines), initial=0))

    def cut(self, dice: Dice, chars: int) -> str:
        """Return about `chars` characters (at least a line) of the escaped text."""
        start = self.ends[dice.below(len(self.ends) // 2)]
        end = self.ends[min(bisect_left(self.ends, start + chars), len(self.ends) - 1)]
        return self.text[start:end]


def _mixed(dice: Dice) -> str:
    draw = dice.random()
    if draw < 0.002:
        return _odd(dice)
    return _code(dice) if draw < 0.5 else _log(dice)


@cache
def talk() -> Pool:
    """Return the pool of sentences: prompts, answers and thoughts."""
    return Pool("talk", _sentence)


@cache
def output() -> Pool:
    """Return the pool of code and logs: what tools read and print."""
    return Pool("output", _mixed)


@cache
def _letters() -> str:
    dice = Dice("letters")
    return "".join(_BASE64[dice.bits(6)] for _ in range(500_000))


def base64(dice: Dice, chars: int) -> str:
    """Return base64 text of whole quartets: a signature or an image."""
    letters = _letters()
    whole = max(min(chars, len(letters) // 2) // 4 * 4, 4)
    start = dice.below(len(letters) - whole)
    return letters[start : start + whole]


def words(dice: Dice, count: int) -> str:
    """Return a few words: a title, a description, a name."""
    return " ".join(dice.pick(_WORDS) for _ in range(count))


def path(dice: Dice, folder: str) -> str:
    """Return an invented file below `folder`."""
    ending = dice.pick(("py", "rs", "ts", "md", "toml"))
    return f"{folder}/{dice.pick(_WORDS)}/{dice.pick(_WORDS)}_{dice.pick(_WORDS)}.{ending}"
