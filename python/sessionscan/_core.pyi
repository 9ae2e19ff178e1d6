# The Rust engine, as the package calls it; see sessionscan.engines.

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, final

from sessionscan.executors import Workers
from sessionscan.remote import Store
from sessionscan.tasks import Unit

__all__ = [
    "Gathered",
    "Plan",
    "Segments",
    "Stream",
    "__version__",
    "build_profile",
    "fold",
    "machines",
    "plan",
    "reader",
    "scan",
    "search",
    "segments",
]

__version__: Final[str]

@final
class Stream:
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Segments:
    def advance(
        self, *, on_progress: Callable[[int, int, int, int], None] | None
    ) -> list[tuple[str, Stream]] | None: ...
    def coverage(self) -> dict[str, Any]: ...

@final
class Plan:
    def tasks(self) -> list[list[Unit]]: ...
    def gather(self) -> Gathered: ...

@final
class Gathered:
    def add(self, facts: bytes) -> None: ...
    def join(self) -> tuple[dict[str, Stream], dict[str, Any]]: ...

def scan(
    roots: Sequence[tuple[str, str]],
    *,
    tables: Sequence[str],
    text: bool,
    threads: int | None,
    mmap: str,
    copies: str,
    max_line_bytes: int | None,
    sizes: Mapping[str, int] | None,
    on_progress: Callable[[int, int, int, int], None] | None,
    chunk_bytes: int | None = None,
    cache: str | PathLike[str] | None = None,
    settle_ms: int | None = None,
    machine: str | None = None,
    store: Store | None = None,
    workers: Workers | None = None,
    task_bytes: int | None = None,
) -> tuple[dict[str, Stream], dict[str, Any]]: ...
def reader(
    roots: Sequence[tuple[str, str]],
    table: str,
    *,
    batch_rows: int,
    threads: int | None,
    mmap: str,
    copies: str,
    max_line_bytes: int | None,
    text: bool,
    store: Store | None = None,
    workers: Workers | None = None,
    task_bytes: int | None = None,
    segment_bytes: int | None = None,
) -> Stream: ...
def machines() -> list[str]: ...
def search(
    roots: Sequence[tuple[str, str]],
    *,
    terms: Sequence[tuple[str, Sequence[str], bool]],
    is_any_enough: bool,
    folds: bool,
    sidecars: bool,
    threads: int | None,
    mmap: str,
    on_progress: Callable[[int, int, int, int], None] | None,
    chunk_bytes: int | None = None,
    store: Store | None = None,
) -> tuple[Stream, dict[str, int]]: ...
def segments(
    roots: Sequence[tuple[str, str]],
    *,
    tables: Sequence[str],
    text: bool,
    threads: int | None,
    mmap: str,
    copies: str,
    max_line_bytes: int | None,
    on_progress: Callable[[int, int, int, int], None] | None,
    segment_bytes: int | None = None,
    store: Store | None = None,
    workers: Workers | None = None,
    task_bytes: int | None = None,
) -> Segments: ...
def plan(
    roots: Sequence[tuple[str, str]],
    *,
    name: str,
    task_bytes: int,
    tables: Sequence[str],
    text: bool,
    threads: int | None,
    mmap: str,
    copies: str,
    max_line_bytes: int | None,
    chunk_bytes: int | None = None,
    store: Store | None = None,
) -> Plan: ...
def fold(
    plan: str,
    number: int,
    units: Sequence[Unit],
    *,
    tables: Sequence[str],
    text: bool,
    threads: int | None,
    mmap: str,
    max_line_bytes: int | None,
    store: Store | None = None,
) -> bytes: ...
def build_profile() -> Literal["release", "debug"]: ...
