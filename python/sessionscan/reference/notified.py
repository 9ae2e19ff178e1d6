"""Records -> what task notifications say of agents and calls: rule 40 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.session_key import key_of_row, session_key
from sessionscan.reference.task_notifications import Notification, notifications
from sessionscan.reference.user_text import origin_kind, user_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Place, Record
    from sessionscan.reference.session_key import SessionKey


class Notified(NamedTuple):
    """A notification and where it stands; one event is often told three times."""

    place: Place
    element: int
    said: Notification


class Notices:
    """The last notification with a status, by session and the id that it names."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        """Read the notifications of all records that count."""
        self._of_task: dict[tuple[SessionKey, str], Notified] = {}
        self._of_call: dict[tuple[SessionKey, str], Notified] = {}
        for facts in files:
            for record in facts.counted:
                self._add(session_key(record.session_id, facts), record)

    def _add(self, session: SessionKey, record: Record) -> None:
        text = _text(record)
        for element, said in enumerate(notifications(text, origin_kind(record)) if text else ()):
            found = Notified(record.place, element, said)
            if said.status is not None and said.task_id is not None:
                self._of_task[session, said.task_id] = found
            if said.status is not None and said.tool_use_id is not None:
                self._of_call[session, said.tool_use_id] = found

    def last(
        self, session: SessionKey, tasks: Iterable[str | None], call: str | None
    ) -> Notified | None:
        """Give the last one about any of these tasks, or about a call."""
        of_tasks = (self._of_task.get((session, task)) for task in tasks if task)
        of_call = self._of_call.get((session, call)) if call else None
        found = [each for each in (*of_tasks, of_call) if each is not None]
        return max(found, key=lambda each: each[:2], default=None)


def _text(record: Record) -> str | None:
    event = record.further.event
    if event is not None and record.columns["type"] == "queue-operation":
        return event.content
    return user_text(record)


def add_notified_status(
    calls: Iterable[Columns], notices: Notices, files: Sequence[FileFacts]
) -> None:
    """Fill in what the last notification about each call says."""
    for row in calls:
        tasks = row["background_task_id"], row["launched_agent_id"]
        found = notices.last(key_of_row(row, files), tasks, row["tool_use_id"])
        row["notified_status"] = None if found is None else found.said.status
