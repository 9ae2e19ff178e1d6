"""The reference's JSON: what it takes, where it stops, what it keeps."""

import json
import sys

import pytest
from sessionscan.reference.json_text import MAX_DEPTH, Parser, parse_whole
from sessionscan.reference.json_values import JsonStop, Number


def stop(text):
    with pytest.raises(JsonStop) as caught:
        parse_whole(text)
    return caught.value.reason, caught.value.place


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"a": [1, -2, {"b": null}], "c": "\\u00e9\\n"}',
        " [true , false]\t",
        '"\\ud83d\\ude00"',
    ],
)
def test_takes_what_json_is(text):
    assert parse_whole(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("", "end", 0),
        ("x", "value", 0),
        ("NaN", "value", 0),
        ("nul1", "literal", 3),
        ("tru", "end", 3),
        ("-", "end", 1),
        ("-x", "number", 1),
        ("01", "trailing", 1),
        ("[01]", "comma_or_bracket", 2),
        ("1.x", "number", 2),
        ("1e", "end", 2),
        ("1e+x", "number", 3),
        ("[1.5.2]", "comma_or_bracket", 4),
        ("[1e5e]", "comma_or_bracket", 4),
        ("{,", "key_or_end", 1),
        ('{"a":1,}', "key", 7),
        ('{"a" 1}', "colon", 5),
        ('{"a":}', "value", 5),
        ('{"a":1]', "comma_or_brace", 6),
        ("[,", "value_or_end", 1),
        ("[1,]", "value", 3),
        ('"a\x01"', "control", 2),
        ('"\\x"', "escape", 2),
        ('"\\u12g4"', "escape", 5),
        ('"\\u12', "end", 5),
        ("{} {}", "trailing", 3),
    ],
)
def test_stops_at_the_first_character_that_cannot_be(text, reason, place):
    assert stop(text) == (reason, place)


def test_the_bracket_beyond_the_limit_is_too_deep():
    assert parse_whole("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    assert stop("[" * (MAX_DEPTH + 1)) == ("too_deep", MAX_DEPTH)


def test_a_caller_deep_in_the_stack_can_parse():
    def descend(levels):
        return descend(levels - 1) if levels else parse_whole("[" * 500 + "]" * 500)

    assert descend(sys.getrecursionlimit() - 200) is not None


@pytest.mark.parametrize("text", ["9" * 5000, "-9223372036854775809", "1.0", "1e400", "-0"])
def test_a_number_that_is_no_int64_keeps_its_text(text):
    value = parse_whole(text)
    assert isinstance(value, Number)
    assert value.text == text


def test_the_ends_of_int64_are_integers():
    assert parse_whole("[-9223372036854775808,9223372036854775807]") == [-(2**63), 2**63 - 1]


def test_the_last_of_equal_keys_wins_and_all_are_kept():
    obj = parse_whole('{"a": 1, "\\u0061": [2 ], "b": {}}')
    assert obj == {"a": [2], "b": {}}
    assert obj.has_duplicates
    assert obj.raw("a") == "[2 ]"
    assert [member.key for member in obj.members] == ["a", "a", "b"]


def test_unpaired_surrogates_are_counted_and_replaced():
    parser = Parser('{"\\ud800":"\\udc00\\ud83d\\ude00\\uD800\\ud800"} {}')
    assert parser.value(0)[0] == {"\ufffd": "\ufffd\U0001f600\ufffd\ufffd"}
    assert parser.lone == 4
    assert parser.value(len(parser.text) - 2) == ({}, len(parser.text))
    assert parser.lone == 0
