"""The calls that read transcripts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from sessionscan import drift, engines, executors, findings
from sessionscan.cache import folder_of
from sessionscan.corpus import Corpus
from sessionscan.errors import StrictError
from sessionscan.options import Engine, ScanOptions, check_bool, check_positive, one_of, table_names
from sessionscan.schema import ALL_TABLE_NAMES, CENSUS, arrow_schema
from sessionscan.sources import locate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor

    import pyarrow as pa
    from pyarrow.fs import FileSystem

    from sessionscan.cache import Cache
    from sessionscan.options import Copies, Mmap
    from sessionscan.sources import Sources


def scan(
    sources: Sources | None = None,
    *,
    filesystem: FileSystem | None = None,
    tables: Iterable[str] | str | None = None,
    text: bool = False,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    strict: bool = False,
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    on_progress: Callable[[int, int, int, int], None] | None = None,
    cache: Cache = False,
    executor: Executor | None = None,
) -> Corpus:
    """Read transcripts into tables.

    Args:
        sources: a path, a glob, or several: a home with `projects/`, any folder
            below it, or a `.jsonl`, `.jsonl.gz` or `.jsonl.zst` file. None discovers
            the homes of this machine (SPEC section 1).
        filesystem: where the sources are: a `pyarrow.fs.FileSystem`, whose paths they
            then are. None is the disk of this machine, or what their URLs say
            (`s3://`, `gs://`, `abfs://` and others that pyarrow knows). In tables a
            URL stands as given, without credentials (rulings 61 to 64).
        tables: the tables to compute now: None for the core set, "all" for every one
            but `census`, or names. Any other is computed when it is first looked at.
            `prompts`, and `sessions` for its counts of them, hold the words of all
            assistants and hooks in memory during the scan (see `Corpus.prompts`).
        text: fill the columns that hold words of messages, prompts and tools.
        engine: "rust", or "python" for the plain reference; the tables are equal.
        threads: how many threads read; None takes all cores. The reference has one.
            With an executor so many read in each task, one for None.
        mmap: whether files are mapped: "always", "never", or "auto" for large ones
            that have settled. Only speed depends on it.
        strict: raise for the first finding of severity error.
        copies: "collapse" reads files that hold the same session's bytes once;
            "keep" reads every file as its own.
        max_line_bytes: skip longer lines with a `line_too_long` finding; None takes
            lines of any length that memory holds.
        on_progress: called now and then with files_done, files_total, bytes_done,
            bytes_total.
        cache: True keeps what the scan finds out in the user's folder of caches
            (XDG_CACHE_HOME or `~/.cache`, there `sessionscan`), a path in that folder;
            the next scan then reads only what is new. The tables are the same as
            without it; where it cannot be written, that is a RuntimeWarning. Only
            for sources on disk: with `filesystem` or URLs it is a ValueError.
        executor: who reads the files: any `concurrent.futures.Executor`, such as a
            ProcessPoolExecutor or `get_executor()` of a Dask client. Its workers get
            paths and lengths, about 256 MB of transcripts at a time, and give facts
            back, which are joined here to the same tables (docs/executors.md). The
            paths have to lead to the same files for them, and a `filesystem` has to
            be one that can be pickled. None reads with threads of this process.

    Returns:
        The corpus. Nothing that stands in a file raises: what was skipped, repaired
        or unknown is in its `diagnostics` and its `coverage`.

    Raises:
        FileNotFoundError: for a source that does not exist, or nothing discovered.
        RegistryError: where discovery meets a malformed registry of archives, or one
            that it requires is missing. One that is not required is a
            `missing_archive` in `diagnostics`.
        OSError: where a file system does not say what it holds.
        ValueError, TypeError: for an argument that means nothing, and for sources in
            several file systems; also for `cache` with the engine "python", which has
            none, with sources that are not on disk, and with an executor; and for an
            executor with the engine "python".
        StrictError: with `strict`, for the first finding of severity error.
        Exception: what an executor or one of its tasks raises, with a note that names
            the files of the task.

    Example:
        >>> import sessionscan as ss
        >>> corpus = ss.scan("fixtures/corpus")
        >>> corpus.coverage.lines_lost
        0

        The same from a file system of pyarrow; that of a bucket is no different:

        >>> from pyarrow import fs
        >>> disk = fs.SubTreeFileSystem("fixtures", fs.LocalFileSystem())
        >>> ss.scan("corpus", filesystem=disk).usage.equals(corpus.usage)
        True
    """
    one_of("engine", engine, get_args(Engine))
    check_bool("strict", strict)
    folder = folder_of(cache)
    if folder is not None and engine == "python":
        raise ValueError("engine 'python' has no cache; only 'rust' does")
    executors.check(executor, engine, cache=folder is not None)
    options = ScanOptions(
        tables=table_names(tables),
        text=text,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
        on_progress=on_progress,
        cache=folder,
    )
    roots, store = locate(sources, filesystem)
    if folder is not None and store is not None:
        raise ValueError("cache is for sources on disk; other file systems have none")
    options = replace(options, store=store)
    found, coverage = engines.run(engine, roots, replace(options, executor=executor))
    if strict:
        for finding in findings.errors(found["files"], found["diagnostics"]):
            raise StrictError(*finding)
    return Corpus(engine, roots, options, found, coverage)


def reader(
    sources: Sources | None,
    table: str,
    *,
    filesystem: FileSystem | None = None,
    batch_rows: int = 65536,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    text: bool = False,
    executor: Executor | None = None,
) -> pa.RecordBatchReader:
    """Read one table as a stream of batches, in bounded memory.

    `records` and `blocks` are read in two passes, a few megabytes at a time; the other
    tables part by part as `to_parquet` says, `census` at once.

    Args:
        sources: as in `scan`.
        filesystem: as in `scan`.
        table: the table's name.
        batch_rows: how many rows a batch has at most.
        engine: as in `scan`; the reference holds the whole table.
        threads: as in `scan`.
        mmap: as in `scan`.
        copies: as in `scan`.
        max_line_bytes: as in `scan`.
        text: as in `scan`.
        executor: as in `scan`; facts of about 1 GB of transcripts are held at a time.

    Returns:
        A reader of the table's schema; its rows are those of `scan`, in order.

    Raises:
        FileNotFoundError, OSError, ValueError, TypeError: as `scan` does.

    Example:
        >>> import sessionscan as ss
        >>> batches = ss.reader("fixtures/corpus", "records", batch_rows=10)
        >>> next(iter(batches)).num_rows
        10
    """
    one_of("engine", engine, get_args(Engine))
    one_of("table", table, ALL_TABLE_NAMES)
    if batch_rows is None:
        raise TypeError("batch_rows must be an integer, not NoneType")
    check_positive("batch_rows", batch_rows)
    options = ScanOptions(
        tables=(table,),
        text=text,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
    )
    executors.check(executor, engine)
    roots, store = locate(sources, filesystem)
    options = replace(options, store=store, executor=executor)
    return engines.stream(engine, roots, table, batch_rows, options)


def schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table, the same for both engines.

    Raises:
        ValueError: for a name that is no table.

    Example:
        >>> import sessionscan as ss
        >>> ss.schema("usage").field("input_tokens").type
        DataType(int64)
    """
    return arrow_schema(one_of("table", name, ALL_TABLE_NAMES))


