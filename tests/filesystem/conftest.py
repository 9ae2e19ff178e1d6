"""What the tests of file systems share."""

import pytest
from sessionscan import remote


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    """Wait less than a user would between attempts."""
    monkeypatch.setattr(remote, "_FIRST_PAUSE", 0.001)
