"""Transcript -> text: the bytes that are scanned, inflated where they are packed.

Files are read, never mapped, so one that is cut short while it is read ends the
text early and does no other harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import Finding, file_finding
from sessionscan.reference.inflate import gunzip, unzstd

if TYPE_CHECKING:
    from sessionscan.reference.discover import Transcript


@dataclass(slots=True)
class Text:
    """What was read of a file: its text, its state, and what was found wrong."""

    data: bytes = b""
    status: str = "ok"
    size: int | None = None
    findings: list[Finding] = field(default_factory=list)


def read_text(transcript: Transcript) -> Text:
    """Read a transcript up to the length that it had when it was found."""
    if transcript.problem is not None:
        found = file_finding(transcript.problem, reason=transcript.reason)
        return Text(status="unreadable", size=transcript.size, findings=[found])
    try:
        text = _read(transcript)
    except OSError as error:
        found = file_finding("unreadable", reason=error.strerror or str(error))
        return Text(status="unreadable", size=transcript.size, findings=[found])
    return _inflate(text, transcript.shape.compression)


def _read(transcript: Transcript) -> Text:
    size = transcript.size or 0  # it is None only for what has a problem
    text = Text(transcript.storage.first_bytes(transcript.raw_path, size), size=size)
    if len(text.data) < size and transcript.shape.compression is None:
        text.status = "partial"
        text.findings.append(file_finding("truncated_while_reading"))
    return text


def _inflate(text: Text, compression: str | None) -> Text:
    """Unpack what is packed; of damaged data keep the lines before the damage."""
    if compression is None:
        return text
    unpack = gunzip if compression == "gzip" else unzstd
    text.data, is_damaged = unpack(text.data)
    if is_damaged:
        text.data = text.data[: text.data.rfind(b"\n") + 1]
        text.status = "partial"
        text.findings.append(file_finding("decompress_error", offset=len(text.data)))
    return text
