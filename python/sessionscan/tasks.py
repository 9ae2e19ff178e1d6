"""What other processes fold: tasks, which are paths, lengths and options."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan import engines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from sessionscan.options import Mmap, ScanOptions
    from sessionscan.remote import Store

TASK_BYTES = 256 << 20
"""Bytes of transcripts that one task folds."""

Unit = tuple[list[tuple[str, int]], tuple[int, int] | None, bool]
"""Files with their lengths, which of their lines, and whether the facts are reduced."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some files of a plan, to be folded wherever they can be read.

    It holds paths, lengths and options alone, so it is small and can be pickled.

    Attributes:
        plan: the plan that it is of; each plan has a name of its own.
        number: its place among the tasks of the plan.
        units: what it folds: whole files, or the lines of one that start in a range of
            bytes. Paths on disk are absolute.
        tables: the tables that the facts are for.
        text: whether they hold words.
        threads: how many threads fold; None takes one, or for a file system as many as
            answers are worth waiting for.
        mmap: as in `sessionscan.scan`.
        max_line_bytes: as in `sessionscan.scan`.
        store: where the files are; None is the disk of the machine that folds.

    Example:
        >>> import pickle
        >>> import sessionscan as ss
        >>> (task,) = ss.plan("fixtures/corpus", tables=["usage"]).tasks
        >>> task.files, task.bytes, pickle.loads(pickle.dumps(task)) == task
        (16, 412830, True)
    """

    plan: str
    number: int
    units: Sequence[Unit]
    tables: tuple[str, ...]
    text: bool
    threads: int | None
    mmap: Mmap
    max_line_bytes: int | None
    store: Store | None

    def __dask_tokenize__(self) -> tuple[str, int]:
        """Say what tells it from all others, or Dask would hash every path."""
        return self.plan, self.number

    @property
    def paths(self) -> list[str]:
        """The paths of the files, in order, each once."""
        return list(dict.fromkeys(path for files, _, _ in self.units for path, _ in files))

    @property
    def bytes(self) -> int:
        """How many bytes it folds."""
        return sum(_bytes(unit) for unit in self.units)

    @property
    def files(self) -> int:
        """How many files end in it: of a file in several tasks, the last counts it."""
        return sum(_files(unit) for unit in self.units)


def _bytes(unit: Unit) -> int:
    files, lines, _ = unit
    return sum(length for _, length in files) if lines is None else lines[1] - lines[0]


def _files(unit: Unit) -> int:
    files, lines, _ = unit
    return len(files) if lines is None else sum(length == lines[1] for _, length in files)


def made(name: str, units: Sequence[Sequence[Unit]], options: ScanOptions) -> Iterator[Task]:
    """Give the tasks that have these units."""
    threads = options.threads or (None if options.store else 1)
    for number, own in enumerate(units):
        yield Task(
            plan=name,
            number=number,
            units=own,
            tables=options.tables,
            text=options.text,
            threads=threads,
            mmap=options.mmap,
            max_line_bytes=options.max_line_bytes,
            store=options.store,
        )


def fold(task: Task) -> bytes:
    """Read the files of a task and return their facts, which are less than their bytes.

    A file that cannot be read is no error: the facts say so, and it is a finding of the
    join, as it is one of a scan.

    Args:
        task: one of `Plan.tasks`.

    Returns:
        The facts as bytes (docs/facts.md), for `Plan.join`.

    Raises:
        TypeError: for what is no task.

    Example:
        >>> import sessionscan as ss
        >>> plan = ss.plan("fixtures/corpus", tables=["usage"])
        >>> ss.fold(plan.tasks[0])[:7]
        b'sstasks'
    """
    if not isinstance(task, Task):
        raise TypeError(f"a task is one of Plan.tasks, not {type(task).__name__}")
    return engines.fold(task)


def check_travels(store: Store | None, executor: Executor | None = None) -> None:
    """Refuse a file system that cannot go where tasks are folded.

    Raises:
        ValueError: where it cannot be pickled, unless the executor's workers are threads.
    """
    if store is None or isinstance(executor, ThreadPoolExecutor):
        return
    try:
        pickle.dumps(store)
    except Exception as error:  # noqa: BLE001 (objects raise what they like)
        raise ValueError(
            f"the file system ({type(store.filesystem).__name__}) cannot be sent to other "
            f"processes: {error}; scan without an executor, or with a ThreadPoolExecutor"
        ) from None
