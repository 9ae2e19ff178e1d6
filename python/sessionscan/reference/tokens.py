"""The usage object of a message: its counts and its iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.json_values import Obj
from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from sessionscan.reference.values import Reader

Tokens = dict[str, int | None]

UNATTRIBUTED = "cache_creation_unattributed_tokens"
COUNTED = tuple(name for name in TOKENS if name != UNATTRIBUTED)
"""The token columns that are read; the other one is a difference of them."""

_INT64_MIN = -(2**63)
_FLAT = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
_CREATION = {
    "cache_creation_5m_input_tokens": "ephemeral_5m_input_tokens",
    "cache_creation_1h_input_tokens": "ephemeral_1h_input_tokens",
}
_ENTRY_KEYS = frozenset(
    {*_FLAT, "cache_creation", "output_tokens_details", "type", "model"},
)
_USAGE_KEYS = frozenset({*_FLAT, "cache_creation", "output_tokens_details", "iterations"})


@dataclass(slots=True)
class Iteration:
    """An entry of `iterations`, with its place in the array."""

    index: int
    type: str | None
    model: str | None
    tokens: Tokens


@dataclass(slots=True)
class Usage:
    """What a usage object counts."""

    tokens: Tokens
    iterations: list[Iteration] = field(default_factory=list)


def read_usage(obj: Obj, reader: Reader) -> Usage:
    """Read a usage object."""
    reader.look(obj, _USAGE_KEYS)
    usage = Usage(_tokens(obj, reader))
    for index, entry in enumerate(reader.one_of(obj, "iterations", list) or ()):
        if not isinstance(entry, Obj):
            reader.bad()
            continue
        reader.look(entry, _ENTRY_KEYS)
        kind, model = reader.string(entry, "type"), reader.string(entry, "model")
        usage.iterations.append(Iteration(index, kind, model, _tokens(entry, reader)))
    return usage


def _tokens(obj: Obj, reader: Reader) -> Tokens:
    """Read the counts that usage and an iteration have alike."""
    tokens: Tokens = dict.fromkeys(TOKENS)
    for key in _FLAT:
        tokens[key] = reader.count(obj, key)
    if (creation := reader.object(obj, "cache_creation")) is not None:
        reader.look(creation, _CREATION.values())
        for column, key in _CREATION.items():
            tokens[column] = reader.count(creation, key)
    if (details := reader.object(obj, "output_tokens_details")) is not None:
        reader.look(details, ("thinking_tokens",))
        tokens["thinking_tokens"] = reader.count(details, "thinking_tokens")
    tokens[UNATTRIBUTED] = _unattributed(tokens)
    return tokens


def _unattributed(tokens: Tokens) -> int | None:
    """Take the parts from the whole; without the whole there is no difference."""
    flat = tokens["cache_creation_input_tokens"]
    if flat is None:
        return None
    rest = flat - sum(tokens[column] or 0 for column in _CREATION)
    return rest if rest >= _INT64_MIN else None
