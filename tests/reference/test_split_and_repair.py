"""Lines and what is done to them before they are parsed."""

import itertools

import pytest
from sessionscan.reference.diagnose import Span
from sessionscan.reference.repair import Places, repair
from sessionscan.reference.split import Line, lines


def test_only_lf_ends_a_line():
    data = "a\r\u2028\u2029\x85\x0b\x0cb\n\nc".encode()
    first = data.index(b"\n")
    assert list(lines(data)) == [
        Line(1, 0, data[:first], is_ended=True),
        Line(2, first + 1, b"", is_ended=True),
        Line(3, first + 2, b"c", is_ended=False),
    ]


@pytest.mark.parametrize("data", [b"", b"\n", b"a\n"])
def test_nothing_stands_behind_a_last_lf(data):
    assert len(list(lines(data))) == data.count(b"\n")


def test_nul_runs_around_the_text_are_found():
    repaired = repair(b"\0\0 \0{\0}\t\0\r", 10)
    assert repaired.text == "{\0}"
    assert repaired.start == 14
    assert repaired.nul_runs == [Span(10, 2), Span(13, 1), Span(18, 1)]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"\xe2\x82A", [(0, 2)]),
        (b"\xed\xa0\x80", [(0, 1), (1, 1), (2, 1)]),
        (b"\xf0\x90\x80", [(0, 3)]),
        (b"\xf4\x90\x80", [(0, 1), (1, 1), (2, 1)]),
        (b"\xc0\xaf", [(0, 1), (1, 1)]),
    ],
)
def test_each_maximal_ill_formed_part_is_one(data, parts):
    repaired = repair(data, 0)
    assert repaired.replaced == [Span(*part) for part in parts]
    assert repaired.text == data.decode("utf-8", "replace")


PIECES = [b"a", "é".encode(), "😀".encode(), b"\xff", b"\xe2\x82"]


@pytest.mark.parametrize("pieces", list(itertools.product(PIECES, repeat=3)))
def test_places_lead_back_to_the_bytes_of_the_file(pieces):
    data = b"".join(pieces)
    repaired = repair(data, 7)
    places = Places(repaired)
    offsets = [places.offset(index) for index in range(len(repaired.text) + 1)]
    assert offsets[0] == 7
    assert offsets[-1] == 7 + len(data)
    for index, (start, end) in enumerate(itertools.pairwise(offsets)):
        written = data[start - 7 : end - 7].decode("utf-8", "replace")
        assert written == repaired.text[index]
    assert [places.offset(index) for index in reversed(range(len(offsets)))] == offsets[::-1]
