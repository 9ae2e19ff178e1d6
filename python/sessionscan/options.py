"""What a scan is asked to do, checked before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from sessionscan.schema import ALL_TABLE_NAMES, CORE, TABLE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    from sessionscan.remote import Store

Engine = Literal["rust", "python"]
Mmap = Literal["auto", "always", "never"]
Copies = Literal["collapse", "keep"]
Scope = Literal["corpus", "session"]

_TOO_MANY = 2**63


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """The options of a scan, as both engines take them.

    `sizes` maps a path, as `files.path` shows it, to a length: when it is given,
    only these files are read, and only up to that length, so that a further
    table can be computed later over the same bytes.

    `on_progress` is called with files_done, files_total, bytes_done, bytes_total.

    `cache` is the folder of the index, which only the Rust engine has, and only for
    roots on disk.

    `store` is where the roots are; None is the disk of this machine.

    `executor` has the workers that fold; None has the threads of this process do it.
    """

    tables: tuple[str, ...]
    text: bool = False
    threads: int | None = None
    mmap: Mmap = "auto"
    copies: Copies = "collapse"
    max_line_bytes: int | None = None
    sizes: Mapping[str, int] | None = None
    on_progress: Callable[[int, int, int, int], None] | None = None
    cache: str | None = None
    store: Store | None = None
    executor: Executor | None = None

    def __post_init__(self) -> None:
        """Refuse what no engine could obey, naming what is allowed."""
        for table in self.tables:
            one_of("table", table, ALL_TABLE_NAMES)
        check_bool("text", self.text)
        check_positive("threads", self.threads)
        one_of("mmap", self.mmap, get_args(Mmap))
        one_of("copies", self.copies, get_args(Copies))
        check_positive("max_line_bytes", self.max_line_bytes)
        if self.on_progress is not None and not callable(self.on_progress):
            raise TypeError("on_progress must be callable or None")


def table_names(tables: Iterable[str] | str | None) -> tuple[str, ...]:
    """Return the names that `tables` stands for, in the order of the schema.

    None is the core set, and "all" is every table but `census`, which is made only
    where it is named; a repeated name counts once.

    Raises:
        ValueError: for a name that is no table.
        TypeError: for anything that is not a collection of names.

    >>> table_names(["usage", "files", "usage"])
    ('files', 'usage')
    """
    if tables is None:
        return CORE
    if isinstance(tables, str):
        if tables == "all":
            return TABLE_NAMES
        raise ValueError(f'tables must be None, "all" or a list of names, not {tables!r}')
    try:
        asked = [one_of("table", name, ALL_TABLE_NAMES) for name in tables]
    except TypeError as error:
        raise TypeError(f'tables must be None, "all" or a list of names: {error}') from None
    return tuple(name for name in ALL_TABLE_NAMES if name in asked)


def one_of(what: str, value: object, allowed: Iterable[str]) -> str:
    """Return `value` where it is one of `allowed`; otherwise say what is.

    Raises:
        TypeError: where `value` is no string.
        ValueError: where it is another string.
    """
    choices = tuple(allowed)
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {type(value).__name__}")
    if value not in choices:
        raise ValueError(f"unknown {what} {value!r}; allowed are {', '.join(choices)}")
    return value


def check_bool(name: str, value: object) -> None:
    """Refuse what is not True or False: a truthy string is a mistake."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")


def check_positive(name: str, value: object) -> None:
    """Refuse what is neither None nor a number from 1 that both engines can hold."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer or None, not {type(value).__name__}")
    if not 1 <= value < _TOO_MANY:
        raise ValueError(f"{name} must be 1 or more and below 2^63, not {value}")
