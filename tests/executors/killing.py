"""Executors whose worker is killed in the middle of a scan, for certain.

With `Killing` the task that stands in the middle holds its worker until that is dead: it writes the
worker's process id and waits. Whoever runs it again finds the id and does not wait.
"""

import os
import signal
import threading
import time
from concurrent.futures import Executor
from pathlib import Path


def held(folder, fold, task):
    """Fold a task on a worker; the first to come here waits to be killed."""
    mark = Path(folder) / "victim"
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return fold(task)
    whole = Path(folder) / "unfinished"
    whole.write_text(str(os.getpid()))
    whole.rename(Path(folder) / "pid")
    # Nobody waits so long: the process is gone before.
    time.sleep(600)
    raise AssertionError("the worker was not killed")


def lost():
    """End the process of the worker, as one that runs out of memory does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Losing(Executor):
    """Hands tasks to `executor`; the process that runs the one with number `middle` dies."""

    def __init__(self, executor, middle):
        self.executor, self.middle = executor, middle

    def submit(self, fold, task):
        if task.number == self.middle:
            return self.executor.submit(lost)
        return self.executor.submit(fold, task)


class Killing(Executor):
    """Hands tasks to `executor`, and kills the process that runs the one with number `middle`."""

    def __init__(self, executor, folder, middle):
        self.executor, self.folder, self.middle = executor, Path(folder), middle
        self.killed = None
        self.killer = threading.Thread(target=self._kill, daemon=True)
        self.killer.start()

    def _kill(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if (self.folder / "pid").exists():
                self.killed = int((self.folder / "pid").read_text())
                os.kill(self.killed, signal.SIGKILL)
                return
            time.sleep(0.01)

    def submit(self, fold, task):
        if task.number == self.middle:
            return self.executor.submit(held, str(self.folder), fold, task)
        return self.executor.submit(fold, task)
