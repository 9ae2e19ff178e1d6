"""Attachments: their keys (rule 39), and the rows of `attachments` (rule 49)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.content import joined_text, texts
from sessionscan.reference.json_values import Obj

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts
    from sessionscan.reference.values import Reader

SKILL_LISTING = "skill_listing"
INVOKED_SKILLS = "invoked_skills"

_STRINGS = {
    "hook_name": "hookName",
    "hook_event": "hookEvent",
    "tool_use_id": "toolUseID",
    "command_mode": "commandMode",
}
_INTEGERS = {"hook_exit_code": "exitCode", "hook_duration_ms": "durationMs"}
_KEYS = frozenset({"type", *_STRINGS.values(), *_INTEGERS.values(), "origin", "names"})
_KEYS_OF_TYPE = {
    INVOKED_SKILLS: "skills",
    "queued_command": "prompt",
    "hook_additional_context": "content",
}


class NamedSkill(NamedTuple):
    """An entry of a list of skills: its place in the list, and its name."""

    place: int
    name: str | None


@dataclass(slots=True)
class Attachment:
    """What is kept of an attachment that is an object.

    `columns` has the columns of its table that its own strings and integers fill.
    `prompt` is the text of a queued command, `contexts` are those of a hook.
    `skills_count` is the length of the array that lists skills, whatever its
    entries are; None where the attachment has none.
    """

    type: str | None
    columns: Columns
    origin_kind: str | None = None
    names_count: int | None = None
    skills_count: int | None = None
    skills: list[NamedSkill] = field(default_factory=list)
    prompt: str | None = None
    contexts: list[str] = field(default_factory=list)


def read_attachment(obj: Obj, reader: Reader) -> Attachment:
    """Read the attachment of a record of type `attachment`."""
    kind = reader.string(obj, "type")
    reader.look(obj, _KEYS | {_KEYS_OF_TYPE[kind]} if kind in _KEYS_OF_TYPE else _KEYS)
    columns: Columns = {column: reader.string(obj, key) for column, key in _STRINGS.items()}
    columns.update({column: reader.integer(obj, key) for column, key in _INTEGERS.items()})
    attachment = Attachment(kind, columns)
    if (origin := reader.object(obj, "origin")) is not None:
        reader.look(origin, ("kind",))
        attachment.origin_kind = reader.string(origin, "kind")
    names = reader.one_of(obj, "names", list)
    attachment.names_count = None if names is None else len(names)
    if kind == SKILL_LISTING and names is not None:
        _read_listed(names, attachment, reader)
    elif kind == INVOKED_SKILLS:
        _read_invoked(obj, attachment, reader)
    elif kind == "queued_command":
        prompt = reader.one_of(obj, "prompt", str, list)
        attachment.prompt = None if prompt is None else joined_text(prompt)
    elif kind == "hook_additional_context":
        attachment.contexts = texts(reader.one_of(obj, "content", str, list) or [])
    return attachment


def _read_listed(names: list[object], attachment: Attachment, reader: Reader) -> None:
    attachment.skills_count = len(names)
    for index, name in enumerate(names):
        if isinstance(name, str):
            attachment.skills.append(NamedSkill(index, name))
        else:
            reader.bad()


def _read_invoked(obj: Obj, attachment: Attachment, reader: Reader) -> None:
    skills = reader.one_of(obj, "skills", list)
    if skills is None:
        return
    attachment.skills_count = len(skills)
    for index, entry in enumerate(skills):
        if isinstance(entry, Obj):
            reader.look(entry, ("name",))
            attachment.skills.append(NamedSkill(index, reader.string(entry, "name")))
        else:
            reader.bad()


def attachment_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every attachment record that is no replay."""
    rows = []
    for facts in files:
        for record in facts.counted:
            if record.columns["type"] != "attachment":
                continue
            attachment = record.further.attachment or Attachment(None, _NO_COLUMNS)
            origin_kind = attachment.origin_kind
            rows.append(
                {
                    **attachment.columns,
                    "file_id": record.file_id,
                    "line": record.line,
                    "attachment_type": attachment.type,
                    "timestamp": record.columns["timestamp"],
                    "session_id": facts.session_of(record),
                    "origin_kind": record.columns["origin_kind"]
                    if origin_kind is None
                    else origin_kind,
                    "names_count": attachment.names_count,
                    "payload_chars": record.further.payload_chars,
                }
            )
    return rows


_NO_COLUMNS: Columns = dict.fromkeys((*_STRINGS, *_INTEGERS))
