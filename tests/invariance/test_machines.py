"""However strings are found, the tables are the same: each way is forced once."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from corpora import generate
from invariance.corpus import SESSION, odd_file
from invariance.extension import assert_same, scanned

FIXTURES = Path(__file__).parents[2] / "fixtures"
MACHINES = ("bytewise", "portable", "sixteen", "avx2")


def machines():
    from sessionscan import _core  # noqa: PLC0415

    return _core.machines()


@pytest.fixture(params=MACHINES)
def machine(request):
    if request.param not in machines():
        pytest.skip(f"this machine has no {request.param}")
    return request.param


def test_the_ways_are_known_and_the_portable_ones_are_everywhere():
    assert tuple(machines()) in (MACHINES, MACHINES[:3])
    if platform.machine() not in ("x86_64", "AMD64"):
        assert "avx2" not in machines()


def test_fixtures(machine):
    assert_same(scanned(FIXTURES, machine=machine), scanned(FIXTURES))


def test_the_odd_file(machine, tmp_path):
    path = tmp_path / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    path.write_bytes(odd_file())
    assert_same(scanned(path, machine=machine), scanned(path))


def test_a_generated_corpus(machine, tmp_path):
    generate(tmp_path, seed=11, size=3_000_000)
    assert_same(scanned(tmp_path, machine=machine, chunk_bytes=200_000), scanned(tmp_path))


def test_a_way_that_is_none_raises():
    with pytest.raises(ValueError, match="machine"):
        scanned(FIXTURES, machine="abacus")
