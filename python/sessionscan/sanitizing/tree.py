"""What is sanitized below a path, and the names that it has afterwards."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sessionscan.reference.beside import META, WORKFLOW
from sessionscan.reference.discover import discover
from sessionscan.reference.fold import fold
from sessionscan.reference.json_text import parse_whole
from sessionscan.reference.json_values import JsonStop, Obj
from sessionscan.reference.map import read_text
from sessionscan.reference.repair import BOM
from sessionscan.reference.split import lines
from sessionscan.sanitizing.lines import sanitized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.discover import Transcript
    from sessionscan.sanitizing.values import Values

_BACKUPS = "file-history"
_PIECE = 1 << 16


@dataclass(slots=True)
class Found:
    """A file to sanitize: what it is, and its names below the root."""

    kind: str
    path: str
    names: list[str]
    transcript: Transcript | None = None

    def contents(self, values: Values) -> Iterator[bytes]:
        """Give its bytes without their content."""
        if self.transcript is not None:
            yield from _transcript(self.transcript, values)
        elif self.kind in {META, WORKFLOW}:
            yield _document(Path(self.path).read_bytes(), values)
        else:
            left = Path(self.path).stat().st_size
            for _ in range(0, left, _PIECE):
                yield b"x" * min(left, _PIECE)
                left -= _PIECE


def found(path: str) -> list[Found]:
    """Find the transcripts below a path, and what stands beside them.

    Raises:
        ValueError: for a Codex rollout, and where no transcript can be read.
    """
    there = discover([(path, path)])
    files = []
    for transcript in there.transcripts:
        name = os.fsdecode(transcript.raw_path)
        if _kind(transcript) == "codex":
            raise ValueError(f"{name} is a Codex rollout; only Claude's transcripts are sanitized")
        if transcript.problem is None:
            files.append(Found("transcript", name, _below(name, path), transcript))
    if not files:
        raise ValueError(f"{path} holds no transcript that can be read")
    if Path(path).is_dir():
        for side in there.beside:
            name = os.fsdecode(side.raw_path)
            files.append(Found(side.kind, name, _below(name, path)))
        homes = {home for file in files if (home := _home(file.path, path)) is not None}
        for home in sorted({path, *homes}):
            files += (Found("backup", name, _below(name, path)) for name in _backups(home))
    return files


def _kind(transcript: Transcript) -> str | None:
    """Return what a transcript is: by its name, else by its records."""
    if transcript.shape.kind is not None or transcript.problem is not None:
        return transcript.shape.kind
    return fold(transcript, read_text(transcript), None).kind


def _below(name: str, root: str) -> list[str]:
    if name == root:
        return [name.rpartition("/")[2]]
    return [part for part in name[len(root) :].split("/") if part]


def _home(path: str, root: str) -> str | None:
    """Return the folder with the last `projects` on a path, where it lies below the root."""
    home, mark, _ = path.rpartition("/projects/")
    return home if mark and home.startswith(f"{root}/") else None


def _backups(root: str) -> Iterator[str]:
    for folder, _, names in os.walk(Path(root) / _BACKUPS):
        for name in sorted(names):
            path = Path(folder) / name
            if path.is_file() and not path.is_symlink():
                yield str(path)


def _transcript(transcript: Transcript, values: Values) -> Iterator[bytes]:
    text = read_text(transcript)
    if text.status == "unreadable":
        raise ValueError(f"{transcript.path} cannot be read: {text.findings[0].message}")
    made = (
        sanitized(line, values) + (b"\n" if line.is_ended else b"") for line in lines(text.data)
    )
    compression = transcript.shape.compression
    if compression is None:
        yield from made
        return
    yield _packed(b"".join(made), compression)
    if text.status == "partial":
        # The lines before the damage are kept, and so is that there is damage behind them.
        yield b"damage"


def _packed(data: bytes, compression: str) -> bytes:
    if compression == "gzip":
        return gzip.compress(data, mtime=0)
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


def _document(data: bytes, values: Values) -> bytes:
    """Return a side file without its content; one that is damaged stays so."""
    start = len(BOM) if data.startswith(BOM) else 0
    try:
        text = data[start:].decode()
        is_whole = isinstance(parse_whole(text), Obj)
    except (UnicodeDecodeError, JsonStop):
        is_whole = False
    return data[:start] + values.of(text).encode() if is_whole else b"x" * len(data)
