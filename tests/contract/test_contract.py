"""Runs every contract case on both engines."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest
import sessionscan
from contract import cases

CASES = cases.load()
NULL = "<null>"
RELATIVE = {"path", "source", "sources"}


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{stem}: {case['name']}") for stem, case in CASES]
)
def test_case(case, engine, tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    roots = cases.write(case, folder)
    corpus = sessionscan.scan(roots, engine=engine, tables="all", **case.get("options", {}))
    expect = {"diagnostics": [], **case["expect"]}
    coverage = expect.pop("coverage", {})
    for table, rows in expect.items():
        assert shown(corpus.table(table), rows, str(folder)) == rows, f"{table}: {case['rule']}"
    found = {key: getattr(corpus.coverage, key) for key in coverage}
    assert found == coverage, case["rule"]


def shown(table, rows, folder):
    """Return a table as a case spells it: of each row the columns that the case names."""
    found = table.to_pylist()
    named = [set(row) for row in rows] + [set(table.column_names)] * (len(found) - len(rows))
    return [
        {name: _spelt(name, row[name], folder) for name in row if name in wanted}
        for row, wanted in zip(found, named, strict=False)
    ]


def _spelt(name, value, folder):
    if value is None:
        return NULL
    if isinstance(value, list):
        return [_spelt(name, item, folder) for item in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
    if name in RELATIVE:
        return value.removeprefix(folder).removeprefix("/") or "."
    return value


def test_cases_are_well_formed():
    names = Counter((stem, case["name"]) for stem, case in CASES)
    assert [name for name, n in names.items() if n > 1] == []
    assert len(CASES) >= 150
    for stem, case in CASES:
        assert set(case) <= cases.KEYS, (stem, case["name"])
        assert {"name", "rule", "files", "expect"} <= set(case), (stem, case["name"])


def test_cases_name_only_columns_that_exist():
    for stem, case in CASES:
        for table, rows in case["expect"].items():
            if table == "coverage":
                continue
            schema = sessionscan.schema(table)
            for row in rows:
                assert set(row) <= set(schema.names), (stem, case["name"], table)
