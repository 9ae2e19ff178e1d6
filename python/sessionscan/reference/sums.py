"""Sums over rows, of which some do not say: rule 27 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.envelope import Columns

_INT64 = range(-(2**63), 2**63)


def token_sums(rows: Sequence[Columns]) -> Columns:
    """Add up the token columns of rows of `usage`."""
    if not rows:
        return dict.fromkeys(TOKENS, 0)
    return {column: _sum([row[column] for row in rows]) for column in TOKENS}


def _sum(values: Sequence[int | None]) -> int | None:
    """Add up what is known; the sum of nothing known is not known."""
    known = [value for value in values if value is not None]
    total = sum(known)
    return total if known and total in _INT64 else None
