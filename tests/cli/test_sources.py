"""`sessionscan sources`."""

import json

import pytest
from cli.command import output, run


@pytest.fixture
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    monkeypatch.delenv("CODEX_HOME")
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    return tmp_path


def test_it_lists_what_there_is_and_what_is_missing(user):
    said = output("sources", engine=None)
    lines = [line.split() for line in said.splitlines()[1:]]
    assert [line[:4] for line in lines] == [
        ["found", "claude", "home", str(user / ".claude")],
        ["missing", "claude", "home", str(user / ".config" / "claude")],
        ["missing", "codex", "home", str(user / ".codex")],
    ]
    rows = json.loads(
        output("sources", "--format", "json", "--columns", "label,n_transcripts", engine=None)
    )
    assert rows[0] == {"label": str(user / ".claude"), "n_transcripts": 0}


def test_a_malformed_registry_ends_with_one_and_a_scan_with_two(user):
    (user / ".claude" / "history-sources.json").write_text('{"version":1,"sources":[1]}')
    done = run("sources", engine=None)
    assert done.returncode == 1
    assert "sources[0]: must be an object" in done.stderr.decode()
    assert b"registry" in done.stdout
    done = run("usage")
    assert done.returncode == 2
    assert "sources[0]: must be an object" in done.stderr.decode()
