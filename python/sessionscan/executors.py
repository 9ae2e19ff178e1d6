"""A scan whose files the workers of an executor fold."""

from __future__ import annotations

from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionscan import engines, tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    import pyarrow as pa

    from sessionscan.coverage import Coverage
    from sessionscan.options import ScanOptions
    from sessionscan.sources import Root
    from sessionscan.tasks import Task


def check(executor: object) -> None:
    """Refuse what is neither None nor an executor.

    Raises:
        TypeError: for anything else.
    """
    if executor is not None and not isinstance(executor, Executor):
        raise TypeError(
            f"executor must be a concurrent.futures.Executor, not {type(executor).__name__}; "
            "that of a Dask client is client.get_executor()"
        )


def run(
    executor: Executor, roots: Sequence[Root], options: ScanOptions
) -> tuple[dict[str, pa.Table], Coverage]:
    """Scan `roots` with workers; return what `engines.run` does."""
    tasks.check_travels(options.store, executor)
    plan, work = tasks.cut(roots, options, tasks.TASK_BYTES)
    reached = _Reached(work, options.on_progress)
    gathered = plan.gather()
    for task, future in folded(executor, work):
        with _naming(task):
            gathered.add(future.result())
        reached.add(task)
    return engines.joined(gathered, options.store)


def folded(executor: Executor, tasks_: Sequence[Task]) -> Iterator[tuple[Task, Future[bytes]]]:
    """Hand out tasks; yield each when it is done. Those that are left are cancelled."""
    waiting: dict[Future[bytes], Task] = {}
    try:
        for task in tasks_:
            waiting[executor.submit(tasks.fold, task)] = task
        for future in as_completed(list(waiting)):
            # Facts are kept by nobody but the join.
            yield waiting.pop(future), future
    finally:
        for future in waiting:
            future.cancel()


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


class _Reached:
    """How far the tasks are, in files and bytes."""

    def __init__(
        self,
        tasks_: Sequence[Task],
        on_progress: Callable[[int, int, int, int], None] | None,
    ) -> None:
        self._on_progress = on_progress
        self._all = (sum(task.files for task in tasks_), sum(task.bytes for task in tasks_))
        self._files = self._bytes = 0
        self._tell()

    def add(self, task: Task) -> None:
        self._files += task.files
        self._bytes += task.bytes
        self._tell()

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._files, self._all[0], self._bytes, self._all[1])
