"""The commands: what each reads, and what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from sessionscan import lineage as lineages
from sessionscan import one_session
from sessionscan import reconcile as reconciled
from sessionscan import selected as selected_tables
from sessionscan.cli import (
    agents,
    census,
    endings,
    lineage,
    located,
    prompts,
    reconcile,
    scopes,
    selection,
    summary,
    tools,
    usage,
)
from sessionscan.cli.output import emit
from sessionscan.cli.rows import check_columns, emit_rows, limited, selected, text_limit
from sessionscan.cli.sessions import shown
from sessionscan.cli.summary_text import page
from sessionscan.schema import TABLES, TOKENS, arrow_schema
from sessionscan.usage_by import Key, check_keys, check_tz

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from sessionscan.corpus import Corpus

_COUNTS = ("lower_bound", "uncertain", "conflicts")
_COUNTED_BY_SESSION = ("agents", "reconcile")


class Command(NamedTuple):
    """How a command runs, the tables that it needs, the columns that it gives."""

    run: Callable[[Corpus, argparse.Namespace], None]
    tables: Callable[[argparse.Namespace], tuple[str, ...]]
    columns: Callable[[argparse.Namespace], Sequence[str]]


def prepare(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Check the arguments that argparse cannot; return the tables that are needed.

    Raises:
        ValueError: for a time zone, key, column, scope or text that means nothing.
        FileNotFoundError: for a side of a difference that does not exist.
    """
    arguments.day_tz, arguments.tz = arguments.tz, arguments.tz or "UTC"
    check_tz(arguments.tz)
    command = _COMMANDS[arguments.command]
    if arguments.command in _CHECKS:
        _CHECKS[arguments.command](arguments)
    _check_scope(arguments)
    if arguments.command != "summary":
        check_columns(arguments, command.columns(arguments))
    needed = selection.check(arguments)
    return tuple(dict.fromkeys((*command.tables(arguments), *needed)))


def run(corpus: Corpus, arguments: argparse.Namespace) -> None:
    """Run the command and write what it gives."""
    command = _COMMANDS[arguments.command]
    command.run(corpus, arguments)
    selection.tell_untimed(corpus, command.tables(arguments))


def _check_scope(arguments: argparse.Namespace) -> None:
    by_session = arguments.command in {"sessions", "table", *_COUNTED_BY_SESSION}
    if arguments.scope is None:
        arguments.scope = "session" if by_session else "corpus"
    elif arguments.scope == "corpus" and arguments.command in _COUNTED_BY_SESSION:
        raise ValueError(f"{arguments.command} counts what each session holds: --scope session")


def _check_usage(arguments: argparse.Namespace) -> None:
    arguments.by = tuple(key.strip() for key in arguments.by.split(","))
    check_keys(arguments.by)


def _check_table(arguments: argparse.Namespace) -> None:
    table = TABLES[arguments.name]
    if arguments.name in selected_tables.WHOLE and selection.is_asked(arguments):
        raise ValueError(
            f"rows of {table.name} are of no session and no time: nothing selects them"
        )
    if arguments.text and not table.text:
        having = ", ".join(name for name, other in TABLES.items() if other.text)
        raise ValueError(f"{table.name} has no text; tables with text are {having}")


def _take_session(arguments: argparse.Namespace) -> None:
    arguments.session, arguments.sources = one_session.split(arguments.sources)


def _summary(corpus: Corpus, arguments: argparse.Namespace) -> None:
    whole = summary.summarize(corpus, arguments.tz, arguments.scope)
    emit(arguments, summary.flat(whole), lambda: page(whole), lambda: whole)


def _usage(corpus: Corpus, arguments: argparse.Namespace) -> None:
    by, scope, tz = cast("tuple[Key, ...]", arguments.by), arguments.scope, arguments.tz
    rows = selected(corpus.usage_by(*by, tz=tz, scope=scope), arguments)
    totals, limit = corpus.totals(scope), text_limit(arguments)
    caption = usage.caption(by, tz, scope)
    emit(
        arguments,
        limited(rows, arguments),
        lambda: f"{caption}\n{usage.with_total(rows, totals, by, limit, tz)}",
    )


def _tools(corpus: Corpus, arguments: argparse.Namespace) -> None:
    emit_rows(tools.by_tool(corpus.table("tool_calls"), arguments.scope), arguments)


def _sessions(corpus: Corpus, arguments: argparse.Namespace) -> None:
    rows = scopes.rows(corpus, "sessions", arguments.scope)
    emit_rows(rows, arguments, shown=rows.select(shown(with_text=arguments.text)))


def _diagnostics(corpus: Corpus, arguments: argparse.Namespace) -> None:
    emit_rows(located.located(corpus), arguments)


def _table(corpus: Corpus, arguments: argparse.Namespace) -> None:
    emit_rows(scopes.rows(corpus, arguments.name, arguments.scope), arguments)


def _always(names: tuple[str, ...]) -> Callable[[argparse.Namespace], tuple[str, ...]]:
    return lambda _: names


_CHECKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "usage": _check_usage,
    "table": _check_table,
    "agents": _take_session,
    "lineage": _take_session,
    "prompts": prompts.check,
    "endings": endings.check,
    "triage": endings.check,
    "census": census.check,
}

_COMMANDS: dict[str, Command] = {
    "summary": Command(_summary, _always(summary.TABLES), _always(())),
    "usage": Command(
        _usage,
        _always(("usage", "usage_iterations", "sessions")),
        lambda arguments: (*arguments.by, "responses", *TOKENS, *_COUNTS),
    ),
    "tools": Command(_tools, _always(("tool_calls",)), _always(tuple(tools.SCHEMA.names))),
    "sessions": Command(
        _sessions,
        lambda arguments: scopes.needed("sessions", arguments.scope),
        lambda _: arrow_schema("sessions").names,
    ),
    "agents": Command(agents.run, _always(agents.TABLES), _always(agents.COLUMNS)),
    "lineage": Command(lineage.run, _always(lineage.TABLES), _always(tuple(lineages.SCHEMA.names))),
    "prompts": Command(
        prompts.run,
        lambda arguments: prompts.TABLES_BY if arguments.by else prompts.TABLES,
        prompts.columns,
    ),
    "endings": Command(
        endings.run,
        lambda arguments: endings.TABLES if arguments.by else endings.TABLES_OF_LIST,
        endings.columns,
    ),
    "triage": Command(endings.run_triage, _always(endings.TABLES), endings.columns_of_triage),
    "reconcile": Command(
        reconcile.run, _always(reconcile.TABLES), _always(tuple(reconciled.SCHEMA.names))
    ),
    "census": Command(census.run, _always(census.TABLES), census.columns),
    "diagnostics": Command(_diagnostics, _always(located.TABLES), _always(located.COLUMNS)),
    "table": Command(
        _table,
        lambda arguments: scopes.needed(arguments.name, arguments.scope),
        lambda arguments: arrow_schema(arguments.name).names,
    ),
}
