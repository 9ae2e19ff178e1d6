"""Nothing of what a transcript says is left."""

import json
import random
from pathlib import Path

import pytest
import sessionscan as ss
from hypothesis import given, settings
from hypothesis import strategies as st
from sanitize.canaries import FORMS, leaks, plant
from sessionscan.reference.split import lines
from sessionscan.sanitizing.lines import sanitized
from sessionscan.sanitizing.names import Names
from sessionscan.sanitizing.paths import Paths
from sessionscan.sanitizing.texts import Texts
from sessionscan.sanitizing.values import Values

FIXTURES = Path(__file__).parents[2] / "fixtures"
KEY = b"a key of the tests"
HOMES = [*sorted((FIXTURES / "claude").iterdir()), FIXTURES / "corpus"]


def rewritten(data):
    """Sanitize a text by itself."""
    names = Names(KEY)
    paths = Paths(names)
    values = Values(KEY, paths, Texts(KEY, paths))
    for line in lines(data):
        sanitized(line, values)
    names.give()
    return [(line.data, sanitized(line, values)) for line in lines(data)]


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
def test_no_canary_is_left(home, tmp_path):
    source = tmp_path / "zebrafalke"
    planted = 0
    for path in home.rglob("*"):
        target = source / path.relative_to(home).with_name(path.name)
        if not path.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        if path.suffix == ".jsonl":
            data = plant(data)
            assert home.name != "corpus" or leaks(data), "what is looked for is there"
            planted += 1
        elif path.name.endswith(".json"):
            data = json.dumps({**json.loads(data), "zebrafalke": FORMS}).encode()
        elif path.suffix not in {".gz", ".zst"}:
            data += b"quokkanaut 8675309867"
        target.write_bytes(data)
    for folder in ("tool-results", "memory"):
        output = source / "projects" / "-home-zebrafalke" / folder / "quokkanaut.md"
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text("wombatron")
    (source / "projects" / "-home-zebrafalke" / "wombatron.jsonl").write_text('{"type":"user"}\n')
    (source / "settings.json").write_text("zebrafalke")
    ss.sanitize(source, tmp_path / "out", key=KEY)
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert planted == 0 or len(written) > planted
    for path in written:
        name = str(path.relative_to(tmp_path / "out")).encode()
        assert leaks(name) == []
        found = leaks(path.read_bytes())
        assert found == [], (path, found)
    assert not list((tmp_path / "out").rglob("settings.json"))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=80), st.integers(0, 2**32))
def test_any_bytes_keep_their_length_and_lose_their_words(noise, seed):
    drawn = random.Random(seed)  # noqa: S311 (a place in a line)
    record = json.dumps(
        {"type": "user", "uuid": "u", "message": {"content": FORMS[seed % len(FORMS)]}}
    )
    data = record.encode()
    place = drawn.randrange(len(data))
    data = data[:place] + noise.replace(b"\n", b"") + data[place:]
    for old, new in rewritten(data + b"\n"):
        assert len(old) == len(new)
        assert leaks(new) == []


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_a_text_keeps_its_characters_and_lines(text):
    data = json.dumps({"type": "user", "message": {"content": text}}).encode()
    ((_, new),) = rewritten(data)
    made = json.loads(new)["message"]["content"]
    assert len(made) == len(text)
    assert [line.isspace() for line in made.split("\n")] == [
        not line.strip(" \t\r") and line != "" for line in text.split("\n")
    ]
    assert made.isascii() == text.isascii()
