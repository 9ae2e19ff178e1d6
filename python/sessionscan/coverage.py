"""What a scan covered: the statement that comes with every result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Coverage:
    """Files, bytes, records and what was lost or unknown (SPEC section 3, ruling 36).

    Attributes:
        files_found: rows of `files`.
        files_read: files with status ok or partial.
        files_partial: files that ended or broke while they were read.
        files_unreadable: files that could not be opened, or are no regular file.
        files_copied: files that repeat another and add no row.
        bytes: bytes of text that were scanned.
        records: records, replays included.
        lines_lost: lines that were skipped with an error.
        blank_lines: lines of white space.
        records_by_type: records by `type`; one without a type is "(none)".
        unknown_types: those of them that the schema does not list.
        unknown_blocks: content blocks whose type the schema does not list.
        skill_listings: records that list the skills there are.
        skill_listings_empty: those of them that list none.
        invoked_skills: records that list skills in use.
        invoked_skills_empty: those of them that list none.
        beside: what stands beside the transcripts: meta, tool_result, workflow,
            memory and script files (ruling 38).
    """

    files_found: int
    files_read: int
    files_partial: int
    files_unreadable: int
    files_copied: int
    bytes: int
    records: int
    lines_lost: int
    blank_lines: int
    records_by_type: Mapping[str, int]
    unknown_types: Mapping[str, int]
    unknown_blocks: Mapping[str, int]
    skill_listings: int
    skill_listings_empty: int
    invoked_skills: int
    invoked_skills_empty: int
    beside: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python, fit for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        """Say it on one line."""
        return (
            f"{counted(self.files_found, 'file')} found: {self.files_read:,} read, "
            f"{self.files_copied:,} copied, {self.files_partial:,} partial, "
            f"{self.files_unreadable:,} unreadable; {counted(self.bytes, 'byte')}, "
            f"{counted(self.records, 'record')}, {counted(self.lines_lost, 'line')} lost; "
            f"unknown types: {_names(self.unknown_types)}; "
            f"unknown blocks: {_names(self.unknown_blocks)}"
        )


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which takes an s.

    >>> counted(1, "file"), counted(2000, "file")
    ('1 file', '2,000 files')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _names(counts: Mapping[str, int]) -> str:
    """Name the most frequent; a name comes from a file and may hold anything."""
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{one_line(name)} ({count:,})" for name, count in most[:_NAMES_SHOWN]]
    if len(most) > _NAMES_SHOWN:
        shown.append(f"and {len(most) - _NAMES_SHOWN:,} more")
    return ", ".join(shown) or "none"


def one_line(text: str) -> str:
    r"""Return `text` with everything escaped that could break a line or drive a terminal.

    >>> one_line("red\x1b[31m\n")
    'red\\x1b[31m\\n'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
