"""Scans with an index, small units of work, and clocks that are known to be fast."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pyarrow as pa
from parity.compare import difference
from sessionscan import _core
from sessionscan.coverage import Coverage
from sessionscan.schema import TABLE_NAMES

if TYPE_CHECKING:
    from pathlib import Path

# A tick of the clocks of the file systems that tests run on, and more.
TICK_MS = 30


def settle():
    """Wait until what was written last is doubted no longer."""
    time.sleep(0.05)


def scanned(root: Path, *, cache: Path | None = None, tables=TABLE_NAMES, chunk_bytes=600):
    """Return every table and the coverage of a scan."""
    streams, coverage = _core.scan(
        [(str(root), str(root))],
        tables=list(tables),
        text=True,
        threads=2,
        mmap="auto",
        copies="collapse",
        max_line_bytes=None,
        sizes=None,
        on_progress=None,
        chunk_bytes=chunk_bytes,
        cache=cache,
        settle_ms=TICK_MS,
    )
    read = pa.RecordBatchReader.from_stream
    found = {name: read(stream).read_all().unify_dictionaries() for name, stream in streams.items()}
    return found, Coverage(**coverage)


def assert_same(found, expected):
    """Hold two scans together, to the last cell and number."""
    (tables, coverage), (others, other_coverage) = found, expected
    assert tables.keys() == others.keys()
    for name, table in tables.items():
        wrong = difference(name, table, others[name])
        assert wrong is None, wrong
        assert table.equals(others[name], check_metadata=True), name
    assert coverage == other_coverage
