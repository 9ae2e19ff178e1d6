"""What a scan covered: rule 36 of the rulings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sessionscan.reference.attachments import INVOKED_SKILLS, SKILL_LISTING
from sessionscan.reference.beside import KINDS
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.side_file import SideFile

NO_TYPE = "(none)"


def coverage(files: Sequence[FileFacts], beside: Sequence[SideFile]) -> dict[str, Any]:
    """Count files by status, lines, records and names of those that are read, and the rest."""
    read = [facts for facts in files if facts.is_read]
    records = [record for facts in read for record in facts.records]
    types = Counter(_name(record.columns["type"]) for record in records)
    blocks = Counter(block.type for record in records for block in record.blocks)
    known_types = {NO_TYPE, *VOCABULARIES["known_record_types"]}
    known_blocks = {None, *VOCABULARIES["known_block_types"]}
    return {
        "files_found": len(files),
        "files_read": len(read),
        "files_partial": sum(facts.text.status == "partial" for facts in read),
        "files_unreadable": sum(facts.text.status == "unreadable" for facts in files),
        "files_copied": sum(facts.copy_of is not None for facts in files),
        "bytes": sum(len(facts.text.data) for facts in read),
        "records": len(records),
        "lines_lost": sum(facts.lost_lines for facts in read),
        "blank_lines": sum(facts.blank_lines for facts in read),
        "records_by_type": _by_name(types),
        "unknown_types": _by_name({n: c for n, c in types.items() if n not in known_types}),
        "unknown_blocks": _by_name(
            {n: c for n, c in blocks.items() if n is not None and n not in known_blocks}
        ),
        **_skill_lists("skill_listings", SKILL_LISTING, records),
        **_skill_lists("invoked_skills", INVOKED_SKILLS, records),
        "beside": {kind: sum(file.kind == kind for file in beside) for kind in KINDS},
    }


def _skill_lists(name: str, kind: str, records: Sequence[Record]) -> dict[str, int]:
    """Count the attachments of a type that hold a list of skills, and those that list none."""
    lengths = [
        attachment.skills_count
        for record in records
        if (attachment := record.further.attachment) is not None
        and attachment.type == kind
        and attachment.skills_count is not None
    ]
    return {name: len(lengths), f"{name}_empty": lengths.count(0)}


def _name(record_type: str | None) -> str:
    return NO_TYPE if record_type is None else record_type


def _by_name(counts: dict[str, int]) -> dict[str, int]:
    """Sort by the bytes of the names."""
    return {name: counts[name] for name in sorted(counts, key=str.encode)}
