"""What is said of a measured ratio: whether it meets what must be, and what is aimed for."""

from __future__ import annotations


def verdict(
    measured: float, must: float | None, aim: float | None, *, at_most: bool = False
) -> str:
    """Return which of the two targets were met."""
    if must is None or aim is None:
        return "no target"
    sign = -1 if at_most else 1
    said = ["met" if sign * measured >= sign * wanted else "missed" for wanted in (must, aim)]
    return f"must {must:g} {said[0]}, aim {aim:g} {said[1]}"
