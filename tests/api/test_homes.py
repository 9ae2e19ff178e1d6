"""Discovery, always in a home that the test has made."""

import pytest
from sessionscan.sources import Root, resolve


@pytest.fixture
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return tmp_path


def claude(folder):
    (folder / "projects").mkdir(parents=True)
    return Root(str(folder), str(folder))


def test_every_place_in_order(user, monkeypatch):
    named = [claude(user / "first"), claude(user / "second")]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{user / 'first'}, {user / 'second'},,~/missing")
    places = (".claude", ".config/claude", ".claude-profiles/b", ".claude-profiles/c", ".claude-x")
    homes = [claude(user / place) for place in places]
    (user / ".codex" / "sessions").mkdir(parents=True)
    codex = Root(str(user / ".codex"), str(user / ".codex"))
    assert resolve(None) == [*named, *homes, codex]


def test_a_folder_that_is_reached_twice_counts_once(user, monkeypatch):
    home = claude(user / ".claude")
    (user / ".claude-link").symlink_to(".claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / ".claude"))
    assert resolve(None) == [home]


def test_a_folder_without_projects_is_no_home(user):
    home = claude(user / ".claude")
    (user / ".claude-notes").mkdir()
    (user / ".claude-notes.txt").touch()
    (user / ".claude-odd").mkdir()
    (user / ".claude-odd" / "projects").touch()
    assert resolve(None) == [home]


def test_an_archive_alone_is_read_from_a_codex_home(user, monkeypatch):
    archived = user / "elsewhere" / "archived_sessions"
    archived.mkdir(parents=True)
    monkeypatch.setenv("CODEX_HOME", str(user / "elsewhere"))
    assert resolve(None) == [Root(str(user / "elsewhere"), str(archived))]


def test_nothing_found_says_where_it_looked(user, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "gone"))
    with pytest.raises(FileNotFoundError) as raised:
        resolve(None)
    for place in ("gone", ".claude", ".config/claude", ".claude-profiles/*", ".claude-*", ".codex"):
        assert str(user / place) in str(raised.value)