def census(
    sources: Sources | None = None,
    *,
    filesystem: FileSystem | None = None,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    on_progress: Callable[[int, int, int, int], None] | None = None,
) -> pa.Table:
    """Count the names of the format: record, block and attachment types, and fields.

    Args:
        sources: as in `scan`.
        filesystem: as in `scan`.
        engine: as in `scan`.
        threads: as in `scan`.
        mmap: as in `scan`.
        copies: as in `scan`.
        max_line_bytes: as in `scan`.
        on_progress: as in `scan`.

    Returns:
        The table `census`: a row per item, name, JSON type and client version, with
        its count and first place (SPEC section 7, ruling 55). `is_known` is false for
        names that the schema does not list: that is how a format's news stand out.
        Every record counts, replays included. `scan(..., tables=["census"])` gives
        the same with a coverage.

    Raises:
        FileNotFoundError, OSError, ValueError, TypeError: as `scan` does.

    Example:
        >>> import sessionscan as ss
        >>> names = ss.census("fixtures/corpus")
        >>> records = [row for row in names.to_pylist() if row["item"] == "record"]
        >>> all(row["is_known"] for row in records)
        True
    """
    return scan(
        sources,
        filesystem=filesystem,
        tables=[CENSUS],
        engine=engine,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
        on_progress=on_progress,
    ).table(CENSUS)


def census_diff(a: pa.Table, b: pa.Table, *, by_version: bool = False) -> pa.Table:
    """Return how a format drifted from one census to another.

    Args:
        a: a census, as `census` gives it or as it was read back from a file.
        b: the census to compare with it.
        by_version: tell client versions apart; else their counts are added.

    Returns:
        A row per item, name and JSON type (and version) whose counts differ:
        `count_a`, `count_b`, `change` ("added": only b has it, "removed": only a has
        it, "changed": both have it) and `is_known`. Rows are in the order of `census`.
        Counts of corpora of different size differ as a matter of course; what was
        added or removed is the drift.

    Raises:
        TypeError, ValueError: for what is no census.

    Example:
        >>> import sessionscan as ss
        >>> old = ss.census("fixtures/corpus/projects/-Users-jonas-kiln-controller")
        >>> new = ss.census("fixtures/corpus/projects/-home-mira-lighthouse-log")
        >>> rows = ss.census_diff(old, new).to_pylist()
        >>> [row["name"] for row in rows if row["change"] == "added"][:2]
        ['ai-title', 'attachment']
    """
    check_bool("by_version", by_version)
    return drift.difference(drift.check(a, "a"), drift.check(b, "b"), by_version=by_version)
