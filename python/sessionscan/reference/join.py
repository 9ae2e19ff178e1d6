"""Facts of all files -> the rows of all tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionscan.reference import diagnose
from sessionscan.reference.agents import agent_rows
from sessionscan.reference.attachments import attachment_rows
from sessionscan.reference.census import census_rows
from sessionscan.reference.codex_forks import mark_forks
from sessionscan.reference.codex_usage import growths
from sessionscan.reference.compactions import compaction_rows
from sessionscan.reference.copies import copy_groups
from sessionscan.reference.coverage import coverage
from sessionscan.reference.endings import ending_rows
from sessionscan.reference.events import event_rows
from sessionscan.reference.file_history import file_history_rows
from sessionscan.reference.files import file_row
from sessionscan.reference.joined import Joined
from sessionscan.reference.journal import journal_rows
from sessionscan.reference.ledger import ledger_rows
from sessionscan.reference.links import add_ancestors, link_rows
from sessionscan.reference.notified import Notices, add_notified_status
from sessionscan.reference.pairing import pair
from sessionscan.reference.prompts import prompt_rows
from sessionscan.reference.record_rows import block_rows, record_row
from sessionscan.reference.replays import mark_replays
from sessionscan.reference.session_columns import add_counts, add_endings, add_titles
from sessionscan.reference.sessions import session_rows
from sessionscan.reference.sidecars import sidecar_rows
from sessionscan.reference.skills import skill_rows
from sessionscan.reference.titles import titles
from sessionscan.reference.tool_calls import tool_calls
from sessionscan.reference.usage import iteration_rows, responses
from sessionscan.reference.usage_copies import mark_usage_copies
from sessionscan.reference.workflows import workflow_rows
from sessionscan.schema import CENSUS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sessionscan.reference.codex_usage import Growth
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.side_file import SideFile
    from sessionscan.reference.usage import Response


@dataclass(slots=True)
class Corpus:
    """The rows of every table by its name, and the coverage."""

    rows: dict[str, list[Columns]]
    coverage: dict[str, Any]


def join(
    files: Sequence[FileFacts],
    beside: Sequence[SideFile],
    *,
    collapse: bool,
    tables: Collection[str],
) -> Corpus:
    """Join the facts of all files, which stand in the order of the table `files`.

    What looks at the disk is done for the tables that are asked for alone, as what
    it finds is reported with these.
    """
    for file_id, facts in enumerate(files):
        facts.file_id = file_id
        for record in facts.records:
            record.file_id = file_id
    groups = copy_groups(files, collapse=collapse)
    for group in groups:
        mark_replays(group)
    read = [facts for facts in files if facts.is_read]
    mark_forks(read)
    found = responses(read)
    mark_usage_copies(found)
    used: list[Response | Growth] = [*found, *growths(read)]
    usage = [each.row for each in sorted(used, key=lambda each: each.place)]
    calls = tool_calls(each for group in groups for each in pair(group))
    call_rows = [call.row for call in calls]
    joined = Joined(files, read, usage, calls, beside)
    rows = {
        "files": [file_row(facts) for facts in files],
        "records": [record_row(record) for facts in read for record in facts.records],
        "blocks": [row for facts in read for record in facts.records for row in block_rows(record)],
        "usage": usage,
        "usage_iterations": iteration_rows(found),
        "tool_calls": call_rows,
        "sessions": session_rows(read, usage, call_rows),
    }
    _add_said(rows, joined)
    _add_started(rows, joined, tables)
    _add_asked(rows, joined)
    _add_sought(rows, joined, tables)
    rows[CENSUS] = census_rows(read)
    # Last, as every step above may have found something to report.
    rows["diagnostics"] = [row for facts in files for row in _diagnostic_rows(facts)]
    return Corpus(rows, coverage(files, beside))


def _add_said(rows: dict[str, list[Columns]], joined: Joined) -> None:
    """Add the tables of what single records say."""
    rows["journal"] = journal_rows(joined.read)
    rows["compactions"] = compaction_rows(joined.read)
    rows["attachments"] = attachment_rows(joined.read)
    rows["events"] = event_rows(joined.read)
    rows["skills"] = skill_rows(joined)
    rows["ledger"] = ledger_rows(joined.read)


def _add_started(rows: dict[str, list[Columns]], joined: Joined, tables: Collection[str]) -> None:
    """Add what started what; `tool_calls` and `sessions` take part of it."""
    notices = Notices(joined.read)
    add_notified_status(rows["tool_calls"], notices, joined.files)
    agents, workflows = agent_rows(joined, notices), workflow_rows(joined)
    rows["agents"], rows["workflows"] = agents.rows, workflows.rows
    rows["links"] = link_rows(joined, rows["sessions"])
    add_ancestors(rows["sessions"], rows["links"])
    findings = agents.findings if {"agents", "sessions"} & set(tables) else []
    findings += workflows.findings if "workflows" in tables else []
    for file_id, finding in findings:
        joined.files[file_id].findings.append(finding)


def _add_asked(rows: dict[str, list[Columns]], joined: Joined) -> None:
    """Add what was asked and how it ended, and what `sessions` takes of it."""
    sessions = rows["sessions"]
    rows["prompts"] = prompt_rows(joined.read)
    rows["endings"] = ending_rows(joined, sessions)
    add_counts(sessions, rows)
    add_titles(sessions, titles(joined.read, rows["prompts"]))
    add_endings(sessions, rows["endings"])


def _add_sought(rows: dict[str, list[Columns]], joined: Joined, tables: Collection[str]) -> None:
    """Add the tables of what records name and the disk may hold."""
    if "sidecars" in tables:
        rows["sidecars"] = sidecar_rows(joined)
    if "file_history" in tables:
        projects = {row["session_id"]: row["project"] for row in rows["sessions"]}
        rows["file_history"] = file_history_rows(joined.read, projects)


def _diagnostic_rows(facts: FileFacts) -> Iterable[Columns]:
    """Give what is to be said of a file; of a copy only what concerns it as a whole."""
    for found in diagnose.rows(facts.findings):
        if facts.copy_of is not None and found.line:
            continue
        yield {
            "file_id": facts.file_id,
            "line": found.line,
            "byte_offset": found.span.offset if found.span else None,
            "byte_length": found.span.length if found.span else None,
            "severity": found.severity,
            "code": found.code,
            "message": found.message,
            "count": found.count,
        }
