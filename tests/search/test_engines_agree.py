"""What the Rust engine finds by a prefilter is what the reference finds by a full parse.

1,000 examples by default; SESSIONSCAN_EXAMPLES asks for more, and for others each time.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pyarrow as pa
import sessionscan as ss
from hypothesis import HealthCheck, given, settings
from search.texts import cases
from sessionscan import _core
from sessionscan.patterns import literal, regular

ASKED = os.environ.get("SESSIONSCAN_EXAMPLES")
SETTINGS = settings(
    max_examples=int(ASKED or 1_000),
    deadline=None,
    derandomize=ASKED is None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)


@SETTINGS
@given(cases())
def test_over_generated_and_damaged_texts(case):
    with tempfile.TemporaryDirectory() as folder:
        roots = case.write(Path(folder))
        python = ss.search(case.words, roots, engine="python", **case.asked)
        rust = ss.search(case.words, roots, engine="rust", **case.asked)
        assert rust.searched == python.searched
        assert rust.hits.to_pylist() == python.hits.to_pylist()
        assert rust.hits.equals(python.hits, check_metadata=True)
        assert rust.sessions.equals(python.sessions)
        in_chunks = _in_chunks(case, roots, 16)
        assert in_chunks.equals(python.hits)


def _in_chunks(case, roots, chunk_bytes):
    """Search with units of work that are far smaller than a line."""
    made = regular if case.asked["regex"] else literal
    folds = not case.asked["case_sensitive"]
    terms = [made(word, folds=folds) for word in case.words]
    stream, _ = _core.search(
        [(root, root) for root in roots],
        terms=[(term.for_rust, term.contains) for term in terms],
        is_any_enough=case.asked["match"] == "any",
        folds=folds,
        sidecars=case.asked["sidecars"],
        threads=1,
        mmap="auto",
        on_progress=None,
        chunk_bytes=chunk_bytes,
    )
    return pa.RecordBatchReader.from_stream(stream).read_all().unify_dictionaries()
