"""Files beside the transcripts: what their paths say, and what is in them.

Rules 38 and 39 of the rulings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import Finding, file_finding
from sessionscan.reference.json_text import parse_whole
from sessionscan.reference.json_values import JsonStop, Obj
from sessionscan.reference.repair import BOM
from sessionscan.reference.storage import DISK, Storage
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from sessionscan.reference.envelope import Columns

MAX_BYTES = 16 << 20
"""What a file beside the transcripts may hold; a longer one is not read."""

_META_STRINGS = {
    "agent_type": "agentType",
    "description": "description",
    "model": "model",
    "tool_use_id": "toolUseId",
    "parent_agent_id": "parentAgentId",
    "worktree_branch": "worktreeBranch",
}
_META_BOOLEANS = {"is_fork": "isFork", "stopped_by_user": "stoppedByUser"}
_WORKFLOW_STRINGS = {
    "run_id": "runId",
    "name": "name",
    "workflow_name": "workflowName",
    "status": "status",
}


@dataclass(frozen=True, slots=True)
class SideFile:
    """A file beside the transcripts: its place, and what its path says.

    `kind` is a key of `beside` in coverage. `session_id` is the name of the
    folder that holds `subagents` (of a meta file) or `workflows` (of a workflow
    file); `stem` is the path up to the end that makes it a side file, which a
    transcript beside it has too.
    """

    kind: str
    raw_path: bytes
    path: str
    source: str
    stem: str
    session_id: str | None = None
    agent_id: str | None = None
    workflow_id: str | None = None
    storage: Storage = DISK

    @property
    def name(self) -> str:
        """Give the last name of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What was read of a side file: its columns, all None where it is damaged."""

    columns: Columns
    findings: list[Finding]


def read_meta(file: SideFile) -> SideFacts:
    """Read the meta file of an agent."""
    obj, findings = _read_object(file)
    reader = Reader()
    columns: Columns = {column: reader.string(obj, key) for column, key in _META_STRINGS.items()}
    columns["spawn_depth"] = reader.integer(obj, "spawnDepth")
    columns.update({column: reader.boolean(obj, key) for column, key in _META_BOOLEANS.items()})
    return SideFacts(columns, findings + _bad_values(reader))


def read_workflow(file: SideFile) -> SideFacts:
    """Read the definition of a workflow run."""
    obj, findings = _read_object(file)
    reader = Reader()
    columns: Columns = {
        column: reader.string(obj, key) for column, key in _WORKFLOW_STRINGS.items()
    }
    columns["total_tokens"] = reader.integer(obj, "totalTokens")
    return SideFacts(columns, findings + _bad_values(reader))


def _bad_values(reader: Reader) -> list[Finding]:
    if not reader.bad_values:
        return []
    return [file_finding("bad_value", count=reader.bad_values)]


def _read_object(file: SideFile) -> tuple[Obj, list[Finding]]:
    """Read the object that a file holds; of a damaged one, an empty object."""
    try:
        data = file.storage.first_bytes(file.raw_path, MAX_BYTES + 1)
        if len(data) <= MAX_BYTES:
            value = parse_whole(data.removeprefix(BOM).decode())
            if isinstance(value, Obj):
                return value, []
    except (OSError, UnicodeDecodeError, JsonStop):
        pass
    return Obj(""), [file_finding("damaged_side_file", name=file.name)]
