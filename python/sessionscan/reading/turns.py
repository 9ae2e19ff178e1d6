"""Records -> turns, each call with its result."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

from sessionscan.reading.rollout_items import ASSISTANT, read_item
from sessionscan.reading.story import Call, Picture, Result, Turn, Words
from sessionscan.reference.json_values import Number, Obj
from sessionscan.reference.record import read_content
from sessionscan.reference.user_text import is_user
from sessionscan.reference.values import Reader

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from sessionscan.reading.story import Part
    from sessionscan.reference.codex_records import Rollout
    from sessionscan.reference.facts import Record

# A rollout's turn has no message id.
_UNDER_WAY = "under way"
_PICTURES = frozenset({"image", "document"})


def turns(
    records: Iterable[tuple[Record, Obj]], left_out: Counter[str], calls: dict[str, Call]
) -> list[Turn]:
    """Return the turns of records in order.

    `left_out` counts records that say nothing to a reader, by type; `calls` takes the
    calls by their id.
    """
    made = _Turns(left_out, calls)
    for record, obj in records:
        made.add(record, obj)
    made.give_results()
    return [turn for turn in made.turns if turn.parts]


class _Turns:
    """The turns so far, and the calls and results that wait for one another.

    The k-th call of one id takes the k-th result, wherever each stands; the same block
    under the same message id again is no second call (ruling 29).
    """

    def __init__(self, left_out: Counter[str], calls: dict[str, Call]) -> None:
        self.turns: list[Turn] = []
        self._left_out = left_out
        self._by_id = calls
        self._calls: dict[str, deque[Call]] = defaultdict(deque)
        self._results: list[tuple[str | None, Result, Turn]] = []
        self._message: str | None = None
        self._model: str | None = None
        self._written: set[tuple[str | None, ...]] = set()

    def add(self, record: Record, obj: Obj) -> None:
        """Add a record to the last turn, or as a turn of its own."""
        columns = record.columns
        if record.rollout is not None:
            self._item(record, record.rollout, obj["payload"])
        elif record.further.is_message:
            content = read_content(obj, Reader(), is_message=True)
            self._message_turn(record, content)
        elif columns["type"] == "attachment" and record.further.attachment is not None:
            self._note(record, "Queued prompt", record.further.attachment.prompt)
        elif columns["type"] == "system" and isinstance(obj.get("content"), str):
            kind = columns["subtype"]
            self._note(record, f"System: {kind}" if kind else "System", obj["content"])
        else:
            self._left_out[columns["type"] or "(none)"] += 1

    def _message_turn(self, record: Record, content: str | list[Any] | None) -> None:
        message = record.message.id
        turn = self.turns[-1] if self.turns else None
        if turn is None or message is None or message != self._message:
            columns = record.columns
            turn = Turn(_who(record), record.line, columns["timestamp"], record.message.model)
            self.turns.append(turn)
        self._message = message
        entries = [content] if isinstance(content, str) else content or []
        for entry in entries:
            self._add_part(turn, entry, record.line)

    def _item(self, record: Record, rollout: Rollout, payload: Obj) -> None:
        """Add what a rollout's record says; what stands between two results is one turn."""
        columns = record.columns
        self._model = record.message.model or self._model
        item = read_item(record, rollout, payload)
        if item is None:
            named = filter(None, (columns["type"], columns["subtype"]))
            self._left_out[" ".join(named)] += 1
            return
        turn = self.turns[-1] if self.turns else None
        is_assistant = item.who == ASSISTANT
        if turn is None or not is_assistant or self._message != _UNDER_WAY:
            model = self._model if is_assistant else None
            turn = Turn(item.who, record.line, columns["timestamp"], model)
            self.turns.append(turn)
        self._message = _UNDER_WAY if is_assistant else None
        for part in item.parts:
            if isinstance(part, Result):
                self._results.append((item.call_id, part, turn))
                self._message = None
                continue
            turn.parts.append(part)
            if isinstance(part, Call) and item.call_id:
                self._calls[item.call_id].append(part)
                self._by_id.setdefault(item.call_id, part)

    def _note(self, record: Record, who: str, text: str | None) -> None:
        if text is None or not text.strip():
            self._left_out[record.columns["type"]] += 1
            return
        turn = Turn(who, record.line, record.columns["timestamp"], parts=[Words(text)])
        self.turns.append(turn)
        self._message = None

    def _add_part(self, turn: Turn, entry: object, line: int) -> None:
        if isinstance(entry, str):
            turn.parts.append(Words(entry))
            return
        if not isinstance(entry, Obj):
            turn.parts.append(Words(_shown(entry), "note"))
            return
        kind = _string(entry, "type") or "(none)"
        if kind == "tool_use" or kind.endswith("_tool_use"):
            self._add_call(turn, entry, line)
        elif kind == "tool_result" or kind.endswith("_tool_result"):
            result = Result(_flag(entry), list(_content_parts(entry.get("content"))), line)
            self._results.append((_string(entry, "tool_use_id"), result, turn))
        else:
            turn.parts.append(_plain(kind, entry))

    def _add_call(self, turn: Turn, entry: Obj, line: int) -> None:
        name = _string(entry, "id")
        written = (name, self._message, _string(entry, "name"), entry.raw("input"))
        if name and self._message and written in self._written:
            return
        self._written.add(written)
        call = Call(_string(entry, "name") or "(unnamed)", _given(entry), line)
        turn.parts.append(call)
        if name:
            self._calls[name].append(call)
            self._by_id.setdefault(name, call)

    def give_results(self) -> None:
        """Give each call its result; what is left over stays where it stands."""
        for name, result, turn in self._results:
            waiting = self._calls.get(name) if name else None
            if waiting:
                waiting.popleft().result = result
            else:
                turn.parts.append(result)


