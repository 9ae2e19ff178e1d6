"""Tables written to Parquet while they are scanned, over a corpus larger than memory."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

import pyarrow as pa
import pyarrow.parquet as pq

from sessionscan import engines, executors, findings
from sessionscan.atomic import replacing
from sessionscan.errors import StrictError
from sessionscan.exports import PARQUET
from sessionscan.options import Engine, ScanOptions, check_bool, one_of, table_names
from sessionscan.schema import ALL_TABLE_NAMES, arrow_schema
from sessionscan.sources import locate

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor

    from pyarrow.fs import FileSystem

    from sessionscan.coverage import Coverage
    from sessionscan.options import Copies, Mmap
    from sessionscan.sources import Sources

_ALWAYS = ("files", "diagnostics")
_GROUP_ROWS = 131_072


class Written(NamedTuple):
    """The files that were written, by table, and what the scan covered."""

    paths: dict[str, Path]
    coverage: Coverage


def to_parquet(
    sources: Sources | None,
    folder: str | os.PathLike[str],
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
    executor: Executor | None = None,
) -> Written:
    """Scan transcripts and write each table to `<folder>/<name>.parquet` on the way.

    The corpus may be larger than memory. It is read twice: once for what links its
    files, and then part by part, each part about 256 MB of transcripts that share no
    session, response or, for `links` and `sessions`, record id with another. Files
    that do share one stand in one part, with the files between them, however large
    that is. `prompts` and `sessions` take two passes more, for words that may stand
    anywhere (rulings 65, 66); the facts behind `census` are held whole. A corpus of
    less than 256 MB is read once.

    Args:
        sources: as in `scan`.
        folder: where the files go; made where it is missing. A file that is there is
            replaced, by a rename once all tables are whole.
        filesystem: where the sources are, as in `scan`; the folder is on disk.
        tables: as in `scan`; `files` and `diagnostics` are always written.
        text: as in `scan`.
        engine: as in `scan`; the reference holds all tables.
        threads: as in `scan`.
        mmap: as in `scan`.
        strict: raise for the first finding of severity error, and write nothing.
        copies: as in `scan`.
        max_line_bytes: as in `scan`.
        on_progress: as in `scan`; what is read several times counts as often.
        executor: as in `scan`. Its workers fold one part after the other, each about
            1 GB of transcripts in 16 tasks, and each pass likewise.

    Returns:
        The paths by table, and the coverage. The rows are those of `scan`, in order.

    Raises:
        FileNotFoundError, ValueError, TypeError, StrictError: as `scan` does.
        OSError: where the folder cannot be made or written to.

    Example:
        >>> import tempfile
        >>> import pyarrow.parquet as pq
        >>> import sessionscan as ss
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     written = ss.to_parquet("fixtures/corpus", folder, tables=["usage"])
        ...     pq.read_table(written.paths["usage"]).equals(ss.scan("fixtures/corpus").usage)
        True
    """
    one_of("engine", engine, get_args(Engine))
    check_bool("strict", strict)
    executors.check(executor, engine)
    options = ScanOptions(
        tables=table_names(tables),
        text=text,
        threads=threads,
        mmap=mmap,
        copies=copies,
        max_line_bytes=max_line_bytes,
        on_progress=on_progress,
    )
    roots, store = locate(sources, filesystem)
    options = replace(options, store=store, executor=executor)
    names = [name for name in ALL_TABLE_NAMES if name in options.tables or name in _ALWAYS]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    paths = {name: target / f"{name}.parquet" for name in names}
    with ExitStack() as stack:
        writers = {name: _writer(stack, name, path) for name, path in paths.items()}
        judged = _Judged(strict=strict)
        parts = engines.parts(engine, roots, options)
        while True:
            try:
                name, rows = next(parts)
            except StopIteration as end:
                coverage: Coverage = end.value
                break
            if rows.num_rows:
                writers[name].write_table(rows, row_group_size=_GROUP_ROWS)
            judged.add(name, rows)
        judged.check()
    return Written(paths, coverage)


def _writer(stack: ExitStack, name: str, path: Path) -> pq.ParquetWriter:
    file = stack.enter_context(replacing(path))
    return stack.enter_context(pq.ParquetWriter(file, arrow_schema(name), **PARQUET))


class _Judged:
    """What a strict scan looks at, kept until all of it is there."""

    def __init__(self, *, strict: bool) -> None:
        self._rows: dict[str, list[pa.Table]] = {name: [] for name in _ALWAYS if strict}

    def add(self, name: str, rows: pa.Table) -> None:
        if name in self._rows:
            self._rows[name].append(rows)

    def check(self) -> None:
        """Raise for the first error."""
        if self._rows:
            files, diagnostics = (pa.concat_tables(self._rows[name]) for name in _ALWAYS)
            for finding in findings.errors(files, diagnostics):
                raise StrictError(*finding)
