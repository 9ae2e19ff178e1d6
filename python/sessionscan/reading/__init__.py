"""One session, as a page that people read: SPEC section 7."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from sessionscan import api, one_session
from sessionscan.errors import UnclearSessionError
from sessionscan.options import Engine, check_bool, one_of
from sessionscan.reading.html_page import html_page
from sessionscan.reading.loading import check_one_session, load
from sessionscan.reading.markdown import markdown
from sessionscan.reading.nesting import session_story
from sessionscan.sources import on_disk
from sessionscan.usage_by import check_tz

if TYPE_CHECKING:
    from sessionscan.corpus import Corpus
    from sessionscan.sources import Sources

__all__ = ["Page", "read_session"]

Page = Literal["markdown", "html"]

_NOT_MAIN = frozenset({"subagent", "workflow_agent", "flat_agent", "journal"})
_PAGES = {"markdown": markdown, "html": html_page}


def read_session(
    session: str | os.PathLike[str],
    sources: Sources | None = None,
    *,
    page: Page = "markdown",
    images: bool = False,
    strict: bool = True,
    tz: str = "UTC",
    engine: Engine = "rust",
    threads: int | None = None,
) -> str:
    """Return a session as one readable page.

    Turns stand in the order of the file; calls of tools are folded, with their input and
    result; a subagent stands in the call that started it. Records that repeat earlier
    ones are left out, and what says nothing to a reader is counted at the end.

    A transcript is hostile input. In Markdown every text of it stands in a fence longer
    than any in the text; in HTML everything is escaped, and a policy forbids scripts and
    everything that is fetched. Characters that drive a terminal or reorder text are
    shown as escapes.

    Args:
        session: an id, the beginning of one, or the path of a transcript, which is then
            the one that is read.
        sources: as in `scan`, on disk; None discovers the homes of this machine, and is
            for a path the home that holds it.
        page: "markdown" or "html", one page that needs nothing from elsewhere.
        images: put PNG, JPEG, GIF and WebP images into the page; else, and for what is
            not what it says, a placeholder tells type and size.
        strict: stop where something is lost or unclear; False shows what there is, and
            says what is not.
        tz: the time zone of the moments shown.
        engine: what finds the files; the page is the same.
        threads: as in `scan`.

    Returns:
        The page.

    Raises:
        StrictError: with `strict`, for the first line that is lost, with its place.
        UnclearSessionError: where copies of the session diverge, or with `strict` where
            a record is of another session; it names the place.
        ValueError: for a session that is not there, several of that beginning, or sources
            that are not on disk.
        FileNotFoundError, TypeError: as `scan` does.

    Example:
        >>> import sessionscan as ss
        >>> page = ss.read_session("168e", "fixtures/corpus")
        >>> page.splitlines()[0]
        '# Session'
        >>> "<script" in ss.read_session("168e", "fixtures/corpus", page="html")
        False
    """
    one_of("page", page, get_args(Page))
    one_of("engine", engine, get_args(Engine))
    check_bool("images", images)
    check_bool("strict", strict)
    check_tz(tz)
    named, sources = one_session.and_sources(session, sources, engine)
    on_disk(sources, "read_session")
    corpus = api.scan(sources, tables=["agents"], text=True, engine=engine, threads=threads)
    session_id = _find(corpus, named)
    files = corpus.files.to_pylist()
    main = load(_main(files, session_id, session), strict=strict)
    if strict:
        check_one_session(main)
    agents = [row for row in corpus.agents.to_pylist() if row["session_id"] == session_id]
    story = session_story(main, agents, [file["path"] for file in files], strict=strict)
    return _PAGES[page](story, images=images, tz=tz)


def _find(corpus: Corpus, named: str) -> str:
    ids = set(corpus.agents["session_id"].to_pylist())
    for file in corpus.files.to_pylist():
        ids |= _ids(file)
    return one_session.find(named, ids)


def _ids(file: dict[str, Any]) -> set[str | None]:
    """Return the sessions that a file may be called by."""
    return {file["session_id"], file["stem_session_id"]}


def _main(files: list[dict[str, Any]], session_id: str, session: str | os.PathLike[str]) -> str:
    """Return the path of the session's own transcript."""
    found = [
        file
        for file in files
        if session_id in _ids(file)
        and file["kind"] not in _NOT_MAIN
        and file["status"] in {"ok", "partial"}
    ]
    same = [file for file in found if _is_same(file["path"], os.fspath(session))]
    if not found:
        raise ValueError(f"{session_id}: only parts of this session were found, no transcript")
    if len(found) > 1 and not same:
        others = ", ".join(file["path"] for file in found[1:])
        reason = (
            f"the copies of session {session_id} differ from one another: also {others}; name "
            "the one to read by its path"
        )
        raise UnclearSessionError(found[0]["path"], 0, None, reason)
    return str((same or found)[0]["path"])


def _is_same(path: str, named: str) -> bool:
    try:
        return Path(path).samefile(named)
    except (OSError, ValueError):
        return False
