"""Packed text: whole, in several members, and damaged."""

import gzip

import pyarrow as pa
import pytest
from sessionscan.reference.inflate import gunzip, unzstd

TEXT = b"".join(b'{"n":%d,"m":%d}\n' % (n, n * n * 7919 % 65537) for n in range(20_000))


def zstd(text):
    return pa.compress(text, codec="zstd", asbytes=True)


@pytest.fixture(params=[(gzip.compress, gunzip), (zstd, unzstd)], ids=["gzip", "zstd"])
def codec(request):
    return request.param


def test_members_are_read_one_behind_the_other(codec):
    pack, unpack = codec
    assert unpack(pack(TEXT) + pack(b"more\n")) == (TEXT + b"more\n", False)


def test_nothing_packed_is_nothing(codec):
    _, unpack = codec
    assert unpack(b"") == (b"", False)


@pytest.mark.parametrize("cut", [1, 1000, 30_000])
def test_a_cut_end_keeps_what_stands_before_it(codec, cut):
    pack, unpack = codec
    text, is_damaged = unpack(pack(TEXT)[:-cut])
    assert is_damaged
    assert TEXT.startswith(text)


def test_what_follows_and_is_no_member_is_damage(codec):
    pack, unpack = codec
    assert unpack(pack(TEXT) + b"\0\0") == (TEXT, True)


def test_what_is_not_packed_has_no_text(codec):
    _, unpack = codec
    assert unpack(b'{"type":"user"}\n') == (b"", True)


def test_damage_in_the_middle_loses_no_byte_before_it():
    packed = bytearray(gzip.compress(TEXT, 9))
    middle = len(packed) // 2
    whole = gunzip(bytes(packed[:middle]))[0]
    packed[middle : middle + 64] = b"\xff" * 64
    text, is_damaged = gunzip(bytes(packed))
    assert is_damaged
    assert text.startswith(whole)
