"""Responses that several sessions hold: rule 26 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.copied import Claim, mark_copies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.usage import Response


def mark_usage_copies(found: Iterable[Response]) -> None:
    """Mark the responses that repeat one of another session.

    Only one message id with one request id or one record's uuid is evidence:
    gateways give message ids out again.
    """
    by_message: dict[str, list[Response]] = {}
    for response in found:
        message_id = response.row["message_id"]
        if message_id:
            by_message.setdefault(message_id, []).append(response)
    for group in by_message.values():
        for linked in _linked(group):
            mark_copies([_claim(response) for response in linked])


def _linked(group: list[Response]) -> list[list[Response]]:
    """Part responses of one message id into those that evidence links, transitively."""
    parts: list[tuple[set[tuple[str, str]], list[Response]]] = []
    for response in group:
        evidence, members = _evidence(response), [response]
        apart = []
        for known, others in parts:
            if known & evidence:
                evidence |= known
                members = others + members
            else:
                apart.append((known, others))
        parts = [*apart, (evidence, members)]
    return [members for _, members in parts]


def _evidence(response: Response) -> set[tuple[str, str]]:
    return {
        (column, copy.carrier.columns[column])
        for copy in response.copies
        for column in ("request_id", "uuid")
        if copy.carrier.columns[column]
    }


def _claim(response: Response) -> Claim:
    return Claim(
        row=response.row,
        session=response.retained.session,
        is_forked=any(copy.carrier.is_forked for copy in response.copies),
        first_timestamp=response.row["first_timestamp"],
        place=response.retained.record.place,
    )
