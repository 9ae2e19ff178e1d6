"""Registered archives: what is read, what is missing, and what is wrong with the registry."""

import json

import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from sessionscan.sources import Root, resolve

RECORD = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"content": "Low tide."}}


@pytest.fixture
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    home(tmp_path / ".claude")
    return tmp_path


def home(folder, session="a"):
    place = folder / "projects" / "-tide"
    place.mkdir(parents=True)
    line = json.dumps({**RECORD, "sessionId": session, "uuid": session})
    (place / f"{session}.jsonl").write_text(f"{line}\n")
    return folder


def archive(label, folder, **more):
    return {"provider": "claude", "kind": "archive", "label": label, "home": str(folder), **more}


def register(user, *entries, **registry):
    text = json.dumps({"version": 1, "sources": list(entries), **registry})
    (user / ".claude" / "history-sources.json").write_text(text)


def test_archives_are_read_behind_the_homes(user, engine):
    old = home(user / "old", "b")
    register(user, archive("2025", old), archive("again", "~/.claude"))
    assert resolve(None)[1:] == [Root("2025", str(old / "projects"))]
    corpus = ss.scan(engine=engine)
    assert corpus.files["source"].to_pylist() == [str(user / ".claude"), "2025"]
    assert corpus.diagnostics.num_rows == 0
    listed = ss.sources().to_pylist()
    found = [(row["label"], row["n_transcripts"]) for row in listed if row["status"] == "found"]
    assert found == [(str(user / ".claude"), 1), ("2025", 1)]
    again = listed[-1]
    assert (again["label"], again["status"]) == ("again", "repeated")
    assert str(user / ".claude") in again["reason"]


def test_a_missing_archive_is_a_finding_where_it_is_not_required(user, engine, tmp_path):
    entry = archive("lost", user / "gone", required=False)
    register(user, entry, archive("old", home(user / "old", "b")))
    corpus = ss.scan(engine=engine, tables=["usage"], strict=True)
    lost = corpus.files.to_pylist()[1]
    assert (lost["source"], lost["status"]) == ("lost", "unreadable")
    finding = {
        "file_id": 1,
        "line": 0,
        "byte_offset": None,
        "byte_length": None,
        "severity": "warning",
        "code": "missing_archive",
        "message": "the registered archive lost does not exist",
        "count": 1,
    }
    assert corpus.diagnostics.to_pylist() == [finding]
    assert corpus.file_history.num_rows == 0
    assert corpus.diagnostics.to_pylist() == [finding], "a later table keeps it"
    assert corpus.diagnostics.schema == ss.schema("diagnostics")
    assert ss.reader(None, "diagnostics", engine=engine).read_all().to_pylist() == [finding]
    written = ss.to_parquet(None, tmp_path / "out", tables=["usage"], engine=engine)
    assert pq.read_table(written.paths["diagnostics"]).to_pylist() == [finding]
    row = next(row for row in ss.sources().to_pylist() if row["label"] == "lost")
    assert (row["status"], row["reason"]) == ("missing", f"{user / 'gone'} does not exist")


def test_an_archive_without_projects_is_missing(user):
    (user / "empty").mkdir()
    register(user, archive("empty", user / "empty", required=False))
    assert ss.scan().diagnostics["code"].to_pylist() == ["missing_archive"]
    register(user, archive("empty", user / "empty"))
    with pytest.raises(ss.RegistryError, match=r"sources\[0\] \('empty'\): the required"):
        ss.scan()


@pytest.mark.parametrize("required", [{}, {"required": True}])
def test_a_required_archive_that_is_missing_is_an_error(user, required):
    register(user, archive("old", home(user / "old", "b")), archive("x", user / "gone", **required))
    with pytest.raises(ss.RegistryError) as raised:
        ss.scan()
    assert raised.value.entry == "sources[1] ('x')"
    assert str(user / "gone") in str(raised.value)
    assert [row["status"] for row in ss.sources().to_pylist()][-1] == "error"
    assert ss.scan(user / "old").files.num_rows == 1, "what is named is read without it"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("\xff", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "must hold an object, not list"),
        ('{"sources":[]}', "version 1, not None"),
        ('{"version":true,"sources":[]}', "version 1, not True"),
        ('{"version":2,"sources":[]}', "version 1, not 2"),
        ('{"version":1}', "array of sources, not nothing"),
        ('{"version":1,"sources":{}}', "array of sources, not dict"),
    ],
)
def test_a_malformed_registry(user, text, said):
    path = user / ".claude" / "history-sources.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ss.RegistryError, match=said) as raised:
        ss.scan()
    assert (raised.value.path, raised.value.entry) == (str(path), None)
    row = ss.sources().to_pylist()[-1]
    assert (row["kind"], row["status"], row["path"]) == ("registry", "error", str(path))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"provider": "other"}, "provider must be 'claude', not 'other'"),
        ({"kind": None}, "kind must be a text, not None"),
        ({"label": " "}, "label must be a text"),
        ({"home": 5}, "home must be a text, not 5"),
        ({"home": "old"}, "home must be an absolute path"),
        ({"home": "~nobody-at-all/x"}, "is of no known user"),
        ({"required": "yes"}, "required must be true or false"),
        ({"label": "first"}, "its label stands twice"),
    ],
)
def test_a_malformed_entry_is_named(user, change, said):
    first = archive("first", home(user / "old", "b"))
    register(user, first, {**archive("second", user / "old"), **change})
    with pytest.raises(ss.RegistryError, match=said) as raised:
        ss.scan()
    assert raised.value.entry.startswith("sources[1]")
    register(user, first, 7)
    with pytest.raises(ss.RegistryError, match=r"sources\[1\]: must be an object, not int"):
        ss.scan()


def test_every_place_is_listed_with_why(user, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "named"))
    (user / ".claude-notes").mkdir()
    (user / ".claude-notes.txt").touch()
    home(user / ".claude-profiles" / "night", "n")
    (user / ".codex" / "archived_sessions").mkdir(parents=True)
    listed = [
        (row["provider"], row["kind"], row["named_by"], row["status"])
        for row in ss.sources().to_pylist()
    ]
    assert listed == [
        ("claude", "home", "CLAUDE_CONFIG_DIR", "missing"),
        ("claude", "home", "~/.claude", "found"),
        ("claude", "home", "~/.config/claude", "missing"),
        ("claude", "profile", "~/.claude-profiles/*", "found"),
        ("claude", "profile", "~/.claude-*", "no_home"),
        ("codex", "home", "~/.codex", "found"),
    ]
