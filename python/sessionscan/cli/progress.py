"""A scan's progress on standard error: tqdm's bar, or a counter on one line."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAUSE = 0.1


class _Display(Protocol):
    def show(self, files_done: int, files_total: int, bytes_done: int, bytes_total: int) -> None:
        """Show how far the scan is."""

    def close(self) -> None:
        """Clear the line."""


@contextmanager
def shown() -> Iterator[Callable[[int, int, int, int], None] | None]:
    """Give what `on_progress` takes, or None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    display = _display()
    try:
        yield display.show
    finally:
        display.close()


def _display() -> _Display:
    try:
        from tqdm import tqdm  # noqa: PLC0415
    except ImportError:
        return _Counter()
    return _Bar(tqdm)


class _Bar:
    """The bar of tqdm, in bytes; it appears once there is something to show."""

    def __init__(self, tqdm: Any) -> None:  # noqa: ANN401 (tqdm is an extra)
        self._tqdm = tqdm
        self._bar: Any = None

    def show(self, files_done: int, files_total: int, bytes_done: int, bytes_total: int) -> None:
        said = f"{files_done:,} of {files_total:,} files"
        if self._bar is None:
            options = {"unit": "B", "unit_scale": True, "leave": False, "file": sys.stderr}
            self._bar = self._tqdm(total=bytes_total, desc=said, **options)
        self._bar.set_description(said, refresh=False)
        self._bar.update(bytes_done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Counter:
    """One line, written over again."""

    def __init__(self) -> None:
        self._next = 0.0

    def show(self, files_done: int, files_total: int, bytes_done: int, bytes_total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        percent = 100 * bytes_done // bytes_total if bytes_total else 100
        sys.stderr.write(f"\r{files_done:,} of {files_total:,} files, {percent}%\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
