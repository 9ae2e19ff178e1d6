"""What does the same job as the lean scan: each peer, what it needs, and how far behind it is."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import loops

from peer_jobs import commands

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path


class Peer(NamedTuple):
    """A peer: what runs it, how many times as fast we must and aim to be, and why it is absent."""

    run: Callable[[Path], dict[str, Any]]
    must: float | None
    aim: float | None
    absent: str | None = None
    counts: str = "usage once per response, tool pairs"
    # What is made before the clock starts, and removed after it has stopped.
    place: Callable[[Path], AbstractContextManager[Path]] = nullcontext


def _loop(module: str, must: float, aim: float) -> Peer:
    """Return a loop over the records that a decoder of untyped values gives."""
    return Peer(
        lambda folder: loops.job(folder, import_module(module).loads), must, aim, _absent(module)
    )


def _own(module: str, job: str, must: float, aim: float) -> Peer:
    """Return a peer whose job stands in a file of its own."""
    name = f"peer_jobs.{job}"

    def place(folder: Path) -> AbstractContextManager[Path]:
        import_module(name)  # an import is no part of a call in a warm interpreter
        return nullcontext(folder)

    return Peer(
        lambda folder: import_module(name).run(folder), must, aim, _absent(module), place=place
    )


def _absent(module: str) -> str | None:
    return None if find_spec(module) else f"no module {module}"


# The numbers are how many times as fast the lean scan on two threads must be, and aims to be.
IN_PROCESS: dict[str, Peer] = {
    "json": Peer(lambda folder: loops.job(folder, json.loads), 20, 38),
    "orjson": _loop("orjson", 10, 18),
    "msgspec": _own("msgspec", "msgspec_loop", 8, 13),
    "pysimdjson": _own("simdjson", "simdjson_loop", 7, 11),
    "Polars": _own("polars", "polars_query", 18, 28),
    "DuckDB": _own("duckdb", "duckdb_query", 12, 20),
}


def _command(name: str, counts: str, must: float | None = None, aim: float | None = None) -> Peer:
    return Peer(
        partial(commands.run, name), must, aim, commands.absent(name), counts, commands.home
    )


FOUR = "four sums of tokens, each response once over all sessions; no tool pairs"
COMMANDS: dict[str, Peer] = {
    "ccusage": _command("ccusage", FOUR, 5, 8),
    "aiburn": _command("aiburn", FOUR.replace("four", "three"), 4, 7),
    "tokscale": _command("tokscale", FOUR),
}
PEERS = IN_PROCESS | COMMANDS


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Return what of `found` is not as expected; what a peer does not count is not asked for."""
    lines = []
    for name, value in found.items():
        wanted = expected[name]
        if isinstance(value, dict):
            lines += [
                f"{name}.{key}: {value.get(key)} for {wanted.get(key)}"
                for key in sorted(value.keys() | wanted.keys())
                if value.get(key) != wanted.get(key)
            ]
        elif value != wanted:
            lines.append(f"{name}: {value} for {wanted}")
    return lines
