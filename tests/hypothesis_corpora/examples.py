"""How many examples the tests that compare the engines try."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

ASKED = os.environ.get("SESSIONSCAN_EXAMPLES")


def asked_or(by_default):
    """Return how many examples SESSIONSCAN_EXAMPLES asks for, by default so many."""
    return int(ASKED or by_default)


def share_of(examples, of_all):
    """Return the settings of a test that has this share of all examples.

    They are the same in every run, but others each time where a number is asked for.
    """
    return settings(
        max_examples=max(int(examples * of_all), 1),
        deadline=None,
        derandomize=ASKED is None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
