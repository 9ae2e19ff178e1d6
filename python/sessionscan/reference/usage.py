"""Carriers -> responses: each once, from one whole copy (rules 24 and 25)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.diagnose import line_finding
from sessionscan.reference.tokens import COUNTED, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import Carrier, FileFacts, Place, Record

_FROM_RECORD = (
    "request_id",
    "cwd",
    "git_branch",
    "version",
    "entrypoint",
    "effort",
    "attribution_agent",
    "attribution_skill",
    "attribution_plugin",
    "attribution_mcp_server",
    "attribution_mcp_tool",
    "is_sidechain",
    "is_api_error",
)
_SYNTHETIC = "<synthetic>"


class Copy(NamedTuple):
    """A carrier, the record that it stands in, and that record's file."""

    carrier: Carrier
    record: Record
    facts: FileFacts

    @property
    def session(self) -> str | int:
        """Give the session, or the file where there is none."""
        return self.carrier.columns["session_id"] or self.record.file_id

    @property
    def tokens(self) -> Tokens:
        """Give the counts that this copy holds."""
        return self.carrier.message.usage.tokens if self.carrier.message.usage else {}


@dataclass(slots=True, eq=False)
class Response:
    """A response: its copies, the one that is retained, and its row."""

    copies: list[Copy]
    retained: Copy
    row: Columns = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """Give where its retained copy stands."""
        return self.retained.record.place


def responses(files: Iterable[FileFacts]) -> list[Response]:
    """Group the carriers of all files, and give the responses in the table's order."""
    groups: dict[tuple[object, ...], list[Copy]] = {}
    for facts in files:
        for copy in _copies(facts):
            groups.setdefault(_key(copy), []).append(copy)
    found = [Response(group, max(group, key=_rank)) for group in groups.values()]
    found.sort(key=lambda response: response.place)
    for response in found:
        response.row = _row(response)
        _report_conflict(response)
    return found


def _copies(facts: FileFacts) -> Iterable[Copy]:
    """Give the carriers of a file; a rollout of Codex has none."""
    for record in facts.records if facts.kind != "codex" else ():
        if record.is_replay:
            continue
        for carrier in (record.carrier, record.inline):
            if carrier is not None:
                yield Copy(carrier, record, facts)


def _key(copy: Copy) -> tuple[object, ...]:
    message_id = copy.carrier.message.id
    return (copy.session, message_id) if message_id else ("", *copy.record.place)


def _rank(copy: Copy) -> tuple[object, ...]:
    """Order copies by what they are worth; the highest is retained."""
    output, moment = copy.tokens["output_tokens"], copy.carrier.columns["timestamp"]
    return (
        -1 if output is None else output,
        copy.carrier.message.stop_reason is not None,
        copy.carrier.source == "file",
        moment is not None,
        moment or 0,
        copy.record.place,
    )


def _row(response: Response) -> Columns:
    copy = response.retained
    columns, message = copy.carrier.columns, copy.carrier.message
    moments = [
        each.carrier.columns["timestamp"]
        for each in response.copies
        if each.carrier.columns["timestamp"] is not None
    ]
    is_file = copy.carrier.source == "file"
    return {
        "file_id": copy.record.file_id,
        "line": copy.record.line,
        "session_id": columns["session_id"],
        "message_id": message.id,
        "model": message.model,
        "agent_id": _agent_id(columns["agent_id"], copy.facts if is_file else None),
        "source": copy.carrier.source,
        "first_timestamp": min(moments, default=None),
        "last_timestamp": max(moments, default=None),
        "n_records": len(response.copies),
        "conflict": bool(_differing(response.copies)),
        "certainty": _certainty(copy),
        "has_final": message.stop_reason is not None,
        "stop_reason": message.stop_reason,
        "is_synthetic": is_synthetic(message.model),
        "is_copy": False,
        "copy_of_session_id": None,
        "cache_miss_type": message.cache_miss_type,
        "cache_missed_input_tokens": message.cache_missed_input_tokens,
        **{column: columns[column] for column in _FROM_RECORD},
        **copy.tokens,
    }


def is_synthetic(model: str | None) -> bool | None:
    """Say whether it is the client itself that spoke; None without a model."""
    return None if model is None else model == _SYNTHETIC


def _agent_id(own: str | None, facts: FileFacts | None) -> str | None:
    return facts.agent_id if own is None and facts is not None else own


def _certainty(copy: Copy) -> str:
    if not copy.carrier.message.id:
        return "uncertain"
    return "lower_bound" if copy.carrier.message.stop_reason is None else "exact"


def _differing(copies: Sequence[Copy]) -> list[str]:
    """Give the columns in which copies of one response differ."""
    return [column for column in COUNTED if len({copy.tokens[column] for copy in copies}) > 1]


def _report_conflict(response: Response) -> None:
    columns = _differing(response.copies)
    if not columns:
        return
    copy = response.retained
    found = line_finding(
        "usage_conflict",
        copy.record.line,
        copy.record.span,
        severity="info" if columns == ["output_tokens"] else "warning",
        columns=", ".join(columns),
    )
    copy.facts.findings.append(found)


def iteration_rows(found: Iterable[Response]) -> list[Columns]:
    """Give the rows of `usage_iterations`, from the retained copies."""
    rows = []
    for response in found:
        usage = response.retained.carrier.message.usage
        for entry in usage.iterations if usage else ():
            row = {key: response.row[key] for key in ("file_id", "line", "session_id")}
            row["message_id"] = response.row["message_id"]
            row.update(index=entry.index, type=entry.type, model=entry.model)
            rows.append({**row, **entry.tokens})
    return rows
