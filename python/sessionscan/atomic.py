"""Files that appear whole or not at all."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a file to write, which takes the place of `path` when the block ends well.

    A link is followed, so that its target is replaced and not the link. A device or
    a pipe is written to as it is: a rename would put a file in its place.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as file:
            yield file
        return
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") as file:
            yield file
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
