"""What all tests share: the two engines, and a machine without transcripts of its own."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples in every run: what is red was made so by the change that is looked at.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

ENGINES = ("rust", "python")


@pytest.fixture(params=ENGINES)
def engine(request):
    """Name each engine in turn.

    Where the extension module is not built, the tests of "rust" fail: a missing
    engine must never look like a passed test.
    """
    if request.param == "rust":
        try:
            import sessionscan._core  # noqa: F401, PLC0415
        except ImportError as error:
            pytest.fail(f"the Rust engine cannot be imported: {error}")
    return request.param


@pytest.fixture(autouse=True)
def _no_homes_of_this_machine(monkeypatch, tmp_path_factory):
    """Keep discovery away from the transcripts of whoever runs the tests."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
    monkeypatch.setenv("CODEX_HOME", str(home / ".codex"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
