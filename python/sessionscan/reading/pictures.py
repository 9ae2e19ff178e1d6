"""Images of a transcript: shown only where they are what they say."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionscan.reading.story import Picture

# An image's first bytes must be its type's: a browser guesses, and SVG holds scripts.
_BEGINNINGS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}


def data_url(picture: Picture) -> str | None:
    """Return an image as a `data:` URL, None where it is none that can be shown."""
    beginnings = _BEGINNINGS.get(picture.media_type or "")
    if picture.kind != "image" or beginnings is None or picture.data is None:
        return None
    try:
        content = base64.b64decode(picture.data, validate=True)
    except (binascii.Error, ValueError):
        return None
    if not content.startswith(beginnings):
        return None
    if picture.media_type == "image/webp" and content[8:12] != b"WEBP":
        return None
    # Encoded anew, so that nothing of the text itself goes into the page.
    return f"data:{picture.media_type};base64,{base64.b64encode(content).decode()}"


def placeholder(picture: Picture) -> str:
    """Return what stands where an image is not shown."""
    size = "" if picture.data is None else f", {len(picture.data.rstrip('=')) * 3 // 4:,} bytes"
    return f"[{picture.kind}: {picture.media_type or 'of no type'}{size}]"
