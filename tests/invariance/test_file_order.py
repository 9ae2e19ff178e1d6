"""The same files in another order: other file ids, and the same rows."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
import sessionscan as ss
from invariance.corpus import write, write_rollouts

# Which of equal files stands, and so which rows there are, follows the order by rule.
# With copies kept every file is read as its own, and what is said of it must not change.
KEPT = {"copies": "keep", "text": True, "tables": "all"}


def rows(corpus, name):
    """Return a table's rows with paths in the place of file ids, in no order."""
    paths = dict(zip(*corpus.files.select(["file_id", "path"]).to_pydict().values(), strict=True))
    found = Counter()
    for row in corpus.table(name).to_pylist():
        # Of equal copies the latest in file order is retained, and its conflict named there.
        if row.get("code") == "usage_conflict":
            continue
        row["file_id"] = paths[row["file_id"]]
        row.pop("source", None)
        row.pop("sources", None)
        found[repr(sorted(row.items()))] += 1
    return found


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return write(tmp_path_factory.mktemp("order"))


def test_files_in_any_order(paths, engine, tmp_path):
    """Per-file tables: their rows are the same sets whatever the order of the sources."""
    paths = [*paths, *write_rollouts(tmp_path)]
    expected = ss.scan(paths, engine=engine, **KEPT)
    orders = [paths[::-1], paths[3:] + paths[:3], sorted(paths), paths[1::2] + paths[::2]]
    for order in orders:
        corpus = ss.scan(order, engine=engine, **KEPT)
        for name in ("files", "records", "blocks", "diagnostics"):
            assert rows(corpus, name) == rows(expected, name), name


def test_sums_in_any_order(paths, engine):
    """Joined tables: what a response or a session adds up to never depends on the order."""
    expected = ss.scan(paths, engine=engine, **KEPT)
    for order in itertools.islice(itertools.permutations(paths), 0, None, 500):
        corpus = ss.scan(order, engine=engine, **KEPT)
        for scope in ("session", "corpus"):
            assert corpus.totals(scope=scope) == expected.totals(scope=scope)
        assert figures(corpus) == figures(expected)


def figures(corpus):
    sessions = corpus.sessions.to_pylist()
    kept = ("n_files", "n_records", "n_responses", "n_tool_calls", "n_failed", "output_tokens")
    return {row["session_id"]: [row[name] for name in kept] for row in sessions}


def test_a_folder_is_its_files(paths, engine):
    """Files named one by one give the rows of the folder that holds them."""
    folder = next(path for path in paths[0].parents if path.name == "one")
    listed = [path for path in paths if folder in path.parents]
    whole = ss.scan(folder, engine=engine, text=True, tables="all")
    parts = ss.scan(sorted(listed, key=str), engine=engine, text=True, tables="all")
    for name in whole.table_names:
        assert rows(parts, name) == rows(whole, name), name
