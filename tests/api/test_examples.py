"""The examples in the docstrings run, on both engines, over the corpus of the fixtures."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest
import sessionscan
from sessionscan import api

ROOT = Path(__file__).parents[2]
EXAMPLES = ("sessionscan", "sessionscan.api", "sessionscan.corpus", "sessionscan.reference")


def _modules():
    found = pkgutil.walk_packages(sessionscan.__path__, "sessionscan.")
    apart = ("sessionscan._core", "sessionscan.__main__")
    return ["sessionscan", *(module.name for module in found if module.name not in apart)]


@pytest.mark.parametrize("name", _modules())
def test_examples(name, engine, monkeypatch):
    monkeypatch.chdir(ROOT)
    for call in (api.scan, api.reader, sessionscan.search):
        monkeypatch.setitem(call.__kwdefaults__, "engine", engine)
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0
    assert results.attempted > 0 or name not in EXAMPLES


@pytest.mark.parametrize("name", sessionscan.__all__)
def test_everything_public_is_documented(name):
    thing = getattr(sessionscan, name)
    assert thing.__doc__
    for member_name, member in vars(thing).items() if isinstance(thing, type) else ():
        if callable(member) and not member_name.startswith("_"):
            assert member.__doc__, member
