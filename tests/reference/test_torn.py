"""The search for a complete record behind a cut-off one."""

import pytest
from sessionscan.reference.json_text import Parser
from sessionscan.reference.json_values import JsonStop
from sessionscan.reference.torn import rescue

RECORD = '{"type":"user","uuid":"u-1","message":{"content":"{a} [b"}}'


def rescued(text):
    parser = Parser(text)
    with pytest.raises(JsonStop) as stopped:
        parser.value(0)
    found = rescue(parser, stopped.value)
    return found if found is None else text[found.start : found.end]


@pytest.mark.parametrize(
    "cut",
    [
        '{"type":"user","message":{"content":"half a word ',
        '{"type":"user",',
        '{"type":"user","message":',
        '{"type":"user","message":{"content":["{{ ',
        'e","uuid":"x"}',
        '{"n":-',
        '{"s":"\\',
    ],
)
def test_the_record_behind_a_cut_is_found(cut):
    assert rescued(cut + RECORD) == RECORD


@pytest.mark.parametrize(
    "behind",
    [
        '{"type":7,"uuid":"u-1"}',
        '{"type":"user","uuid":null}',
        '{"type":"user"}',
        RECORD[:-1],
        RECORD + "x",
        "",
    ],
)
def test_what_is_no_complete_record_is_not_kept(behind):
    assert rescued('{"type":"user","message":"half ' + behind) is None


def test_of_two_records_behind_a_cut_the_last_is_found():
    assert rescued('{"a":"cut ' + RECORD + " \0" + RECORD) == RECORD


def test_an_attempt_that_is_too_deep_ends_the_search():
    deep = '{"a":' * 600
    assert rescued('{"b":nope ' + deep + RECORD) is None
