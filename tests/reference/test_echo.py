"""A repeated text is found wherever it stood: the index of pieces must not miss a place."""

import pytest
from sessionscan.reference.echo import Echoes, Said
from sessionscan.reference.facts import Place

WORDS = " ".join(f"word{number}" for number in range(40))


def said(text, line=2, timestamp=None, file_id=0):
    return Said(text, timestamp, Place(file_id, line, 0))


@pytest.mark.parametrize("length", [60, 61, 89, 90, 119])
def test_a_part_is_found_at_every_place(length):
    echoes = Echoes([said(WORDS, line=1)])
    for start in range(len(WORDS) - length + 1):
        assert echoes.reason(said(WORDS[start : start + length])) == "contained", start


def test_what_is_too_short_is_no_echo():
    echoes = Echoes([said(WORDS, line=1), said(WORDS[:29], line=1)])
    assert echoes.reason(said(WORDS[5:64])) is None
    assert echoes.reason(said(WORDS[:29])) is None


def test_of_equal_words_only_an_earlier_one_counts():
    text = WORDS[:60]
    later, earlier = said(text, timestamp=9), said(text, timestamp=1, file_id=1)
    prompt = said(text, timestamp=5)
    assert Echoes([later]).reason(prompt) is None
    assert Echoes([later, earlier]).reason(prompt) == "equal"


def test_without_times_only_the_same_file_has_an_order():
    text = WORDS[:60]
    assert Echoes([said(text, line=1, file_id=1)]).reason(said(text)) is None
    assert Echoes([said(text, line=1, timestamp=99)]).reason(said(text)) == "equal"
