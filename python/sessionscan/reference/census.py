"""Names of the format, counted: rule 55 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.coverage import NO_TYPE
from sessionscan.reference.json_types import json_type
from sessionscan.reference.json_values import Obj
from sessionscan.reference.record import read_content
from sessionscan.reference.values import Reader
from sessionscan.schema import VOCABULARIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Place, Record

_PATHS = (
    ("message",),
    ("message", "usage"),
    *(("attachment",), ("toolUseResult",), ("data",), ("snapshot",), ("origin",)),
    *(("forkedFrom",), ("compactMetadata",), ("microcompactMetadata",), ("backup",)),
)
_ITEMS = {word: number for number, word in enumerate(VOCABULARIES["census_item"])}
_TYPES = {word: number for number, word in enumerate(VOCABULARIES["json_type"])}
_KNOWN = {
    "record": frozenset(VOCABULARIES["known_record_types"]),
    "block": frozenset(VOCABULARIES["known_block_types"]),
    "attachment": frozenset(VOCABULARIES["known_attachment_types"]),
    "field": frozenset(VOCABULARIES["known_fields"]),
}


class Item(NamedTuple):
    """Something that is counted: a type, or a field with its JSON type."""

    item: str
    name: str
    json_type: str | None = None


def census_items(obj: Obj, record: Record) -> list[Item]:
    """Name everything that a record adds to the census, as often as it does."""
    items = [Item("record", _name(record.columns["type"]))]
    items += (Item("block", _name(block.type)) for block in record.blocks)
    if record.columns["type"] == "attachment":
        attachment = record.further.attachment
        items.append(Item("attachment", _name(attachment.type if attachment else None)))
    items += _members("", obj)
    for path in _PATHS:
        inner = _at(obj, path)
        if inner is not None:
            items += _members(".".join(path) + ".", inner)
    for entry in read_content(obj, Reader(), is_message=record.further.is_message) or ():
        if isinstance(entry, Obj):
            items += _members("content[].", entry)
    return items


def _name(kind: str | None) -> str:
    return NO_TYPE if kind is None else kind


def _members(prefix: str, obj: Obj) -> Iterator[Item]:
    for key, value in obj.items():
        yield Item("field", prefix + key, json_type(value))


def _at(obj: Obj, path: tuple[str, ...]) -> Obj | None:
    """Give the object that keys lead to, if they do."""
    found = obj
    for key in path:
        value = found.get(key)
        if not isinstance(value, Obj):
            return None
        found = value
    return found


def census_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every name with its JSON type and client version."""
    counts: dict[tuple[Item, str | None], int] = {}
    first: dict[tuple[Item, str | None], Place] = {}
    for facts in files:
        for record in facts.records:
            for item in record.census:
                key = item, record.columns["version"]
                first.setdefault(key, record.place)
                counts[key] = counts.get(key, 0) + 1
    return [
        {
            "file_id": first[item, version].file_id,
            "line": first[item, version].line,
            **item._asdict(),
            "version": version,
            "count": counts[item, version],
            "is_known": item.name in _KNOWN[item.item],
        }
        for item, version in sorted(counts, key=_order)
    ]


def _order(key: tuple[Item, str | None]) -> tuple[int, bytes, int, bool, bytes]:
    item, version = key
    kind = -1 if item.json_type is None else _TYPES[item.json_type]
    return (
        _ITEMS[item.item],
        item.name.encode(),
        kind,
        version is not None,
        (version or "").encode(),
    )
