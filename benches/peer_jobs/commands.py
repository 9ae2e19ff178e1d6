"""Command-line tools that report usage, run on a home that holds nothing but the corpus.

A tool is run where it is found on PATH. Its home is made anew for each run, so that no run is
quick by what an earlier one left behind, and nothing of the user's own home is read or written.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import loops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# No run of the corpora that are measured comes near this.
SECONDS = 900
# Where a home is made, if it is there: what a disk takes to sync a tool's caches is not the job.
IN_MEMORY = Path("/dev/shm")  # noqa: S108


class Command(NamedTuple):
    """A tool: the words after its name, and what its JSON says in the generator's terms."""

    words: tuple[str, ...]
    read: Callable[[dict[str, Any]], dict[str, Any]]


def _four(*counts: int) -> dict[str, Any]:
    return {"corpus": dict(zip(loops.FLAT, counts, strict=True))}


def _ccusage(said: dict[str, Any]) -> dict[str, Any]:
    sums = said["totals"]
    return _four(
        sums["inputTokens"],
        sums["outputTokens"],
        sums["cacheCreationTokens"],
        sums["cacheReadTokens"],
    )


def _tokscale(said: dict[str, Any]) -> dict[str, Any]:
    return _four(
        said["totalInput"], said["totalOutput"], said["totalCacheWrite"], said["totalCacheRead"]
    )


def _aiburn(said: dict[str, Any]) -> dict[str, Any]:
    def total(name: str) -> int:
        return sum(group[name] for group in said["groups"])

    return {"three": {name: total(name) for name in ("input", "output", "cache")}}


COMMANDS: dict[str, Command] = {
    "ccusage": Command(("claude", "daily", "--json", "--offline", "--no-cost"), _ccusage),
    "aiburn": Command(("daily", "--json", "--claude"), _aiburn),
    "tokscale": Command(("models", "--json", "--no-spinner", "--client", "claude"), _tokscale),
}


def absent(name: str) -> str | None:
    """Return why a tool cannot be run."""
    return None if shutil.which(name) else f"{name} is not on PATH"


def run(name: str, place: Path) -> dict[str, Any]:
    """Return the totals that a tool reports for a home that `home` made.

    Raises:
        RuntimeError: The tool ended with an error; the last line it wrote is the message.
    """
    program = shutil.which(name)
    assert program is not None
    ended = subprocess.run(  # noqa: S603
        [program, *COMMANDS[name].words],
        capture_output=True,
        env=environment(place),
        cwd=place,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    if ended.returncode != 0:
        lines = ended.stderr.decode(errors="replace").strip().splitlines()
        raise RuntimeError(lines[-1] if lines else f"{name} ended with {ended.returncode}")
    return COMMANDS[name].read(json.loads(ended.stdout))


@contextmanager
def home(folder: Path) -> Iterator[Path]:
    """Yield a new home whose Claude folder is the corpus, and remove it afterwards."""
    where = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="sessionscan-home-", dir=where) as made:
        (Path(made) / ".claude").symlink_to(folder.resolve(), target_is_directory=True)
        (Path(made) / ".codex").mkdir()
        yield Path(made)


def environment(place: Path) -> dict[str, str]:
    """Return what a tool sees: the search path, and folders that are all below `place`."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "HOME": str(place),
        "USERPROFILE": str(place),
        "CLAUDE_CONFIG_DIR": str(place / ".claude"),
        "CODEX_HOME": str(place / ".codex"),
        "XDG_CONFIG_HOME": str(place / ".config"),
        "XDG_CACHE_HOME": str(place / ".cache"),
        "XDG_DATA_HOME": str(place / ".local" / "share"),
        # Prices are no part of the job, and a fetch would be the network's time.
        "TOKSCALE_PRICING_CACHE_ONLY": "1",
        "NO_COLOR": "1",
        "TZ": "UTC",
    }
