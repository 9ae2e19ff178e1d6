"""Runs every case of a search on both engines (format: fixtures/README.md)."""

from __future__ import annotations

import tomllib
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
import sessionscan as ss
from contract.cases import write

FOLDER = Path(__file__).parents[2] / "fixtures" / "search"
KEYS = {"name", "rule", "why", "roots", "files", "search", "expect"}
EXPECTED = {"hits", "sessions", "searched", "error"}


def load():
    """Return every case with the name of its file, in order."""
    return [
        (path.stem, case)
        for path in sorted(FOLDER.glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    ]


CASES = load()


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{stem}: {case['name']}") for stem, case in CASES]
)
def test_case(case, engine, tmp_path):
    roots = write(case, tmp_path)
    asked = dict(case["search"])
    words = asked.pop("words")
    expect = case["expect"]
    if "error" in expect:
        with pytest.raises(ValueError, match=expect["error"]):
            ss.search(words, roots, engine=engine, **asked)
        return
    found = ss.search(words, roots, engine=engine, **asked)
    for name in ("hits", "sessions"):
        if name in expect:
            table = getattr(found, name)
            assert shown(table, expect[name], str(tmp_path)) == expect[name], case["rule"]
    numbers = found.searched.as_dict()
    wanted = expect.get("searched", {})
    assert {name: numbers[name] for name in wanted} == wanted, case["rule"]


def shown(table, rows, folder):
    """Return a table as a case spells it: of each row the columns that the case names."""
    found = table.to_pylist()
    named = [set(row) for row in rows] + [set(table.column_names)] * (len(found) - len(rows))
    return [
        {name: spelt(row[name], folder) for name in row if name in wanted}
        for row, wanted in zip(found, named, strict=False)
    ]


def spelt(value, folder):
    if value is None:
        return "<null>"
    if isinstance(value, list):
        return [spelt(each, folder) for each in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, str):
        return value.removeprefix(f"{folder}/")
    return value


def test_cases_are_well_formed():
    names = Counter((stem, case["name"]) for stem, case in CASES)
    assert [name for name, count in names.items() if count > 1] == []
    assert len(CASES) >= 30
    for stem, case in CASES:
        assert {"name", "rule", "files", "search", "expect"} <= set(case), (stem, case["name"])
        assert set(case) <= KEYS, (stem, case["name"])
        assert set(case["expect"]) <= EXPECTED, (stem, case["name"])
