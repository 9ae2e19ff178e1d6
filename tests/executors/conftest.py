"""What the tests of executors share."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from sessionscan import tasks

POOLS = {
    "threads": lambda: ThreadPoolExecutor(2),
    # New interpreters, which share nothing with this one and stand where it stood.
    "processes": lambda: ProcessPoolExecutor(2, get_context("spawn")),
}


@pytest.fixture(scope="session", params=POOLS)
def executor(request):
    """Name an executor of either kind; it serves all tests."""
    with POOLS[request.param]() as pool:
        yield pool


@pytest.fixture
def small_tasks(monkeypatch):
    """Let a task fold a few kilobytes, so that what belongs together is torn apart."""
    monkeypatch.setattr(tasks, "TASK_BYTES", 3000)
