"""Runs every contract case on both engines."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest
import sessionscan
from contract import cases
from sessionscan.schema import TABLE_NAMES

CASES = cases.load()
NULL = "<null>"
RELATIVE = {"path", "source", "sources", "meta_path"}
# Made only when it is named: a case that expects its rows names it.
CENSUS = "census"


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{stem}: {case['name']}") for stem, case in CASES]
)
def test_case(case, engine, tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    roots = cases.write(case, folder)
    expect = {"diagnostics": [], **case["expect"]}
    tables = [*TABLE_NAMES, CENSUS] if CENSUS in expect else "all"
    corpus = sessionscan.scan(roots, engine=engine, tables=tables, **case.get("options", {}))
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
    if name in RELATIVE and (value == folder or value.startswith(f"{folder}/")):
        return value[len(folder) + 1 :] or "."
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
