"""Which session is meant, and whether it can have kept files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan import one_session

if TYPE_CHECKING:
    from sessionscan.corpus import Corpus

_CODEX = "codex"
_REFUSAL = (
    "is a Codex rollout: it keeps no copies of files, so there is nothing to recover; only "
    "Claude's file-history records and Write calls hold files"
)


def of_session(corpus: Corpus, named: str) -> str:
    """Return the session whose id is `named` or starts with it.

    Raises:
        ValueError: where there is none, several, or a Codex rollout.
    """
    known: set[str | None] = set()
    rollouts: dict[str, str] = {}
    for file in corpus.files.to_pylist():
        if file["kind"] == _CODEX:
            ids = {file["session_id"], file["stem_session_id"]}
            rollouts |= {name: file["path"] for name in ids if name}
        else:
            known |= {file["session_id"], file["stem_session_id"]}
    for table in ("file_history", "tool_calls"):
        known |= set(corpus.table(table)["session_id"].to_pylist())
    known -= rollouts.keys()
    if not any(name is not None and name.startswith(named) for name in known):
        for name, path in rollouts.items():
            if name.startswith(named):
                raise ValueError(f"{path} {_REFUSAL}")
    return one_session.find(named, known)
