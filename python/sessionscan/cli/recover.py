"""The command `recover`: files that a session changed, from what it kept of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.cli import output, progress
from sessionscan.cli.parsers import add_command, add_engine, add_output
from sessionscan.cli.rows import check_columns, emit_rows
from sessionscan.cli.selection import add_home, take_homes
from sessionscan.coverage import one_line
from sessionscan.errors import RecoverError
from sessionscan.recovery import recover
from sessionscan.recovery.report import SCHEMA
from sessionscan.usage_by import check_tz

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

_SHOWN = ("target", "origin", "version", "moment", "size_bytes", "state")
FOUND = 1


def add(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser."""
    command = add_command(
        commands,
        "recover",
        "files that a session changed, from its backups; without --write only says what would be",
    )
    command.add_argument(
        "session", metavar="SESSION", help="a session's id, its beginning, or its transcript"
    )
    command.add_argument("sources", metavar="SOURCE", nargs="*", help="where to look for it")
    command.add_argument("--write", metavar="DIR", help="write them below DIR, over nothing")
    command.add_argument(
        "--path",
        metavar="PATH",
        action="append",
        help="only this original path, or what is below it; may stand several times",
    )
    add_output(command, scope=False)
    add_home(add_engine(command))


def run(arguments: argparse.Namespace) -> int:
    """Recover, or say what would be; return 1 where a file cannot be recovered."""
    arguments.tz = arguments.tz or "UTC"
    check_tz(arguments.tz)
    check_columns(arguments, SCHEMA.names)
    output.check(arguments)
    take_homes(arguments)
    try:
        report = _recover(arguments)
    except RecoverError as error:
        print(f"sessionscan: error: {error.SAID}", file=sys.stderr)
        return _name(error.problems)
    print(_covered(report), file=sys.stderr)
    emit_rows(report, arguments, shown=_shown(report), caption=_caption(report, arguments.write))
    problems = report.filter(pc.is_valid(report["problem"]))
    return _name(zip(*(map(str, problems[name]) for name in ("path", "problem")), strict=True))


def _recover(arguments: argparse.Namespace) -> pa.Table:
    with progress.shown() as on_progress:
        return recover(
            arguments.session,
            arguments.sources or None,
            arguments.write,
            paths=arguments.path,
            engine=arguments.engine,
            threads=arguments.threads,
            strict=arguments.strict,
            on_progress=on_progress,
        )


def _name(problems: Iterable[tuple[str, str]]) -> int:
    status = 0
    for path, problem in problems:
        print(one_line(f"{path}: {problem}"), file=sys.stderr)
        status = FOUND
    return status


def _covered(report: pa.Table) -> str:
    said = {key.decode(): value.decode() for key, value in report.schema.metadata.items()}
    return one_line(
        f"session {said['session_id']}: transcripts {said['transcripts']}, "
        f"lines lost {said['lines_lost']}"
    )


def _caption(report: pa.Table, folder: str | None) -> str:
    held = report.filter(pc.is_valid(report["sha256"]))
    said = f"{held.num_rows:,} files, {pc.sum(held['size_bytes']).as_py() or 0:,} bytes"
    if folder is not None:
        return f"written below {one_line(folder)}: {said}\n"
    return f"would be written: {said}; --write DIR does it\n"


def _shown(report: pa.Table) -> pa.Table:
    """Return what fits a screen, with what is to be known of each file in words."""
    states = [_state(row) for row in report.to_pylist()]
    targets = pc.coalesce(report["target"], report["path"])
    shown = report.set_column(1, "target", targets)
    return shown.append_column("state", pa.array(states, pa.string())).select(_SHOWN)


def _state(row: dict[str, Any]) -> str:
    if row["problem"] is not None:
        return "cannot be recovered"
    said = [] if row["origin"] else ["nothing was kept"]
    if row["fidelity"] == "lower":
        said.append("text of a Write, not a backup")
    if row["deleted_later"]:
        said.append("deleted later")
    if row["n_later_calls"]:
        said.append(f"{row['n_later_calls']:,} later changes")
    return "; ".join(said) or "exact"
