"""What words and regular expressions mean, before anything is read."""

from __future__ import annotations

import re

import pytest
from sessionscan.fold_case import FOLDED, fold
from sessionscan.patterns import literal, regular


def found(pattern, text, *, folds=True):
    """Return what a regular expression finds."""
    text = fold(text) if folds else text
    return re.findall(regular(pattern, folds=folds).pattern, text, re.ASCII)


def test_folding_keeps_every_character_in_its_place_and_is_done_once():
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x20000)]))
    folded = fold(everything)
    assert len(folded) == len(everything)
    assert fold(folded) == folded
    into_ascii = [a for a, b in zip(everything, folded, strict=True) if a > "\x7f" >= b]
    assert into_ascii == ["\u017f", "\u212a"]


def test_folding_agrees_with_python_where_case_folding_is_one_to_one():
    for code, folded in FOLDED.items():
        full = chr(code).casefold()
        assert len(full) > 1 or full == chr(folded), hex(code)


@pytest.mark.parametrize(
    ("pattern", "contains"),
    [
        ("Heron", ("heron",)),
        ("he(?:ro)n", ("heron",)),
        ("he(ro)+n", ("he", "ro", "n")),
        ("he(ro)*n", ("he", "n")),
        ("he|ron", ()),
        (r"a\.b[cd]e", ("a.b", "e")),
        (r"\bx$", ("x",)),
        ("a?b", ("b",)),
        ("(a|b)c{2,}", ("c",)),
    ],
)
def test_what_every_match_contains(pattern, contains):
    assert regular(pattern, folds=True).contains == contains


def test_a_phrase_contains_its_words():
    assert literal(" Grey\n heron ", folds=True).contains == ("grey", "heron")
    assert literal("Grey", folds=False).contains == ("Grey",)


def test_sets_take_in_what_folds_into_them_and_only_that():
    assert found("[K-L]", "kKK\u212ax") == ["k", "k", "k", "k"]
    assert found("[^k]", "k\u212aK.") == ["."]
    assert found(r"[^\W_]", "a\u017f_é") == ["a", "s"]
    assert found(r"\W", "a\u017f_é") == ["é"]
    assert found("[É-Ë]", "éêëè") == ["é", "ê", "ë"]
    assert found("[A-B]", "aA", folds=False) == ["A"]


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a*",
        "a|",
        "^$",
        "(a?)",
        "a**",
        "a*+",
        "a++",
        "(a?)*",
        "^*",
        "*a",
        "a{2}{3}",
        "a{3,2}",
        "a{0}",
        "a{999}",
        "a{,3}",
        "a{",
        "(a",
        "a)",
        "[a",
        "[]",
        "[^]",
        "[b-a]",
        "[a-\\d]",
        "[[a]]",
        "(?i)a",
        "(?P<n>a)",
        "(?=a)",
        "(?#a)",
        "\\1",
        "\\B",
        "\\p{L}",
        "\\Aa",
        "\\x4",
        "\\u12g4",
        "\\ud800",
        "a\\",
        "\\é",
        "((((a{255}){255}){255}){255})",
    ],
)
def test_what_is_not_shared_is_refused(pattern):
    with pytest.raises(ValueError, match=r"character|empty text|Unicode"):
        regular(pattern, folds=True)


def test_a_refusal_names_the_place():
    with pytest.raises(ValueError, match=r"at character 4 of 'a\(\?=b\)'"):
        regular("a(?=b)", folds=True)


@pytest.mark.parametrize("word", ["", " ", "\t\n", "\ud800"])
def test_no_word_is_refused(word):
    with pytest.raises(ValueError, match=r"empty word|no valid Unicode"):
        literal(word, folds=True)
