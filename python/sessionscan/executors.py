"""The workers of an executor, as the extension asks them to fold the files of a scan."""

from __future__ import annotations

import uuid
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from sessionscan import tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future

    from sessionscan.options import ScanOptions
    from sessionscan.tasks import Task, Unit

SEGMENT_BYTES = 1 << 30
"""Bytes of transcripts whose facts are held at a time where tables come part by part."""

TASKS_IN_SEGMENT = 16
"""How many tasks such a part is cut into: it is all the work that there is at a time."""


class Workers:
    """The workers of an executor.

    The extension calls from one thread: `begin` with all tasks of a pass over files,
    then `next` until each has given its facts. `cancel` ends a pass early.

    Args:
        executor: whose workers they are.
        options: how the files are read.
    """

    def __init__(self, executor: Executor, options: ScanOptions) -> None:
        """Keep what is needed; nothing is handed out yet."""
        tasks.check_travels(options.store, executor)
        self._executor = executor
        self._options = options
        self._waiting: dict[Future[bytes], Task] = {}
        self._done: SimpleQueue[Future[bytes]] = SimpleQueue()

    def name(self) -> str:
        """Give a name that no other pass has.

        It also keeps an engine that remembers what it has computed from handing out
        facts of an earlier scan.
        """
        return uuid.uuid4().hex

    def begin(
        self, name: str, units: Sequence[Sequence[Unit]], tables: Sequence[str], text: bool
    ) -> None:
        """Hand out tasks of these units; `tables` and `text` say what their facts are for."""
        options = replace(self._options, tables=tuple(tables), text=text)
        for task in tasks.made(name, units, options):
            future = self._executor.submit(tasks.fold, task)
            self._waiting[future] = task
            future.add_done_callback(self._done.put)

    def next(self, seconds: float) -> tuple[int, bytes] | None:
        """Give the number of a task that is done and its facts, None if none is by then.

        Raises:
            Exception: what the task or the executor raised, with a note about its files.
        """
        try:
            future = self._done.get(timeout=seconds)
        except Empty:
            return None
        task = self._waiting.pop(future, None)
        if task is None:
            # Of a pass that was cancelled.
            return None
        with _naming(task):
            return task.number, future.result()

    def cancel(self) -> None:
        """Cancel what is handed out and has not begun."""
        waiting, self._waiting = self._waiting, {}
        for future in waiting:
            future.cancel()


def check(executor: object, engine: str, *, cache: bool = False) -> None:
    """Refuse what is neither None nor an executor, and what cannot be had with one.

    Raises:
        TypeError: for what is no executor.
        ValueError: for one with the engine "python" or with a cache.
    """
    if executor is None:
        return
    if not isinstance(executor, Executor):
        raise TypeError(
            f"executor must be a concurrent.futures.Executor, not {type(executor).__name__}; "
            "that of a Dask client is client.get_executor()"
        )
    if engine == "python":
        raise ValueError("engine 'python' reads with one thread; only 'rust' has executors")
    if cache:
        raise ValueError("cache is for scans of this process; with an executor there is none")


@contextmanager
def _naming(task: Task) -> Iterator[None]:
    """Say of an exception which files it is about."""
    try:
        yield
    except Exception as error:
        paths = task.paths
        others = f" to {paths[-1]} ({len(paths)} files)" if len(paths) > 1 else ""
        error.add_note(f"task {task.number} of the scan: {paths[0]}{others}")
        raise
