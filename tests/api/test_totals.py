"""Sums over usage: what is counted, and what nothing says."""

import pyarrow as pa
import pytest
import sessionscan as ss
from api.tables import table
from api.transcripts import write_home
from sessionscan.schema import TOKENS
from sessionscan.totals import exact_sum, totals

LARGE = 2**62


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(write_home(tmp_path), engine=engine)


def test_each_response_counts_once(corpus):
    sums = corpus.totals()
    assert sums["responses"] == 3
    assert (sums["input_tokens"], sums["output_tokens"]) == (115, 241)
    assert (sums["lower_bound"], sums["uncertain"], sums["conflicts"]) == (1, 0, 1)
    assert sums["copies"] == 1


def test_each_session_counts_what_it_holds(corpus):
    sums = corpus.totals(scope="session")
    assert sums["responses"] == 4
    assert (sums["input_tokens"], sums["output_tokens"]) == (125, 281)
    assert sums["copies"] == 1


def test_what_no_response_says_is_none_and_not_zero(corpus):
    sums = corpus.totals()
    assert sums["cache_read_input_tokens"] == 1000
    assert sums["thinking_tokens"] is None


def test_the_side_stands_apart(corpus):
    side = corpus.totals()["side"]
    assert list(side) == ["advisor_message"]
    assert list(side["advisor_message"]) == ["n", *TOKENS]
    assert side["advisor_message"]["n"] == 1
    assert side["advisor_message"]["output_tokens"] == 3


def test_another_scope_is_refused(corpus):
    with pytest.raises(ValueError, match="corpus, session"):
        corpus.totals(scope="all")


def test_the_side_of_a_copy_is_left_out_in_corpus_scope():
    usage = table(
        "usage",
        {"session_id": "a", "message_id": "m", "is_copy": False},
        {"session_id": "b", "message_id": "m", "is_copy": True},
    )
    aside = {"message_id": "m", "type": "compaction", "input_tokens": 5}
    iterations = table(
        "usage_iterations",
        {"session_id": "a", **aside},
        {"session_id": "b", **aside},
        {"session_id": "b", **aside, "type": None},
        {"session_id": "b", **aside, "type": "message"},
    )
    assert totals(usage, iterations, "corpus")["side"]["compaction"]["n"] == 1
    assert totals(usage, iterations, "session")["side"]["compaction"]["input_tokens"] == 10


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0),
        ([None, None], None),
        ([1, None, 2], 3),
        ([LARGE, LARGE, LARGE], 3 * LARGE),
        ([-LARGE, -LARGE, -LARGE, None], -3 * LARGE),
        ([2**63 - 1], 2**63 - 1),
        ([-(2**63), 1], 1 - 2**63),
    ],
)
def test_sums_are_exact(values, expected):
    assert exact_sum(pa.chunked_array([pa.array(values, pa.int64())])) == expected
