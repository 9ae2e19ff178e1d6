"""Our token counts beside those of the client's own cost record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.usage_by import sum_groups, summands

if TYPE_CHECKING:
    from collections.abc import Mapping

STATED = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
"""The token columns that a client's cost record holds."""

_KEYS = ("session_id", "file_id", "model")
_INT64 = range(-(2**63), 2**63)
_NUMBERS = (
    "responses",
    "lower_bound",
    *(f"{whose}_{name}" for name in STATED for whose in ("our", "client", "difference")),
)
_FIELDS: list[pa.Field[Any]] = [
    pa.field("session_id", pa.string()),
    pa.field("model", pa.string()),
    *(pa.field(name, pa.int64()) for name in _NUMBERS),
    pa.field("client_cost_usd", pa.float64()),
    pa.field("client_file_id", pa.int64()),
    pa.field("client_line", pa.int64()),
]
SCHEMA = pa.schema(_FIELDS, metadata={"table": "reconcile"})

_Key = tuple["str | None", "int | None", "str | None"]


def reconcile(usage: pa.Table, ledger: pa.Table, files: pa.Table, sessions: pa.Table) -> pa.Table:
    """Return the table that `Corpus.reconcile` describes."""
    ours = {_key(row): row for row in _ours(usage, files).to_pylist()}
    theirs = {_key(row): row for row in _theirs(ledger, files).to_pylist()}
    place = {name: index for index, name in enumerate(sessions["session_id"].to_pylist())}
    keys = sorted({*ours, *theirs}, key=lambda key: _order(key, place))
    rows = [_row(key, ours.get(key, {}), theirs.get(key, {})) for key in keys]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _ours(usage: pa.Table, files: pa.Table) -> pa.Table:
    """Sum `usage` in scope session, by session, model and, without a session, file."""
    keys = {**_session(usage, files), "model": usage["model"].cast(pa.string())}
    return sum_groups(pa.table({**keys, **summands(usage)}), _KEYS)


def _theirs(ledger: pa.Table, files: pa.Table) -> pa.Table:
    rows = ledger.filter(pc.fill_null(ledger["is_last"], fill_value=False))
    kept = {name: rows[name] for name in (*STATED, "cost_usd", "line")}
    keys = {**_session(rows, files), "model": rows["model"].cast(pa.string())}
    return pa.table({**keys, "client_file_id": rows["file_id"], **kept})


def _session(rows: pa.Table, files: pa.Table) -> dict[str, pa.ChunkedArray[Any]]:
    """Return the session of each row, else that of its file, else the file (ruling 37)."""
    of_file = files["session_id"].take(rows["file_id"])
    session = pc.coalesce(_named(rows["session_id"]), _named(of_file))
    file = pc.if_else(pc.is_null(session), rows["file_id"], pa.scalar(None, pa.int64()))
    return {"session_id": session, "file_id": file}


def _named(ids: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Leave out empty ids: they name nothing (ruling 16)."""
    named: pa.ChunkedArray[Any] = pc.if_else(pc.equal(ids, ""), None, ids)
    return named


def _key(row: Mapping[str, Any]) -> _Key:
    return row["session_id"], row["file_id"], row["model"]


def _order(key: _Key, place: Mapping[str | None, int]) -> tuple[Any, ...]:
    """Sort as in `sessions`, then other ids by bytes, then files; models by bytes."""
    session, file, model = key
    return (
        session is None,
        place.get(session, len(place)),
        (session or "").encode(),
        file or 0,
        model is None,
        (model or "").encode(),
    )


def _row(key: _Key, our: Mapping[str, Any], their: Mapping[str, Any]) -> dict[str, Any]:
    row = {
        "session_id": key[0],
        "model": key[2],
        "responses": our.get("responses"),
        "lower_bound": our.get("lower_bound"),
        "client_cost_usd": their.get("cost_usd"),
        "client_file_id": their.get("client_file_id"),
        "client_line": their.get("line"),
    }
    for name in STATED:
        we, they = our.get(name), their.get(name)
        row |= {f"our_{name}": we, f"client_{name}": they}
        row[f"difference_{name}"] = _difference(we, they)
    return row


def _difference(we: int | None, they: int | None) -> int | None:
    """Subtract; null where a side says nothing, or where a column cannot hold it."""
    if we is None or they is None:
        return None
    return we - they if we - they in _INT64 else None