def _who(record: Record) -> str:
    columns = record.columns
    if not is_user(columns):
        who = "Assistant" if columns["type"] in {"assistant", None} else str(columns["type"])
    elif columns["is_compact_summary"]:
        who = "Summary of what came before"
    elif columns["origin_kind"] not in {None, "human"}:
        who = f"User ({columns['origin_kind']})"
    else:
        who = "User (injected)" if columns["is_meta"] else "User"
    return f"{who}, sidechain" if columns["is_sidechain"] and not columns["agent_id"] else who


def _plain(kind: str, entry: Obj) -> Part:
    if kind in {"text", "thinking"}:
        text = _string(entry, kind)
        if text is not None:
            return Words(text, kind) if text or kind == "text" else Words("(not kept)", kind)
    if kind in _PICTURES:
        source = entry.get("source")
        held = source if isinstance(source, Obj) else Obj("")
        return Picture(kind, _string(held, "media_type"), _string(held, "data"))
    return Words(f"a block of type {kind}", "note")


def _content_parts(content: object) -> Iterable[Words | Picture]:
    entries = content if isinstance(content, list) else [content]
    for entry in entries:
        if isinstance(entry, str):
            yield Words(entry)
        elif isinstance(entry, Obj):
            part = _plain(_string(entry, "type") or "(none)", entry)
            if isinstance(part, Words | Picture):
                yield part
        elif entry is not None:
            yield Words(_shown(entry), "note")


def _given(entry: Obj) -> list[tuple[str, str]]:
    """Return the input of a call, by key; strings as they are, others as JSON."""
    value = entry.get("input")
    if not isinstance(value, Obj):
        return [] if value is None else [("input", _raw(entry, "input"))]
    return [
        (key, each if isinstance(each, str) else _raw(value, key)) for key, each in value.items()
    ]


def _raw(obj: Obj, key: str) -> str:
    return obj.raw(key) or "null"


def _shown(value: object) -> str:
    if isinstance(value, Number):
        return value.text
    return "true" if value is True else "false" if value is False else str(value)


def _string(obj: Obj, key: str) -> str | None:
    value = obj.get(key)
    return value if isinstance(value, str) else None


def _flag(entry: Obj) -> bool | None:
    value = entry.get("is_error")
    return value if isinstance(value, bool) else None
