"""Rust and reference agree to the cell over everything at hand (SPEC, promise 4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract import cases
from corpora import generate
from parity import realdata
from parity.compare import assert_engines_agree, assert_equal

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
SHAPES = sorted(path for path in FIXTURES.glob("claude/*") if path.is_dir())

CASES = {f"{file}: {case['name']}": case for file, case in cases.load()}

OPTIONS = {
    "default": {},
    "text": {"text": True},
    "keep": {"copies": "keep", "text": True},
    "short lines": {"max_line_bytes": 700, "text": True},
    "one thread, never mapped": {"threads": 1, "mmap": "never"},
    "always mapped": {"mmap": "always"},
}
# Over what is large: the options that change a result, together.
LARGE = {
    "text": {"text": True},
    "keep, short lines": {"copies": "keep", "max_line_bytes": 20_000},
}


def over(options):
    return pytest.mark.parametrize("options", options.values(), ids=options)


@over(OPTIONS)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda path: path.name)
def test_every_fixture(shape, options):
    assert_engines_agree(shape, **options)


@over(OPTIONS)
@pytest.mark.parametrize("folder", ["claude", "corpus"])
def test_fixtures_together(folder, options):
    assert_engines_agree(FIXTURES / folder, **options)


def test_there_are_fixtures():
    """Without this, a moved folder would leave nothing to compare and nobody to say so."""
    assert SHAPES


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_contract_case(case, tmp_path):
    roots = cases.write(case, tmp_path)
    assert_engines_agree(roots, **{"text": True} | case.get("options", {}))
    assert_engines_agree(roots, copies="keep")


@over(OPTIONS)
@pytest.mark.parametrize("seed", [11, 12])
def test_generated_corpora(seed, options, tmp_path):
    generate(tmp_path, size=300_000, seed=seed, variety=20)
    assert_engines_agree(tmp_path, **options)


@over(LARGE)
def test_real_transcripts(options):
    realdata.require()
    assert_equal(realdata.scanned("rust", **options), realdata.scanned("python", **options))
