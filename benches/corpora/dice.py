"""Draws from one seeded stream: the same seed makes the same corpus, byte for byte."""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

T = TypeVar("T")

# Where the quantiles of a payload stand; the smallest is a fiftieth of the median.
_LEVELS = (0.0, 0.5, 0.9, 0.99, 1.0)
_SMALLEST = 50


class Wheel(Generic[T]):
    """Names with weights, to be drawn from."""

    def __init__(self, weights: Mapping[T, int]) -> None:
        """Take each value with its weight."""
        self.values = tuple(weights)
        self.limits = tuple(accumulate(weights.values()))


class Quantiles:
    """A size between quantiles, interpolated in its logarithm."""

    def __init__(self, points: Sequence[int]) -> None:
        """Take the p50, p90, p99 and the maximum."""
        sizes = (max(points[0] // _SMALLEST, 1), *points)
        self.logs = tuple(math.log(size) for size in sizes)

    def at(self, level: float) -> int:
        """Return the size that the share `level` of all sizes is below."""
        place = bisect_right(_LEVELS, level) - 1
        low, high = _LEVELS[place], _LEVELS[place + 1]
        share = (level - low) / (high - low)
        return int(math.exp(self.logs[place] + share * (self.logs[place + 1] - self.logs[place])))


class Dice:
    """One stream of random numbers and the shapes that a transcript needs of it."""

    def __init__(self, seed: int | str) -> None:
        """Start the stream that belongs to `seed`."""
        source = random.Random(seed)
        self.random = source.random
        self.bits = source.getrandbits

    def chance(self, share: float) -> bool:
        """Return true in `share` of all draws."""
        return self.random() < share

    def below(self, limit: int) -> int:
        """Return an integer from 0 to `limit` - 1."""
        return int(self.random() * limit)

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values, each as likely."""
        return values[int(self.random() * len(values))]

    def spin(self, wheel: Wheel[T]) -> T:
        """Return one of the wheel's values by its weight."""
        return wheel.values[bisect_right(wheel.limits, self.random() * wheel.limits[-1])]

    def size(self, quantiles: Quantiles, cap: int) -> int:
        """Return a size by its quantiles, not above `cap`."""
        return min(quantiles.at(self.random()), cap)

    def about(self, median: float, spread: float) -> float:
        """Return a log-normal draw; two uniform draws make one normal (Box and Muller)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return median * math.exp(spread * radius * math.cos(math.tau * self.random()))

    def count(self, mean: float) -> int:
        """Return a whole number whose mean is `mean`."""
        return int(mean) + (self.random() < mean - int(mean))

    def uuid(self) -> str:
        """Return a version 4 UUID."""
        digits = f"{self.bits(128):032x}"
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"

    def token(self, prefix: str, digits: int) -> str:
        """Return `prefix` and hexadecimal digits."""
        return f"{prefix}{self.bits(4 * digits):0{digits}x}"
