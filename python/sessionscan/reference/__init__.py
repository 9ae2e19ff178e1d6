"""The same tables from plain Python: slow, and written to be read.

The reference answers the calls of the package without its extension module, which
it never imports. The stages stand in modules named as in the Rust core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sessionscan import api
from sessionscan.options import one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyarrow.fs import FileSystem

    from sessionscan.corpus import Corpus
    from sessionscan.options import Copies, Mmap
    from sessionscan.sources import Sources

__all__ = ["scan"]


def scan(
    sources: Sources | None = None,
    *,
    filesystem: FileSystem | None = None,
    tables: Iterable[str] | str | None = None,
    text: bool = False,
    engine: Literal["python"] = "python",
    threads: int | None = None,
    mmap: Mmap = "auto",
    strict: bool = False,
    copies: Copies = "collapse",
    max_line_bytes: int | None = None,
    on_progress: Callable[[int, int, int, int], None] | None = None,
) -> Corpus:
    """Read transcripts into tables, as `sessionscan.scan` does, in plain Python.

    Takes, returns and raises what `sessionscan.scan` does; `engine` can only be
    "python" here.

    Example:
        >>> from sessionscan import reference
        >>> reference.scan("fixtures/corpus").coverage.files_unreadable
        0
    """
    one_of("engine", engine, ["python"])
    return api.scan(
        sources,
        filesystem=filesystem,
        tables=tables,
        text=text,
        engine=engine,
        threads=threads,
        mmap=mmap,
        strict=strict,
        copies=copies,
        max_line_bytes=max_line_bytes,
        on_progress=on_progress,
    )
