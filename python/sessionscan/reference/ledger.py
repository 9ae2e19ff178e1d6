"""The client's own cost records: their keys (rule 39) and the rows of `ledger` (rule 48)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sessionscan.reference.json_values import Obj
from sessionscan.schema import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.facts import FileFacts, Record
    from sessionscan.reference.values import Reader

_KEYS = ("totalCostUSD", "hasUnknownModelCost", "modelUsage")
_COUNTS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_creation_input_tokens": "cacheCreationInputTokens",
    "cache_read_input_tokens": "cacheReadInputTokens",
}
_MODEL_KEYS = frozenset({*_COUNTS.values(), "costUSD"})


@dataclass(slots=True)
class CostState:
    """What is kept of a cost record; `models` are columns, in the record's order."""

    total_cost_usd: float | None
    has_unknown_model_cost: bool | None
    models: list[Columns] = field(default_factory=list)


def read_cost_state(obj: Obj, reader: Reader) -> CostState:
    """Read a cost record; a model whose value is no object is left out."""
    reader.look(obj, _KEYS)
    cost = CostState(
        reader.number(obj, "totalCostUSD"),
        reader.boolean(obj, "hasUnknownModelCost"),
    )
    for model, usage in (reader.object(obj, "modelUsage") or {}).items():
        if not isinstance(usage, Obj):
            reader.bad()
            continue
        reader.look(usage, _MODEL_KEYS)
        columns: Columns = {"model": model, **dict.fromkeys(TOKENS)}
        columns["cost_usd"] = reader.number(usage, "costUSD")
        columns.update({column: reader.count(usage, key) for column, key in _COUNTS.items()})
        cost.models.append(columns)
    return cost


def ledger_rows(files: Iterable[FileFacts]) -> list[Columns]:
    """Give a row for every model of every cost record that is no replay."""
    rows = []
    last: dict[str | int, Record] = {}
    owners: list[tuple[str | int, Record]] = []
    for facts in files:
        for record in facts.counted:
            cost = record.further.cost
            for model in cost.models if cost is not None else ():
                session = facts.session_of(record) or record.file_id
                last[session] = record
                owners.append((session, record))
                rows.append({**model, **_of_record(facts, record)})
    for row, (session, record) in zip(rows, owners, strict=True):
        row["is_last"] = last[session] is record
    return rows


def _of_record(facts: FileFacts, record: Record) -> Columns:
    cost = record.further.cost
    return {
        "file_id": record.file_id,
        "line": record.line,
        "session_id": facts.session_of(record),
        "timestamp": record.columns["timestamp"],
        "total_cost_usd": cost.total_cost_usd if cost else None,
        "has_unknown_model_cost": cost.has_unknown_model_cost if cost else None,
    }
