"""Scans whose tasks are handed out by somebody else: a plan, and the join of its facts."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from sessionscan import engines
from sessionscan.corpus import Corpus
from sessionscan.options import ScanOptions, check_positive, table_names
from sessionscan.sources import locate
from sessionscan.tasks import TASK_BYTES, check_travels, made

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyarrow.fs import FileSystem

    from sessionscan.options import Copies, Mmap
    from sessionscan.sources import Root, Sources


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
