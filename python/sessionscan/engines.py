"""The one seam between the API and what reads the files.

Each engine is imported where it is called and nowhere else: the reference works
where the extension is not built, and the extension costs nothing until used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan import missing_archives
from sessionscan.coverage import Coverage
from sessionscan.schema import arrow_schema

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from types import ModuleType

    from sessionscan import _core
    from sessionscan.options import Engine, ScanOptions
    from sessionscan.patterns import Term
    from sessionscan.remote import Store
    from sessionscan.sources import Root
    from sessionscan.tasks import Task


def run(
    engine: Engine, roots: Sequence[Root], options: ScanOptions
) -> tuple[dict[str, pa.Table], Coverage]:
    """Scan `roots`; return the tables asked for, always with files and diagnostics."""
    try:
        tables, coverage = _run(engine, roots, options)
        return missing_archives.told(tables, roots), coverage
    finally:
        if options.store is not None:
            options.store.forget()


def _run(
    engine: Engine, roots: Sequence[Root], options: ScanOptions
) -> tuple[dict[str, pa.Table], Coverage]:
    if engine == "python":
        from sessionscan.reference.engine import scan_tables  # noqa: PLC0415

        tables, coverage = scan_tables(roots, options)
        return tables, Coverage(**coverage)
    streams, coverage = _extension().scan(
        roots,
        tables=options.tables,
        sizes=options.sizes,
        on_progress=options.on_progress,
        cache=options.cache,
        **_workers(options),
        **_choices(options),
    )
    tables = {name: _whole(stream) for name, stream in streams.items()}
    return tables, Coverage(**coverage)


def stream(
    engine: Engine, roots: Sequence[Root], table: str, batch_rows: int, options: ScanOptions
) -> pa.RecordBatchReader:
    """Scan `roots` for one table; return it as a stream of batches."""
    if engine == "python" or (table == "diagnostics" and missing_archives.among(roots)):
        tables, _ = run(engine, roots, options)
        batches = tables[table].to_batches(max_chunksize=batch_rows)
        return pa.RecordBatchReader.from_batches(arrow_schema(table), batches)
    return pa.RecordBatchReader.from_stream(
        _extension().reader(
            roots,
            table,
            batch_rows=batch_rows,
            **_workers_of_parts(options),
            **_choices(options),
        )
    )


def search(
    engine: Engine,
    roots: Sequence[Root],
    terms: Sequence[Term],
    *,
    threads: int | None,
    mmap: str,
    store: Store | None,
    **choices: Any,  # noqa: ANN401  told alike to both engines
) -> tuple[pa.Table, tuple[int, ...]]:
    """Search below `roots`; return the hits, and what was searched, as in `Searched`."""
    try:
        if engine == "python":
            from sessionscan.reference import search as reference  # noqa: PLC0415

            hits, searched = reference.search(roots, terms, store=store, **choices)
            return hits, tuple(searched.values())
        stream, searched = _extension().search(
            roots,
            terms=[(term.for_rust, term.contains, term.is_literal) for term in terms],
            threads=threads,
            mmap=mmap,
            store=store,
            **choices,
        )
        return _whole(stream), tuple(searched.values())
    finally:
        if store is not None:
            store.forget()


def parts(
    engine: Engine, roots: Sequence[Root], options: ScanOptions
) -> Generator[tuple[str, pa.Table], None, Coverage]:
    """Scan `roots` part by part; yield further rows of tables, and return the coverage.

    The rows of a table follow one another as in `run`. The reference makes one part.
    """
    if engine == "python":
        tables, coverage = run(engine, roots, options)
        yield from tables.items()
        return coverage
    try:
        segments = _extension().segments(
            roots,
            tables=options.tables,
            on_progress=options.on_progress,
            **_workers_of_parts(options),
            **_choices(options),
        )
        while (streams := segments.advance(on_progress=options.on_progress)) is not None:
            if missing_archives.among(roots):
                rows = {name: _whole(stream) for name, stream in streams}
                yield from missing_archives.told(rows, roots).items()
                continue
            while streams:
                name, stream = streams.pop()
                yield name, _whole(stream)
        return Coverage(**segments.coverage())
    finally:
        if options.store is not None:
            options.store.forget()


def plan(roots: Sequence[Root], options: ScanOptions, name: str, task_bytes: int) -> _core.Plan:
    """Find what is below `roots`, and cut the work into tasks for other processes."""
    choices = _choices(options)
    planned: _core.Plan = _extension().plan(
        roots, name=name, task_bytes=task_bytes, tables=options.tables, **choices
    )
    return planned


def fold(task: Task) -> bytes:
    """Fold a task of a plan; return its facts."""
    try:
        facts: bytes = _extension().fold(
            task.plan,
            task.number,
            task.units,
            tables=task.tables,
            text=task.text,
            threads=task.threads,
            mmap=task.mmap,
            max_line_bytes=task.max_line_bytes,
            store=task.store,
        )
        return facts
    finally:
        if task.store is not None:
            task.store.forget()


def joined(gathered: _core.Gathered, store: Store | None) -> tuple[dict[str, pa.Table], Coverage]:
    """Join the facts of a plan's tasks; return what `run` returns."""
    try:
        streams, coverage = gathered.join()
    finally:
        if store is not None:
            store.forget()
    return {name: _whole(stream) for name, stream in streams.items()}, Coverage(**coverage)


def _choices(options: ScanOptions) -> dict[str, Any]:
    """Return what every call of the extension is told."""
    return {
        "text": options.text,
        "threads": options.threads,
        "mmap": options.mmap,
        "copies": options.copies,
        "max_line_bytes": options.max_line_bytes,
        "store": options.store,
    }


def _workers(options: ScanOptions) -> dict[str, Any]:
    """Return who folds, if it is not this process, and how much at a time."""
    if options.executor is None:
        return {}
    from sessionscan import executors, tasks  # noqa: PLC0415 (they import this module)

    workers = executors.Workers(options.executor, options)
    return {"workers": workers, "task_bytes": tasks.TASK_BYTES}


def _workers_of_parts(options: ScanOptions) -> dict[str, Any]:
    """Return the same where tables come part by part: then a part is all there is to fold."""
    workers = _workers(options)
    if not workers:
        return {}
    from sessionscan import executors  # noqa: PLC0415 (as above)

    task_bytes = min(workers["task_bytes"], executors.SEGMENT_BYTES // executors.TASKS_IN_SEGMENT)
    return {**workers, "task_bytes": task_bytes, "segment_bytes": executors.SEGMENT_BYTES}


def _extension() -> ModuleType:
    try:
        from sessionscan import _core  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            f"the extension module cannot be imported ({error}); engine='python' needs none"
        ) from error
    return _core


def _whole(batches: _core.Stream) -> pa.Table:
    """Read a stream to its end; one dictionary per column, whatever the batches had."""
    return pa.RecordBatchReader.from_stream(batches).read_all().unify_dictionaries()
