"""Getting files back from what a session kept of them: SPEC section 7."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, get_args

import pyarrow.compute as pc

from sessionscan import api, findings, one_session
from sessionscan.errors import RecoverError, StrictError
from sessionscan.options import Engine, check_bool, one_of
from sessionscan.recovery import backups, evidence, output_folder, report
from sessionscan.recovery.choice import choices
from sessionscan.recovery.original_path import identity
from sessionscan.recovery.output_folder import Planned
from sessionscan.recovery.plan import plan
from sessionscan.recovery.session import of_session
from sessionscan.sources import on_disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa

    from sessionscan.corpus import Corpus
    from sessionscan.recovery.choice import Choice
    from sessionscan.recovery.plan import Recovered
    from sessionscan.sources import Sources

__all__ = ["recover"]


def recover(
    session: str | os.PathLike[str],
    sources: Sources | None = None,
    write: str | os.PathLike[str] | None = None,
    *,
    paths: Iterable[str] | str | None = None,
    engine: Engine = "rust",
    threads: int | None = None,
    strict: bool = False,
    on_progress: Callable[[int, int, int, int], None] | None = None,
) -> pa.Table:
    """Recover the files that a session changed, from its backups and its Write calls.

    Of each file that a `file-history-snapshot` or `-delta` of the session tracks, the
    highest version (then the latest backupTime, then snapshot time) is taken byte for
    byte from `file-history/<session>/` of whichever home holds it: every copy of the
    session and every root is looked at. A later tombstone, which says that the file was
    gone, does not hide the backup; `deleted_later` tells of it. A file without any
    backup is taken from the newest Write that is not known to have failed: that is the
    text of one call, of lower fidelity (SPEC section 7, seed 003, rulings 75 to 77).

    A backup is what a file held before a change, so the last change may not be in it:
    `n_later_calls` counts calls that changed the file after that moment.

    Args:
        session: its id, the beginning of one, or the path of one of its transcripts.
        sources: as in `scan`, on disk; None discovers the homes of this machine. Where
            `session` is a path, None is that file and its home.
        write: a folder to write to; None writes nothing and only says what would be.
            Below it stands the whole original path of each file.
        paths: only these original paths, and what is below them; None is all.
        engine: as in `scan`.
        threads: as in `scan`.
        strict: raise for the first line of the session's files that was lost: it may
            have held a later state.
        on_progress: as in `scan`.

    Returns:
        A row per file, in order of the paths: path (the original), target (below the
        folder), origin ("backup", "write", or null: nothing holds it), fidelity
        ("exact" or "lower"), source (the backup's path, or transcript:line),
        transcript and line (what named it), version, moment (UTC), size_bytes, sha256,
        n_copies (homes that hold the same bytes), deleted_later (null where times do
        not tell), tombstone_version, tombstone_time, n_later_calls, written, and
        problem: null, or why it cannot be recovered. The schema's metadata name the
        session_id, how many transcripts it has, and how many of their lines were lost.

    Raises:
        RecoverError: with `write`, where any file has a problem: a backup that is
            missing, unreadable or in conflict with another of its name, a path that
            leads out of the folder, a place that is taken. Nothing is written then.
        ValueError: for a session that is not there, several of that beginning, a Codex
            rollout, which keeps no files, or sources that are not on disk.
        FileNotFoundError, TypeError: as `scan` does.
        StrictError: with `strict`.
        OSError: where the folder cannot be written to.

    Example:
        >>> import sessionscan as ss
        >>> report = ss.recover("9e71e10d", "fixtures/claude/file_history_backups")
        >>> for row in report.to_pylist():
        ...     print(row["target"], row["origin"], row["size_bytes"], row["deleted_later"])
        home/iva/tide-table/heights.py backup 21 False
        home/iva/tide-table/notes/today.md None None True
        srv/stations/stations.csv backup None False
        >>> report["problem"][2].as_py()[:40]
        "the backup '77aa01bc93de5f20@v1' is miss"
    """
    one_of("engine", engine, get_args(Engine))
    check_bool("strict", strict)
    folder = None if write is None else os.fspath(write)
    session, sources = one_session.and_sources(session, sources, engine)
    roots = on_disk(sources, "recover")
    corpus = api.scan(
        sources,
        tables=evidence.TABLES,
        engine=engine,
        threads=threads,
        on_progress=on_progress,
    )
    session = of_session(corpus, session)
    own = evidence.transcripts_of(corpus, session)
    if strict:
        _check_lines(corpus, own)
    calls = evidence.calls_of(corpus, session, own, roots, engine)
    chosen = _only(choices(evidence.entries_of(corpus, session), calls), paths)
    homes = backups.homes(roots, map(str, corpus.files["path"]))
    files = plan(chosen, homes, session, folder)
    if folder is not None:
        _write(folder, files)
    said = {"session_id": session, **_covered(corpus, own)}
    return report.table(files, said, written=folder is not None)


def _covered(corpus: Corpus, own: set[int]) -> dict[str, str]:
    lost = corpus.files["malformed_lines"].take(sorted(own))
    return {"transcripts": str(len(own)), "lines_lost": str(pc.sum(lost).as_py() or 0)}


def _check_lines(corpus: Corpus, own: set[int]) -> None:
    paths = set(corpus.files["path"].take(sorted(own)).to_pylist())
    for finding in findings.errors(corpus.files, corpus.diagnostics):
        if finding.path in paths:
            raise StrictError(*finding)


def _only(found: list[Choice], paths: Iterable[str] | str | None) -> list[Choice]:
    """Keep the files that `paths` name, themselves or by a folder above them.

    Raises:
        ValueError: for a path that names none.
    """
    if paths is None:
        return found
    kept = set()
    for path in [paths] if isinstance(paths, str) else paths:
        asked = identity(path.rstrip("/") or path)
        under = {n for n, c in enumerate(found) if identity(c.path)[: len(asked)] == asked}
        if not under:
            raise ValueError(f"the session has no file {path!r}, and none below it, to recover")
        kept |= under
    return [choice for number, choice in enumerate(found) if number in kept]


def _write(folder: str, files: Sequence[Recovered]) -> None:
    problems = [(file.choice.path, file.problem) for file in files if file.problem is not None]
    if problems:
        raise RecoverError(problems)
    planned = [
        Planned(file.steps, file.pieces, file.sha256) for file in files if file.sha256 is not None
    ]
    if planned:
        output_folder.write(folder, planned)
