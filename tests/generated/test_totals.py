"""Corpora whose totals are known from their making: the tables must say the same."""

from __future__ import annotations

import json
from collections import Counter

import pytest
import sessionscan as ss
from corpora import generate

SIZE = 1_000_000
# seed -> how much more often than observed rare things happen: from none to many.
SEEDS = {1: 1.0, 2: 10.0, 3: 40.0, 4: 100.0}


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed {seed}")
def made(request, tmp_path_factory):
    """Write a corpus once for both engines; return its folder and its totals."""
    folder = tmp_path_factory.mktemp(f"seed{request.param}")
    generate(folder, size=SIZE, seed=request.param, variety=SEEDS[request.param])
    return folder, json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def counts(column):
    return dict(sorted(Counter(column.to_pylist()).items()))


def by_model(corpus, tokens):
    table = corpus.usage_by("model", scope="session")
    names = [*tokens, "responses"]
    return {row["model"]: {name: row[name] for name in names} for row in table.to_pylist()}


def test_totals_are_the_generators(made, engine):
    folder, expected = made
    corpus = ss.scan(folder, engine=engine)
    tokens = list(expected["session"])
    session, once = corpus.totals(scope="session"), corpus.totals(scope="corpus")
    calls = corpus.tool_calls
    ours = {
        "files": corpus.files.num_rows,
        "files_by_kind": counts(corpus.files["kind"]),
        "bytes": corpus.coverage.bytes,
        "sessions": corpus.sessions.num_rows,
        "workflows": corpus.workflows.num_rows,
        "compactions": corpus.compactions.num_rows,
        "records": corpus.coverage.records,
        "records_by_type": dict(corpus.coverage.records_by_type),
        "replays": sum(corpus.files["replays"].to_pylist()),
        "blocks": counts(corpus.blocks["block_type"]),
        "responses": session["responses"],
        "copies": session["copies"],
        "conflicts": session["conflicts"],
        "lower_bound": session["lower_bound"],
        "uncertain": session["uncertain"],
        "session": {name: session[name] for name in tokens},
        "corpus": {name: once[name] for name in tokens},
        "models": by_model(corpus, tokens),
        "usage_iterations": corpus.usage_iterations.num_rows,
        "calls": calls.num_rows,
        "call_copies": counts(calls["is_copy"]).get(True, 0),
        "outcomes": counts(calls["outcome"]),
        "evidence": counts(calls["evidence"]),
        "tools": counts(calls["tool_name"]),
        "diagnostics": counts(corpus.diagnostics["code"]),
    }
    differing = {
        name: (ours[name], expected[name]) for name in ours if ours[name] != expected[name]
    }
    assert differing == {}
    assert set(expected) - set(ours) == {"seed", "size", "variety"}


def test_corpus_scope_is_session_scope_without_copies(made, engine):
    folder, expected = made
    corpus = ss.scan(folder, engine=engine, tables=["usage"])
    assert corpus.totals(scope="corpus")["responses"] == expected["responses"] - expected["copies"]
