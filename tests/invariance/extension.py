"""Scans through the extension itself, with what is no option of the API."""

from __future__ import annotations

import pyarrow as pa
from parity.compare import difference
from sessionscan.schema import TABLE_NAMES


def scanned(path, *, threads=2, copies="collapse", **more):
    """Scan a path; `more` may be chunk_bytes and machine."""
    from sessionscan import _core  # noqa: PLC0415

    streams, coverage = _core.scan(
        [(str(path), str(path))],
        tables=TABLE_NAMES,
        text=True,
        threads=threads,
        mmap="auto",
        copies=copies,
        max_line_bytes=None,
        sizes=None,
        on_progress=None,
        **more,
    )
    tables = {
        name: pa.RecordBatchReader.from_stream(stream).read_all().unify_dictionaries()
        for name, stream in streams.items()
    }
    return tables, coverage


def assert_same(ours, expected):
    for name in TABLE_NAMES:
        found = difference(name, ours[0][name], expected[0][name])
        assert found is None, found
    assert ours[1] == expected[1]
