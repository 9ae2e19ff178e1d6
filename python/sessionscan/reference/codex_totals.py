"""What a thread of a rollout has used so far: the counts of rule 96 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionscan.reference.json_values import Obj
    from sessionscan.reference.values import Reader

Total = dict[str, int | None]
"""The counts of a thread so far, by their keys."""

INPUT = "input_tokens"
CACHED = "cached_input_tokens"
OUTPUT = "output_tokens"
REASONING = "reasoning_output_tokens"
COUNTS = (INPUT, CACHED, OUTPUT, REASONING)


def read_total(payload: Obj, reader: Reader) -> Total | None:
    """Read the total of a `token_count`; None where it tells none."""
    reader.look(payload, ("info",))
    info = reader.object(payload, "info")
    if info is None:
        return None
    reader.look(info, ("total_token_usage",))
    usage = reader.object(info, "total_token_usage")
    if usage is None:
        return None
    reader.look(usage, COUNTS)
    return {key: reader.count(usage, key) for key in COUNTS}


def grow(was: Total, total: Total) -> Total:
    """Give what each count of a total has grown by, and remember the total in `was`.

    A count that is smaller than it was tells that the thread starts again, so that
    all of them were 0.
    """
    if any((value or 0) < (was[key] or 0) for key, value in total.items() if value is not None):
        was.update(dict.fromkeys(COUNTS, 0))
    growth = {
        key: None if value is None else value - (was[key] or 0) for key, value in total.items()
    }
    was.update({key: value for key, value in total.items() if value is not None})
    return growth
