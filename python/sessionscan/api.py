"""The calls that read transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from sessionscan import engines, findings
from sessionscan.corpus import Corpus
from sessionscan.errors import StrictError
from sessionscan.options import Engine, ScanOptions, check_bool, check_positive, one_of, table_names
from sessionscan.schema import TABLE_NAMES, arrow_schema
from sessionscan.sources import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyarrow as pa

    from sessionscan.options import Copies, Mmap
    from sessionscan.sources import Sources


def scan(
    sources: Sources | None = None,
    *,
    tables: Iterable[str] | str | None = None,
    text: bool = False,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    strict: bool = False,
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    on_progress: Callable[[int, int, int, int], None] | None = None,
) -> Corpus:
    """Read transcripts into tables.

    Args:
        sources: a path, a glob, or several: a home with `projects/`, any folder
            below it, or a `.jsonl`, `.jsonl.gz` or `.jsonl.zst` file. None discovers
            the homes of this machine (SPEC section 1).
        tables: the tables to compute now: None for the core set, "all", or names.
            Any other is computed when it is first looked at.
        text: fill the columns that hold words of messages, prompts and tools.
        engine: "rust", or "python" for the plain reference; the tables are equal.
        threads: how many threads read; None takes all cores. The reference has one.
        mmap: whether files are mapped: "always", "never", or "auto" for large ones
            that have settled. Only speed depends on it.
        strict: raise for the first finding of severity error.
        copies: "collapse" reads files that hold the same session's bytes once;
            "keep" reads every file as its own.
        max_line_bytes: skip longer lines with a `line_too_long` finding; None takes
            lines of any length that memory holds.
        on_progress: called now and then with files_done, files_total, bytes_done,
            bytes_total.

    Returns:
        The corpus. Nothing that stands in a file raises: what was skipped, repaired
        or unknown is in its `diagnostics` and its `coverage`.

    Raises:
        FileNotFoundError: for a source that does not exist, or nothing discovered.
        ValueError, TypeError: for an argument that means nothing.
        StrictError: with `strict`, for the first finding of severity error.

    Example:
        >>> import sessionscan as ss
        >>> corpus = ss.scan("fixtures/corpus")
        >>> corpus.coverage.lines_lost
        0
    """
    one_of("engine", engine, get_args(Engine))
    check_bool("strict", strict)
    options = ScanOptions(
        tables=table_names(tables),
        text=text,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
        on_progress=on_progress,
    )
    roots = resolve(sources)
    found, coverage = engines.run(engine, roots, options)
    if strict:
        for finding in findings.errors(found["files"], found["diagnostics"]):
            raise StrictError(*finding)
    return Corpus(engine, roots, options, found, coverage)


def reader(
    sources: Sources | None,
    table: str,
    *,
    batch_rows: int = 65536,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    text: bool = False,
) -> pa.RecordBatchReader:
    """Read one table as a stream of batches, in bounded memory.

    Args:
        sources: as in `scan`.
        table: the table's name.
        batch_rows: how many rows a batch has at most.
        engine: as in `scan`; the reference holds the whole table.
        threads: as in `scan`.
        mmap: as in `scan`.
        copies: as in `scan`.
        max_line_bytes: as in `scan`.
        text: as in `scan`.

    Returns:
        A reader of the table's schema; its rows are those of `scan`, in order.

    Raises:
        FileNotFoundError, ValueError, TypeError: as `scan` does.

    Example:
        >>> import sessionscan as ss
        >>> batches = ss.reader("fixtures/corpus", "records", batch_rows=10)
        >>> next(iter(batches)).num_rows
        10
    """
    one_of("engine", engine, get_args(Engine))
    one_of("table", table, TABLE_NAMES)
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
    return engines.stream(engine, resolve(sources), table, batch_rows, options)


def schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table, the same for both engines.

    Raises:
        ValueError: for a name that is no table.

    Example:
        >>> import sessionscan as ss
        >>> ss.schema("usage").field("input_tokens").type
        DataType(int64)
    """
    return arrow_schema(one_of("table", name, TABLE_NAMES))
