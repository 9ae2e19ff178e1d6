"""Figures over real transcripts, against a reading of the contract made apart from this project."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow.compute as pc
import pytest
from parity import realdata
from sessionscan.totals import totals

# Figures that differ from the other reading, each with the reason why ours stands:
# path in EXPECTED.json -> (our value, why).
EXPLAINED: dict[str, tuple[object, str]] = {}


@pytest.fixture
def expected():
    realdata.require()
    return json.loads((realdata.FOLDER / "EXPECTED.json").read_text(encoding="utf-8"))


@pytest.fixture
def corpus(engine):
    realdata.require()
    return realdata.scanned(engine, text=True)


def claudes(corpus, name):
    """Return the rows of a table that no rollout has: the other reading leaves rollouts out."""
    files = corpus.files
    rollouts = files.filter(pc.equal(files["kind"].cast("string"), "codex"))["file_id"]
    table = corpus.table(name)
    return table.filter(pc.invert(pc.is_in(table["file_id"], rollouts.combine_chunks())))


def counts(column):
    return dict(sorted(Counter(column.to_pylist()).items()))


def model_figures(usage, columns):
    rows = usage.select(["model", *columns]).to_pylist()
    figures = {}
    for row in rows:
        sums = figures.setdefault(row["model"], dict.fromkeys(columns, 0) | {"responses": 0})
        sums["responses"] += 1
        for name in columns:
            sums[name] += row[name] or 0
    return figures


def figures(corpus, expected):
    """Return what EXPECTED.json holds, as the tables say it."""
    tokens = list(expected["session"])
    usage, iterations = claudes(corpus, "usage"), claudes(corpus, "usage_iterations")
    session, once = (totals(usage, iterations, scope) for scope in ("session", "corpus"))
    files, calls = corpus.files, claudes(corpus, "tool_calls")
    return {
        "files": files.num_rows,
        "copies_of_files": counts(files["status"]).get("copy", 0),
        "call_copies": counts(calls["is_copy"]).get(True, 0),
        "records": corpus.coverage.records,
        "replays": counts(corpus.records["is_replay"]).get(True, 0),
        "responses": session["responses"],
        "conflicts": session["conflicts"],
        "copies": session["copies"],
        "uncertain": session["uncertain"],
        "lower_bound": session["lower_bound"],
        "session": {name: session[name] for name in tokens},
        "corpus": {name: once[name] for name in tokens},
        "models": model_figures(usage, tokens),
        "calls": calls.num_rows,
        "outcomes": counts(calls["outcome"]),
        "tools": counts(calls["tool_name"]),
        "diagnostics": {
            code: count
            for code, count in counts(corpus.diagnostics["code"]).items()
            if code in expected["diagnostics"]
        },
        "types": dict(corpus.coverage.records_by_type),
    }


def explained(expected):
    """Return the expected figures with the explained exceptions put in their places."""
    figures = json.loads(json.dumps(expected))
    for path, (value, reason) in EXPLAINED.items():
        assert reason
        *parents, name = path.split(".")
        place = figures
        for parent in parents:
            place = place[parent]
        assert place[name] != value, f"{path} is no exception any more"
        place[name] = value
    return figures


def test_every_figure(corpus, expected):
    ours = figures(corpus, expected)
    assert set(ours) == set(expected)
    differing = {
        name: (ours[name], value)
        for name, value in explained(expected).items()
        if ours[name] != value
    }
    assert differing == {}
