"""What is measured side by side: the two engines and the loops, each checked for its figures."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import loops
import orjson
import sessionscan as ss

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

LEAN = ("usage", "tool_calls")


class Contender(NamedTuple):
    """A way to do a job: its group, what runs it, what its result says, and if it is slow."""

    group: str
    run: Callable[[Path], Any]
    figures: Callable[[Any], dict[str, Any]]
    slow: bool = False


def _engine(
    engine: ss.options.Engine,
    threads: int | None = None,
    tables: tuple[str, ...] | str | None = None,
) -> Callable[[Path], ss.Corpus]:
    return lambda folder: ss.scan(folder, engine=engine, threads=threads, tables=tables)


def _counts(column: pa.ChunkedArray) -> dict[str, int]:
    return dict(sorted(Counter(column.to_pylist()).items()))


def corpus_figures(corpus: ss.Corpus) -> dict[str, Any]:
    """Return what the loops count, from the tables."""
    session = corpus.totals(scope="session")
    return {
        "responses": session["responses"],
        "session": {name: session[name] for name in loops.FLAT},
        "models": _counts(corpus.usage["model"]),
        "calls": corpus.tool_calls.num_rows,
        "outcomes": _counts(corpus.tool_calls["outcome"]),
        "tools": _counts(corpus.tool_calls["tool_name"]),
    }


def _itself(figures: dict[str, Any]) -> dict[str, Any]:
    return figures


DEFAULT, EVERY, SOME = "default tables", "every table", "usage and tool calls"

CONTENDERS: dict[str, Contender] = {
    "rust, 2 threads": Contender(DEFAULT, _engine("rust", 2), corpus_figures),
    "rust, 1 thread": Contender(DEFAULT, _engine("rust", 1), corpus_figures),
    "reference": Contender(DEFAULT, _engine("python"), corpus_figures, slow=True),
    "rust, every table": Contender(EVERY, _engine("rust", 2, "all"), corpus_figures),
    "rust lean, 2 threads": Contender(SOME, _engine("rust", 2, LEAN), corpus_figures),
    "rust lean, 1 thread": Contender(SOME, _engine("rust", 1, LEAN), corpus_figures),
    "json.loads loop": Contender(SOME, lambda folder: loops.job(folder, json.loads), _itself),
    "orjson loop": Contender(SOME, lambda folder: loops.job(folder, orjson.loads), _itself),
}
