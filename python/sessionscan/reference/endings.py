"""How each session ended -> the rows of `endings`: rule 54 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.ending_text import ends_with_question
from sessionscan.reference.envelope import is_assistant
from sessionscan.reference.prompt_text import INTERRUPTION
from sessionscan.reference.session_key import key_of_row, session_key
from sessionscan.reference.user_text import is_user, words
from sessionscan.reference.white_space import is_blank, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.reference.content import Block
    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.joined import Joined
    from sessionscan.reference.session_key import SessionKey

_THINKING = frozenset({"thinking", "redacted_thinking"})


def ending_rows(joined: Joined, sessions: Iterable[Columns]) -> list[Columns]:
    """Give a row for each of `sessions`, in their order."""
    messages = _messages(joined.read)
    pending = _pending(joined)
    return [
        _row(row, messages.get(row["session_id"], []), pending.get(row["session_id"], []))
        for row in sessions
    ]


def _messages(files: Iterable[FileFacts]) -> dict[SessionKey, list[Record]]:
    """Give the messages of each session itself, not of its agents, in order."""
    messages: dict[SessionKey, list[Record]] = {}
    for facts in files:
        for record in facts.counted if facts.kind != "codex" else ():
            is_message = is_user(record.columns) or is_assistant(record.columns)
            if is_message and record.columns["is_sidechain"] is not True:
                key = session_key(record.session_id, facts)
                messages.setdefault(key, []).append(record)
    return messages


def _pending(joined: Joined) -> dict[SessionKey, list[str]]:
    """Give the ids of each session's calls that no result answers, in order, each once."""
    answered: dict[tuple[SessionKey, str], bool] = {}
    for _, row in joined.calls:
        if row["tool_use_id"] and row["is_sidechain"] is not True:
            key = key_of_row(row, joined.files), row["tool_use_id"]
            answered[key] = answered.get(key, False) or row["n_results"] > 0
    pending: dict[SessionKey, list[str]] = {}
    for (session, tool_use_id), is_answered in answered.items():
        if not is_answered:
            pending.setdefault(session, []).append(tool_use_id)
    return pending


def _row(session: Columns, messages: Sequence[Record], pending: list[str]) -> Columns:
    response = _response(messages)
    last = _last_block(response)
    place = response[-1].place if response else None
    texts = [text for record in response for text in words(record) if not is_blank(text)]
    text = "\n".join(texts) if texts else None
    return {
        "file_id": session["file_id"] if place is None else place.file_id,
        "line": session["line"] if place is None else place.line,
        "session_id": session["session_id"],
        "kind": _kind(messages, response, last),
        "last_assistant_kind": _last_kind(response, last),
        "pending_tool_use_ids": pending,
        "last_timestamp": session["last_timestamp"],
        "ends_with_question": None if text is None else ends_with_question(text),
        "text": text,
    }


def _response(messages: Sequence[Record]) -> list[Record]:
    """Give the records of the last response: one API response is written as several."""
    own = [record for record in messages if is_assistant(record.columns)]
    spoken = [record for record in own if record.columns["is_meta"] is not True]
    if not spoken or not spoken[-1].message.id:
        return spoken[-1:]
    return [record for record in own if record.message.id == spoken[-1].message.id]


def _last_block(response: Sequence[Record]) -> Block | None:
    """Give the last block that is a call or words."""
    blocks = [block for record in response for block in record.blocks]
    return next((block for block in reversed(blocks) if _is_call_or_words(block)), None)


def _is_call_or_words(block: Block) -> bool:
    return block.call is not None or (block.type == "text" and not is_blank(block.text))


def _kind(messages: Sequence[Record], response: Sequence[Record], last: Block | None) -> str:
    if not response:
        return "empty"
    if is_user(messages[-1].columns) and any(map(_is_interruption, words(messages[-1]))):
        return "interrupted"
    if any(record.columns["is_api_error"] is True for record in response):
        return "api_error"
    return "done" if last is not None and last.call is None else "no_reply"


def _is_interruption(text: str) -> bool:
    return trim(text).startswith(INTERRUPTION)


def _last_kind(response: Sequence[Record], last: Block | None) -> str | None:
    if not response:
        return None
    if last is not None:
        return "text" if last.call is None else "tool_use"
    has_thinking = any(block.type in _THINKING for record in response for block in record.blocks)
    return "thinking" if has_thinking else "empty"
