"""Journals, transcripts and definitions -> the rows of `workflows`: rule 42 of the rulings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.made_rows import FirstFiles, Made, Spotted, made
from sessionscan.reference.session_key import (
    SessionKey,
    key_of_row,
    session_column,
    session_key,
)
from sessionscan.reference.side_file import read_workflow
from sessionscan.reference.tool_result import ToolUseResult

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.joined import Joined
    from sessionscan.reference.side_file import SideFile
    from sessionscan.reference.tool_calls import ToolCall

    WorkflowKey = tuple[SessionKey, str]
    Spot = tuple[int, int, int, int]

_SEPARATORS = re.compile(r"[/\\]").split


@dataclass(slots=True, eq=False)
class _Parts:
    """What there is of one run, each list in the order of files."""

    session: SessionKey
    workflow_id: str
    journals: list[FileFacts] = field(default_factory=list)
    transcripts: list[FileFacts] = field(default_factory=list)
    definitions: list[SideFile] = field(default_factory=list)
    call: ToolCall | None = None

    @property
    def result(self) -> ToolUseResult:
        """Give what the call's result says of the run."""
        found = None if self.call is None else self.call.pair.result
        return ToolUseResult("absent") if found is None else found.record.tool_use_result


def workflow_rows(joined: Joined) -> Made:
    """Give a row for every run that has a place."""
    read = {file: read_workflow(file) for file in joined.beside if file.kind == "workflow"}
    first_files = FirstFiles(joined.files)
    spotted: list[Spotted] = []
    homes: dict[SideFile, int] = {}
    for parts in _runs(joined).values():
        spot = _spot(parts, first_files)
        if spot is None:
            continue
        definition = read[parts.definitions[0]].columns if parts.definitions else {}
        row = _row(parts, definition)
        # Place in the line and block are no part of this table's order.
        order = (*spot, 0, 0, parts.workflow_id, row["session_id"] or "")
        spotted.append(Spotted(order, row))
        homes |= dict.fromkeys(parts.definitions, spot[0])
    return made(spotted, read, homes)


def _runs(joined: Joined) -> dict[WorkflowKey, _Parts]:
    runs: dict[WorkflowKey, _Parts] = {}

    def run(session: SessionKey, workflow_id: str) -> _Parts:
        return runs.setdefault((session, workflow_id), _Parts(session, workflow_id))

    for facts in joined.read:
        workflow_id = facts.transcript.shape.workflow_id
        session = facts.transcript.shape.session_id or session_key(None, facts)
        if workflow_id and facts.kind == "journal":
            run(session, workflow_id).journals.append(facts)
        elif workflow_id and facts.kind == "workflow_agent":
            run(session, workflow_id).transcripts.append(facts)
    for number, file in enumerate(joined.beside, start=1):
        if file.kind == "workflow" and file.workflow_id:
            run(file.session_id or -number, file.workflow_id).definitions.append(file)
    _add_calls(joined, runs)
    return runs


def _add_calls(joined: Joined, runs: dict[WorkflowKey, _Parts]) -> None:
    """Give each run the last call whose result names it."""
    for call in joined.calls:
        if call.pair.result is None:
            continue
        result = call.pair.result.record.tool_use_result
        folder = _SEPARATORS((result.transcript_dir or "").rstrip("/\\"))[-1]
        for name in (folder, result.run_id or ""):
            run = runs.get((key_of_row(call.row, joined.files), name))
            if run is not None:
                run.call = call


def _spot(parts: _Parts, first_files: FirstFiles) -> tuple[int, int] | None:
    """Give file and line of a row; None where there is no place."""
    for facts in (*parts.journals[:1], *parts.transcripts[:1]):
        return facts.file_id, facts.counted[0].line if facts.counted else 0
    if parts.call is not None:
        return parts.call.row["file_id"], parts.call.row["line"]
    file_id = first_files.place(parts.session, parts.definitions)
    return None if file_id is None else (file_id, 0)


def _row(parts: _Parts, definition: Columns) -> Columns:
    types = [record.columns["type"] for facts in parts.journals for record in facts.counted]
    return {
        "session_id": session_column(parts.session),
        "workflow_id": parts.workflow_id,
        "run_id": _first(definition.get("run_id"), parts.result.run_id),
        "name": _first(
            definition.get("name"), definition.get("workflow_name"), parts.result.workflow_name
        ),
        "status": _first(definition.get("status"), parts.result.status),
        "n_started": types.count("started"),
        "n_results": types.count("result"),
        "n_transcripts": len(parts.transcripts),
        "has_journal": bool(parts.journals),
        "has_definition": bool(parts.definitions),
        "reported_total_tokens": definition.get("total_tokens"),
    }


def _first(*values: str | None) -> str | None:
    return next((value for value in values if value is not None), None)
