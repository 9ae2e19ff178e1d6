"""Rows of a table, written as the arguments ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.cli.output import emit
from sessionscan.cli.text_table import render
from sessionscan.options import one_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

TABLE_LIMIT = 50


def emit_rows(
    rows: pa.Table,
    arguments: argparse.Namespace,
    *,
    shown: pa.Table | None = None,
    caption: str = "",
    titles: Mapping[str, str] | None = None,
) -> None:
    """Write `rows`; as text `shown` under a caption, unless columns are named."""
    text = rows if shown is None or arguments.columns else shown
    emit(
        arguments,
        limited(selected(rows, arguments), arguments),
        lambda: (
            caption
            + render(
                selected(text, arguments),
                tz=arguments.tz,
                limit=text_limit(arguments),
                titles=titles,
            )
        ),
    )


def emit_lines(
    rows: pa.Table, arguments: argparse.Namespace, lines: Sequence[str], noun: str
) -> None:
    """Write `rows`; as text the lines of a drawing, unless columns are named."""
    if arguments.columns:
        emit_rows(rows, arguments)
        return
    limit = text_limit(arguments)
    shown = lines[:limit] if limit else lines
    left_out = len(lines) - len(shown)
    more = [f"… {left_out:,} more {noun}; --limit 0 shows all"] if left_out else []
    text = "".join(f"{line}\n" for line in (*shown, *more))
    emit(arguments, limited(rows, arguments), lambda: text)


def check_columns(arguments: argparse.Namespace, allowed: Sequence[str]) -> None:
    """Take the names in `--columns` apart.

    Raises:
        ValueError: for a name that is no column, or stands twice.
    """
    if arguments.columns is None:
        return
    arguments.columns = [name.strip() for name in arguments.columns.split(",")]
    for name in arguments.columns:
        one_of("column", name, allowed)
    if len(set(arguments.columns)) < len(arguments.columns):
        raise ValueError("a column stands twice in --columns")


def text_limit(arguments: argparse.Namespace) -> int:
    """Return how many rows a text shows; 0 is all."""
    return TABLE_LIMIT if arguments.limit is None else int(arguments.limit)


def selected(rows: pa.Table, arguments: argparse.Namespace) -> pa.Table:
    """Return the columns that were asked for."""
    return rows.select(arguments.columns) if arguments.columns else rows


def limited(rows: pa.Table, arguments: argparse.Namespace) -> pa.Table:
    """Return as many rows as were asked for."""
    return rows.slice(0, arguments.limit) if arguments.limit else rows
