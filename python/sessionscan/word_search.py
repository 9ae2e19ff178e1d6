"""The call that searches transcripts for words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, get_args

from sessionscan import engines
from sessionscan.hit_selection import Selection, names
from sessionscan.hits import Hits, Searched, listed, ranked
from sessionscan.options import Engine, Mmap, check_bool, check_positive, one_of
from sessionscan.patterns import literal, regular
from sessionscan.sources import locate
from sessionscan.time_window import window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyarrow.fs import FileSystem

    from sessionscan.sources import Sources
    from sessionscan.time_window import Moment

Match = Literal["all", "any"]


def search(
    words: Sequence[str] | str,
    sources: Sources | None = None,
    *,
    filesystem: FileSystem | None = None,
    regex: bool = False,
    case_sensitive: bool = False,
    match: Match = "all",
    since: Moment | None = None,
    until: Moment | None = None,
    tz: str | None = None,
    project: str | os.PathLike[str] | None = None,
    sessions: str | Iterable[str] | None = None,
    exclude_sessions: str | Iterable[str] | None = None,
    sidecars: bool = False,
    engine: Engine = "rust",
    threads: int | None = None,
    mmap: Mmap = "auto",
    on_progress: Callable[[int, int, int, int], None] | None = None,
) -> Hits:
    """Find the records in which a person could see words.

    Searched are messages, thinking, tools' input and results, queued words, attachments,
    last prompts, summaries, titles and the paths of tracked files; never keys, ids or
    signatures (SPEC section 7, ruling 85). There is no index: every file is read.

    Args:
        words: a word, or several, of which a record must hold each, in whatever texts of
            it. A word is any text, also a part of one; white space in it stands for any
            white space, so that a phrase is found across lines.
        sources: as in `scan`.
        filesystem: as in `scan`.
        regex: take the words as regular expressions, in the syntax that
            `sessionscan.patterns` describes.
        case_sensitive: tell letters of different case apart.
        match: "all" for records that hold each of the words, "any" for one of them.
        since: only records from this day or moment on (SPEC section 7): a date is a
            whole day of `tz`, a moment has an offset.
        until: only records up to this day or moment, included.
        tz: the time zone of dates; None is that of this machine.
        project: only records made in this folder or below it, by the `cwd` that they or
            else their file name; a bare name where only one folder has it.
        sessions: only these, each by its id or the beginning of it.
        exclude_sessions: all but these sessions, likewise.
        sidecars: search outputs in files of their own too: `tool-results` in the folders
            of the sessions. They have no time.
        engine: as in `scan`; the answers are equal.
        threads: as in `scan`.
        mmap: as in `scan`.
        on_progress: as in `scan`.

    Returns:
        What was found, with a ranking of the sessions, and what was searched. A record
        that stands in several files of a session is found once. Damaged lines are
        treated as by `scan`; those that are lost, though the words stand in them, are
        counted.

    Raises:
        FileNotFoundError, OSError: as `scan` does.
        ValueError: for an empty word, a pattern that is none or matches nothing at all,
            a span of time that is none, or the bare name of several projects.
        TypeError: for an argument of a wrong type.

    Example:
        >>> import sessionscan as ss
        >>> found = ss.search("kiln", "fixtures/corpus")
        >>> len(found) == found.hits.num_rows > 0
        True
        >>> found.sessions["n_matches"][0].as_py() > 0
        True
    """
    one_of("engine", engine, get_args(Engine))
    one_of("match", match, get_args(Match))
    one_of("mmap", mmap, get_args(Mmap))
    for name, flag in (
        ("regex", regex),
        ("case_sensitive", case_sensitive),
        ("sidecars", sidecars),
    ):
        check_bool(name, flag)
    check_positive("threads", threads)
    named = listed(words)
    made = regular if regex else literal
    terms = [made(word, folds=not case_sensitive) for word in named]
    selection = Selection(
        names(sessions, "sessions"),
        names(exclude_sessions, "exclude_sessions"),
        None if project is None else os.fspath(project),
        window(since, until, tz),
    )
    roots, store = locate(sources, filesystem)
    hits, counts = engines.search(
        engine,
        roots,
        terms,
        is_any_enough=match == "any",
        folds=not case_sensitive,
        sidecars=sidecars,
        threads=threads,
        mmap=mmap,
        on_progress=on_progress,
        store=store,
    )
    kept, *left_out = selection.of(hits)
    return Hits(named, kept, ranked(kept), Searched(*counts, *left_out))
