"""The commands: what each reads, and what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionscan.cli import located, scopes, summary, tools, usage
from sessionscan.cli.output import emit
from sessionscan.cli.sessions import SHOWN
from sessionscan.cli.summary_text import page
from sessionscan.cli.text_table import render
from sessionscan.options import one_of
from sessionscan.schema import TABLES, TOKENS, arrow_schema
from sessionscan.usage_by import Key, check_keys, check_tz

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    import pyarrow as pa

    from sessionscan.corpus import Corpus

_TABLE_LIMIT = 50
_COUNTS = ("lower_bound", "uncertain", "conflicts")


def prepare(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Check the arguments that argparse cannot; return the tables that are needed.

    Raises:
        ValueError: for a time zone, key, column, scope or text that means nothing.
    """
    check_tz(arguments.tz)
    if arguments.command == "usage":
        arguments.by = tuple(key.strip() for key in arguments.by.split(","))
        check_keys(arguments.by)
    if arguments.command == "table":
        _check_table(arguments)
    if arguments.scope is None:
        arguments.scope = "session" if arguments.command in {"sessions", "table"} else "corpus"
    if arguments.command != "summary" and arguments.columns is not None:
        allowed = _columns(arguments)
        arguments.columns = [name.strip() for name in arguments.columns.split(",")]
        for name in arguments.columns:
            one_of("column", name, allowed)
        if len(set(arguments.columns)) < len(arguments.columns):
            raise ValueError("a column stands twice in --columns")
    return _tables(arguments)


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Run the command and write what it gives."""
    commands: dict[str, Callable[[Corpus, argparse.Namespace], None]] = {
        "summary": _summary,
        "usage": _usage,
        "tools": _tools,
        "sessions": _sessions,
        "diagnostics": _diagnostics,
        "table": _table,
    }
    commands[arguments.command](corpus, arguments)


def _check_table(arguments: argparse.Namespace) -> None:
    table = TABLES[arguments.name]
    if arguments.text and not table.text:
        having = ", ".join(name for name, other in TABLES.items() if other.text)
        raise ValueError(f"{table.name} has no text; tables with text are {having}")


def _columns(arguments: argparse.Namespace) -> Sequence[str]:
    """Name the columns that a command's result has."""
    if arguments.command == "usage":
        return (*arguments.by, "responses", *TOKENS, *_COUNTS)
    if arguments.command == "tools":
        return tools.SCHEMA.names
    if arguments.command == "diagnostics":
        return located.COLUMNS
    return arrow_schema(_table_name(arguments)).names


def _table_name(arguments: argparse.Namespace) -> str:
    return "sessions" if arguments.command == "sessions" else str(arguments.name)


def _tables(arguments: argparse.Namespace) -> tuple[str, ...]:
    if arguments.command in {"sessions", "table"}:
        return scopes.needed(_table_name(arguments), arguments.scope)
    return {
        "summary": summary.TABLES,
        "usage": ("usage", "usage_iterations", "sessions"),
        "tools": ("tool_calls",),
        "diagnostics": (),
    }[arguments.command]


def _summary(corpus: Corpus, arguments: argparse.Namespace) -> None:
    whole = summary.summarize(corpus, arguments.tz, arguments.scope)
    emit(arguments, summary.flat(whole), lambda: page(whole), lambda: whole)


def _usage(corpus: Corpus, arguments: argparse.Namespace) -> None:
    by, scope, tz = cast("tuple[Key, ...]", arguments.by), arguments.scope, arguments.tz
    rows = _selected(corpus.usage_by(*by, tz=tz, scope=scope), arguments)
    totals = corpus.totals(scope)
    limit = _TABLE_LIMIT if arguments.limit is None else arguments.limit
    caption = usage.caption(by, tz, scope)
    emit(
        arguments,
        _limited(rows, arguments),
        lambda: f"{caption}\n{usage.with_total(rows, totals, by, limit, tz)}",
    )


def _tools(corpus: Corpus, arguments: argparse.Namespace) -> None:
    _emit_rows(tools.by_tool(corpus.table("tool_calls"), arguments.scope), arguments)


def _sessions(corpus: Corpus, arguments: argparse.Namespace) -> None:
    rows = scopes.rows(corpus, "sessions", arguments.scope)
    _emit_rows(rows, arguments, SHOWN if arguments.format == "table" else None)


def _diagnostics(corpus: Corpus, arguments: argparse.Namespace) -> None:
    _emit_rows(located.located(corpus), arguments)


def _table(corpus: Corpus, arguments: argparse.Namespace) -> None:
    _emit_rows(scopes.rows(corpus, arguments.name, arguments.scope), arguments)


def _emit_rows(
    rows: pa.Table, arguments: argparse.Namespace, shown: Sequence[str] | None = None
) -> None:
    rows = rows.select(arguments.columns or shown or rows.column_names)
    limit = _TABLE_LIMIT if arguments.limit is None else arguments.limit
    emit(
        arguments,
        _limited(rows, arguments),
        lambda: render(rows, tz=arguments.tz, limit=limit),
    )


def _selected(rows: pa.Table, arguments: argparse.Namespace) -> pa.Table:
    return rows.select(arguments.columns) if arguments.columns else rows


def _limited(rows: pa.Table, arguments: argparse.Namespace) -> pa.Table:
    return rows.slice(0, arguments.limit) if arguments.limit else rows
