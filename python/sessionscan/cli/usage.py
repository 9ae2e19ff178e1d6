"""Usage as text: shorter titles, a caption that names zone and scope, a total."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sessionscan.cli.text_table import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TITLES = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_creation_input_tokens": "cache write",
    "cache_read_input_tokens": "cache read",
    "cache_creation_5m_input_tokens": "write 5m",
    "cache_creation_1h_input_tokens": "write 1h",
    "cache_creation_unattributed_tokens": "write other",
    "thinking_tokens": "thinking",
    "lower_bound": "lower bound",
}

_INT64_BITS = 63


def caption(by: Sequence[str], tz: str, scope: str) -> str:
    """Say what the rows are by, in which time zone days are, and in which scope."""
    return f"usage by {', '.join(by)}; days in {tz}; scope {scope}"


def with_total(
    table: pa.Table, totals: Mapping[str, Any], by: Sequence[str], limit: int, tz: str
) -> str:
    """Render the rows, as many as `limit` says, and a last row of totals."""
    shown = table.slice(0, limit) if limit else table
    text = {
        name: shown[name].cast(pa.string()) if name in by else shown[name]
        for name in table.column_names
    }
    last = {
        name: [_label(name, by) if name in by else _in_int64(totals[name])]
        for name in table.column_names
    }
    rows = pa.table(text)
    total = pa.table(last, schema=rows.schema)
    rendered = render(pa.concat_tables([rows, total]), tz=tz, titles=TITLES)
    if shown.num_rows < table.num_rows:
        left_out = table.num_rows - shown.num_rows
        rendered += f"… {left_out:,} more rows are in the total; --limit 0 shows them\n"
    return rendered


def _label(name: str, by: Sequence[str]) -> str:
    return "total" if name == by[0] else ""


def _in_int64(total: int | None) -> int | None:
    """Leave out what a column cannot hold (ruling 27)."""
    return None if total is None or total.bit_length() > _INT64_BITS else total
