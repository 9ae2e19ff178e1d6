"""Whatever the bytes: neither engine raises, and both give the same tables.

2,000 examples by default; SESSIONSCAN_EXAMPLES asks for more, and for others each time.
"""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis_corpora.examples import asked_or, share_of
from hypothesis_corpora.files import compressed, corpora
from parity.compare import assert_engines_agree

EXAMPLES = asked_or(2_000)
share = partial(share_of, EXAMPLES)


@share(0.3)
@given(corpora(damage=False))
def test_over_sound_corpora(corpus):
    with corpus.on_disk() as roots:
        assert_engines_agree(roots, text=True)


@share(0.4)
@given(corpora(damage=True))
def test_over_damaged_corpora(corpus):
    with corpus.on_disk() as roots:
        assert_engines_agree(roots, text=True)


@share(0.15)
@given(corpora(damage=True))
def test_over_copies_kept_and_short_lines(corpus):
    with corpus.on_disk() as roots:
        assert_engines_agree(roots, copies="keep", max_line_bytes=300)


@share(0.1)
@given(corpora(damage=True, files=1))
def test_over_one_file(corpus):
    with corpus.on_disk() as roots:
        assert_engines_agree(roots, mmap="always", threads=1)


@share(0.05)
@given(compressed())
def test_over_compressed_corpora(corpus):
    with corpus.on_disk() as roots:
        assert_engines_agree(roots, text=True)


def test_shares_are_all_examples():
    tests = [value for name, value in globals().items() if name.startswith("test_over_")]
    counts = [test._hypothesis_internal_use_settings.max_examples for test in tests]
    assert sum(counts) == pytest.approx(EXAMPLES, abs=len(tests))
