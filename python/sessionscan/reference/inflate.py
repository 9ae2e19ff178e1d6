"""gzip and zstd: all text before the damage, and whether there is damage.

What stands behind the last member and is no other member is damage as well.
"""

from __future__ import annotations

import io
import zlib

import pyarrow as pa

_CHUNK = 1 << 16
_GZIP = 31


def gunzip(data: bytes) -> tuple[bytes, bool]:
    """Unpack gzip members, one behind the other."""
    parts: list[bytes] = []
    place = 0
    while place < len(data):
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            chunk = data[place : place + _CHUNK]
            before = member.copy()
            try:
                parts.append(member.decompress(chunk))
            except zlib.error:
                # The call that fails gives nothing of what it had unpacked.
                parts.append(_byte_by_byte(before, chunk))
                return b"".join(parts), True
            if not chunk:
                return b"".join(parts), True
            place += len(chunk)
        place -= len(member.unused_data)
    return b"".join(parts), False


def _byte_by_byte(member: zlib._Decompress, chunk: bytes) -> bytes:
    """Unpack up to the damage in `chunk`, to the byte."""
    text = bytearray()
    for place in range(len(chunk)):
        waiting = chunk[place : place + 1]
        while True:
            try:
                unpacked = member.decompress(waiting, 1)
            except zlib.error:
                return bytes(text)
            text += unpacked
            waiting = member.unconsumed_tail
            if not unpacked and not waiting:
                break
    return bytes(text)


class _Feed(io.RawIOBase):
    """Hands out its bytes in chunks, and one at a time from `slow_from` on.

    A decoder loses what it unpacked in the call that fails; fed one byte at a
    time it has given every whole block before it meets the damage.
    """

    def __init__(self, data: bytes, slow_from: int) -> None:
        self._data = data
        self._slow_from = slow_from
        self.place = 0
        self.chunk_start = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        ahead = self._slow_from - self.place
        length = min(_CHUNK if size < 0 else size, ahead) if ahead > 0 else 1
        self.chunk_start, self.place = self.place, min(self.place + length, len(self._data))
        return self._data[self.chunk_start : self.place]


def unzstd(data: bytes) -> tuple[bytes, bool]:
    """Unpack zstd frames, one behind the other."""
    if not data:
        return b"", False
    feed = _Feed(data, len(data))
    text, is_damaged = _unzstd(feed, [_CHUNK])
    if not is_damaged:
        return text, False
    slow_from = max(0, feed.chunk_start - _CHUNK)
    return _unzstd(_Feed(data, slow_from), [len(text), 1] if text else [1])


def _unzstd(feed: _Feed, reads: list[int]) -> tuple[bytes, bool]:
    """Read by the sizes in `reads`, the last of them again and again."""
    text = bytearray()
    sizes = iter(reads)
    size = next(sizes)
    try:
        with pa.CompressedInputStream(pa.PythonFile(feed, mode="r"), "zstd") as stream:
            while part := stream.read(size):
                text += part
                size = next(sizes, size)
    except OSError:
        return bytes(text), True
    return bytes(text), False
