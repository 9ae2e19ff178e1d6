"""What the files come down to together: the facts that further tables are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.side_file import SideFile
    from sessionscan.reference.tool_calls import ToolCall


@dataclass(frozen=True, slots=True)
class Joined:
    """All files in the order of `files`, those that are read, and what was joined of them.

    `usage`, which are rows, and `calls` stand in the order of their tables, copies marked.
    `beside` are the files noted beside the transcripts, by source and path.
    """

    files: Sequence[FileFacts]
    read: Sequence[FileFacts]
    usage: Sequence[Columns]
    calls: Sequence[ToolCall]
    beside: Sequence[SideFile]
