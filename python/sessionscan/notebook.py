"""How a corpus shows itself in a console and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sessionscan.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from sessionscan.coverage import Coverage


def as_text(tables: Mapping[str, pa.Table], coverage: Coverage) -> str:
    """Return the coverage line and the rows of each table, a line each."""
    rows = ", ".join(f"{name} {_rows(tables, name)}" for name in TABLES)
    return f"<sessionscan.Corpus: {coverage}\n  rows: {rows}>"


def as_html(tables: Mapping[str, pa.Table], coverage: Coverage) -> str:
    """Return the coverage line and a list of the tables: name, rows, what a row is."""
    body = "".join(
        f"<tr><td><code>{name}</code></td>"
        f'<td style="text-align:right">{_rows(tables, name)}</td>'
        f'<td style="text-align:left">{escape(table.row)}</td></tr>'
        for name, table in TABLES.items()
    )
    return (
        f"<p>{escape(str(coverage))}</p><table><thead><tr><th>table</th><th>rows</th>"
        f"<th>one row is</th></tr></thead><tbody>{body}</tbody></table>"
    )


def _rows(tables: Mapping[str, pa.Table], name: str) -> str:
    return f"{tables[name].num_rows:,}" if name in tables else "(not computed)"
