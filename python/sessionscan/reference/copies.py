"""Physical copies of a session: rule 9 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.diagnose import file_finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionscan.reference.facts import FileFacts

_LF = b"\n"


def copy_groups(files: Sequence[FileFacts], *, collapse: bool) -> list[list[FileFacts]]:
    """Mark the files that repeat another; give those that are judged together.

    Every file that is read is in exactly one of the groups, which are in the
    order of their first files.
    """
    readable = [facts for facts in files if facts.text.status != "unreadable"]
    if not collapse:
        return [[facts] for facts in readable]
    groups: dict[tuple[object, ...], list[FileFacts]] = {}
    for facts in readable:
        groups.setdefault(_key(facts), []).append(facts)
    return [_standing(group) for group in groups.values()]


def _key(facts: FileFacts) -> tuple[object, ...]:
    shape = facts.transcript.shape
    session = shape.session_id or facts.session_id
    if session is None:
        return (facts.file_id,)
    return facts.kind, session, facts.agent_id, shape.workflow_id


def _standing(group: list[FileFacts]) -> list[FileFacts]:
    """Point copies to what they repeat; give the files that repeat none."""
    standing = [facts for facts in group if not any(_repeats(facts, other) for other in group)]
    for facts in group:
        if facts not in standing:
            wholes = [each for each in standing if _is_prefix(facts.text.data, each.text.data)]
            facts.copy_of = max(wholes, key=lambda whole: len(whole.text.data)).file_id
    for facts in standing[1:]:
        facts.findings.append(file_finding("diverging_copy"))
    return standing


def _repeats(facts: FileFacts, other: FileFacts) -> bool:
    """Say whether a file is a true prefix of another, or equals an earlier one."""
    if facts.text.data == other.text.data:
        return other.file_id < facts.file_id
    return _is_prefix(facts.text.data, other.text.data)


def _is_prefix(part: bytes, whole: bytes) -> bool:
    if not whole.startswith(part):
        return False
    if not part or part.endswith(_LF):
        return True
    return len(part) == len(whole) or whole.startswith(_LF, len(part))
