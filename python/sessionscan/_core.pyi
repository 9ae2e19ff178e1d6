# The Rust engine, as the package calls it; see sessionscan.engines.

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, final

from sessionscan.remote import Store

__all__ = ["Stream", "__version__", "build_profile", "reader", "scan"]

__version__: Final[str]

@final
class Stream:
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

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
    store: Store | None = None,
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
) -> Stream: ...
def build_profile() -> Literal["release", "debug"]: ...
