"""What the Rust engine finds by a prefilter is what the reference finds by a full parse.

1,000 examples by default; SESSIONSCAN_EXAMPLES asks for more, and for others each time.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import pyarrow as pa
import sessionscan as ss
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_corpora.examples import asked_or, share_of
from hypothesis_corpora.files import corpora
from search.texts import cases
from sessionscan import _core
from sessionscan.patterns import literal, regular

EXAMPLES = asked_or(1_000)
share = partial(share_of, EXAMPLES)
# Parts of what the corpora of all kinds of records hold.
WORDS = ("e", "in", "x", "plain WORDS", "größer", "ping", "/", "日", "\ufffd", "🚲", "a", "1")


@share(0.8)
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
        in_chunks, searched = _in_chunks(case, roots, 16)
        assert in_chunks.equals(python.hits)
        assert searched.items() <= python.searched.as_dict().items()


@share(0.2)
@given(corpora(damage=True), st.sampled_from(WORDS), st.booleans())
def test_over_records_of_every_kind(corpus, word, case_sensitive):
    asked = {"case_sensitive": case_sensitive, "sidecars": True}
    with corpus.on_disk() as roots:
        python = ss.search(word, roots, engine="python", **asked)
        rust = ss.search(word, roots, engine="rust", **asked)
        assert rust.searched == python.searched
        assert rust.hits.to_pylist() == python.hits.to_pylist()
        assert rust.hits.equals(python.hits, check_metadata=True)


def _in_chunks(case, roots, chunk_bytes):
    """Search with units of work that are far smaller than a line."""
    made = regular if case.asked["regex"] else literal
    folds = not case.asked["case_sensitive"]
    terms = [made(word, folds=folds) for word in case.words]
    stream, searched = _core.search(
        [(root, root) for root in roots],
        terms=[(term.for_rust, term.contains, term.is_literal) for term in terms],
        is_any_enough=case.asked["match"] == "any",
        folds=folds,
        sidecars=case.asked["sidecars"],
        threads=1,
        mmap="auto",
        on_progress=None,
        chunk_bytes=chunk_bytes,
    )
    hits = pa.RecordBatchReader.from_stream(stream).read_all().unify_dictionaries()
    return hits, searched
