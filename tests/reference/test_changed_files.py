"""Files that change between the moment they are found and the moment they are opened."""

import gzip
import os

import pytest
from sessionscan.reference.discover import discover
from sessionscan.reference.map import read_text

TEXT = b'{"type":"user"}\n{"type":"user"}\n'


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(TEXT)
    return path


def found(path, sizes=None):
    (transcript,) = discover([("source", str(path.parent))], sizes).transcripts
    return transcript


def codes(text):
    return [finding.code for finding in text.findings]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_regular_file_any_more_is_unreadable(path, make):
    transcript = found(path)
    path.unlink()
    make(path)
    text = read_text(transcript)
    assert (text.status, text.size, text.data) == ("unreadable", len(TEXT), b"")
    assert codes(text) == ["unreadable"]
    assert "not a regular file" in text.findings[0].message


def test_what_is_gone_is_unreadable(path):
    transcript = found(path)
    path.unlink()
    text = read_text(transcript)
    assert (text.status, codes(text)) == ("unreadable", ["unreadable"])


def test_what_was_appended_is_left_to_the_next_scan(path):
    transcript = found(path)
    path.write_bytes(TEXT * 2)
    text = read_text(transcript)
    assert (text.status, text.size, text.data) == ("ok", len(TEXT), TEXT)
    assert codes(text) == []


def test_what_was_cut_short_is_partial(path):
    transcript = found(path)
    path.write_bytes(TEXT[:20])
    text = read_text(transcript)
    assert (text.status, text.size, text.data) == ("partial", len(TEXT), TEXT[:20])
    assert codes(text) == ["truncated_while_reading"]


def test_packed_data_that_were_cut_short_are_damaged(tmp_path):
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(TEXT))
    transcript = found(path)
    path.write_bytes(gzip.compress(TEXT)[:-8])
    text = read_text(transcript)
    assert (text.status, text.data) == ("partial", TEXT)
    assert codes(text) == ["decompress_error"]


def test_a_given_size_limits_what_is_read(path):
    transcript = found(path, {str(path): 16})
    text = read_text(transcript)
    assert (text.status, text.size, text.data) == ("ok", 16, TEXT[:16])
