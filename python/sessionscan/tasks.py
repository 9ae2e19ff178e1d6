"""Scans whose files other processes fold: a plan, its tasks, and the join of their facts."""

from __future__ import annotations

import pickle
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sessionscan import engines
from sessionscan.corpus import Corpus
from sessionscan.options import ScanOptions, check_positive, table_names
from sessionscan.sources import locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from pyarrow.fs import FileSystem

    from sessionscan.options import Copies, Mmap
    from sessionscan.remote import Store
    from sessionscan.sources import Root, Sources

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


class Plan:
    """What a scan would read, cut into tasks; `sessionscan.plan` makes it.

    Attributes:
        tasks: the tasks, in the order of the files.

    Example:
        >>> import sessionscan as ss
        >>> plan = ss.plan("fixtures/corpus", tables=["usage"], task_bytes=1 << 20)
        >>> plan.join(map(ss.fold, plan.tasks)).coverage.files_read
        16
    """

    def __init__(self, roots: Sequence[Root], options: ScanOptions, task_bytes: int) -> None:
        """Find the files and cut the work."""
        self._roots = roots
        self._options = options
        name = uuid.uuid4().hex
        self._plan = engines.plan(roots, options, name, task_bytes)
        self.tasks = tuple(made(name, self._plan.tasks(), options))

    def join(self, facts: Iterable[bytes]) -> Corpus:
        """Join what `fold` gave for the tasks.

        Args:
            facts: the facts of every task, in any order; those of a task that come
                twice count once. They are taken one by one, as they come.

        Returns:
            The corpus, as `sessionscan.scan` gives it. A table that the plan was not
            asked for is computed here when it is first looked at.

        Raises:
            ValueError: for facts of another plan or another version, what is damaged
                or no facts, and where those of a task are missing.
            TypeError: for what is no bytes.

        Example:
            >>> from concurrent.futures import ThreadPoolExecutor
            >>> import sessionscan as ss
            >>> plan = ss.plan("fixtures/corpus")
            >>> with ThreadPoolExecutor() as threads:
            ...     corpus = plan.join(threads.map(ss.fold, plan.tasks))
            >>> corpus.coverage.files_read
            16
        """
        gathered = self._plan.gather()
        for each in facts:
            gathered.add(bytes(memoryview(each)))
        tables, coverage = engines.joined(gathered, self._options.store)
        return Corpus("rust", self._roots, self._options, tables, coverage)


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


def plan(
    sources: Sources | None = None,
    *,
    filesystem: FileSystem | None = None,
    tables: Iterable[str] | str | None = None,
    text: bool = False,
    threads: int | None = None,
    mmap: Mmap = "auto",
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    task_bytes: int = TASK_BYTES,
) -> Plan:
    """Find the transcripts of a scan and cut the work into tasks for other processes.

    `sessionscan.scan` with an `executor` does all of it: plan, fold and join. This is
    for engines that have no executor (docs/executors.md).

    Args:
        sources: as in `scan`. They are looked through here, and read where the tasks
            are folded: there too the paths have to lead to the same files.
        filesystem: as in `scan`; it goes with each task, and has to be one that can be
            pickled. So do its credentials.
        tables: as in `scan`.
        text: as in `scan`; the facts then hold the words, too.
        threads: how many threads fold a task; None takes one, or for a file system as
            many as answers are worth waiting for. The join takes as many, all cores for None.
        mmap: as in `scan`.
        copies: as in `scan`.
        max_line_bytes: as in `scan`.
        task_bytes: about how many bytes of transcripts a task folds. A larger file is
            cut where lines begin, 8 MiB or more to a task; a packed one is not.

    Returns:
        The plan, with its `tasks` and its `join`.

    Raises:
        FileNotFoundError, OSError, ValueError, TypeError: as `scan` does.
        ValueError: for a file system that cannot be pickled.

    Example:
        >>> import sessionscan as ss
        >>> plan = ss.plan("fixtures/corpus", tables=["usage"], task_bytes=100_000)
        >>> len(plan.tasks) > 1
        True
        >>> facts = [ss.fold(task) for task in reversed(plan.tasks)]
        >>> plan.join(facts).usage.equals(ss.scan("fixtures/corpus").usage)
        True
    """
    if task_bytes is None:
        raise TypeError("task_bytes must be an integer, not NoneType")
    check_positive("task_bytes", task_bytes)
    options = ScanOptions(
        tables=table_names(tables),
        text=text,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
    )
    roots, store = locate(sources, filesystem)
    check_travels(store)
    return Plan(roots, replace(options, store=store), task_bytes)


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
