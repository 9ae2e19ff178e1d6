"""Which of several sessions a thing comes from: rules 26 and 32."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import Place


class Claim(NamedTuple):
    """A row that may be the original of others, and what speaks for it."""

    row: Columns
    session: str | int
    is_forked: bool
    first_timestamp: int | None
    place: Place


def mark_copies(claims: Sequence[Claim]) -> None:
    """Choose the original of rows that are one; the other sessions' are its copies."""
    original = min(claims, key=_rank)
    for claim in claims:
        if claim.session != original.session:
            claim.row["is_copy"] = True
            claim.row["copy_of_session_id"] = original.row["session_id"]


def _rank(claim: Claim) -> tuple[object, ...]:
    moment = claim.first_timestamp
    return (
        claim.is_forked,
        claim.row["is_sidechain"] is True,
        moment is None,
        moment or 0,
        claim.place,
    )
