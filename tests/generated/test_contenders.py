"""What the benches compare does the whole job, and their one limit is a ratio within a run."""

from __future__ import annotations

import json

import loops
import pytest
import ratios
from contenders import CONTENDERS
from corpora import generate
from sessionscan.schema import TABLE_NAMES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("benches")
    generate(made, size=200_000, seed=5, variety=20)
    return made


@pytest.mark.parametrize("name", CONTENDERS)
def test_every_contender_finds_the_generators_totals(name, folder):
    totals = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    contender = CONTENDERS[name]
    assert contender.figures(contender.run(folder)) == loops.expected(totals)


def test_every_table_is_made_by_the_scan_itself(folder):
    """A table that is left for later would cost nothing while the clock runs."""
    corpus = CONTENDERS[ratios.ALL_SETS].run(folder)
    assert set(TABLE_NAMES) <= set(corpus._tables)


def test_the_cost_of_every_table_is_a_ratio():
    best = {ratios.ONE_SET: 0.5, ratios.ALL_SETS: 0.75}
    assert ratios.cost_of_every_table(best) == 1.5
    assert ratios.cost_of_every_table({ratios.ONE_SET: 0.5}) is None
