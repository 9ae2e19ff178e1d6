"""What a file comes down to: the facts that the join needs of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sessionscan.reference.census import Item
    from sessionscan.reference.codex_records import Rollout
    from sessionscan.reference.content import Block
    from sessionscan.reference.diagnose import Finding, Span
    from sessionscan.reference.discover import Transcript
    from sessionscan.reference.envelope import Columns, Message
    from sessionscan.reference.further import Further
    from sessionscan.reference.map import Text
    from sessionscan.reference.tool_result import ToolUseResult


class Place(NamedTuple):
    """Where a record stands: file, line and place in the line, in this order."""

    file_id: int
    line: int
    part: int


@dataclass(slots=True, eq=False)
class Carrier:
    """A record that carries the usage of a response: one copy of it."""

    columns: Columns
    message: Message
    source: str
    is_forked: bool


@dataclass(slots=True, eq=False)
class Record:
    """A record: its columns, and what the joins need beside them."""

    line: int
    index: int
    span: Span
    columns: Columns
    message: Message
    blocks: list[Block]
    n_blocks: int | None
    payload: bytes | None
    is_forked: bool
    tool_use_result: ToolUseResult
    has_structured_content: bool | None
    carrier: Carrier | None
    inline: Carrier | None
    further: Further
    rollout: Rollout | None
    file_id: int = -1
    is_replay: bool = False
    census: list[Item] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Give where it stands among all records."""
        return Place(self.file_id, self.line, self.index)

    @property
    def session_id(self) -> str | None:
        """Give its session id; an empty one is none."""
        return self.columns["session_id"] or None


@dataclass(slots=True, eq=False)
class FileFacts:
    """A file: its records in order, its findings, and what its lines were."""

    transcript: Transcript
    text: Text
    records: list[Record] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    blank_lines: int = 0
    lost_lines: int = 0
    file_id: int = -1
    kind: str = "other"
    session_id: str | None = None
    agent_id: str | None = None
    copy_of: int | None = None

    @property
    def is_read(self) -> bool:
        """Say whether its records count: it is neither a copy nor unreadable."""
        return self.text.status != "unreadable" and self.copy_of is None

    @property
    def counted(self) -> list[Record]:
        """Give the records that are no replays."""
        return [record for record in self.records if not record.is_replay]

    def session_of(self, record: Record) -> str | None:
        """Give the session of a record of this file: its own, else the file's (rule 37)."""
        return record.session_id or self.session_id
