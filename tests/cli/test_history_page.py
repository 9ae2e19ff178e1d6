"""The commands of docs/history.md run, and do what stands beside them."""

import json
import shlex
from pathlib import Path

import pytest
import sessionscan as ss
from cli.command import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "history.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ sessionscan ")]


@pytest.mark.parametrize("command", [each for each in COMMANDS if "fixtures/" in each])
def test_a_command_runs(command, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    written = tmp_path / "session.html"
    arguments = [
        str(written) if each == written.name else each for each in shlex.split(command)[1:]
    ]
    done = run(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or written.exists()


def test_most_commands_are_tried():
    assert len([each for each in COMMANDS if "fixtures/" in each]) >= 7


def test_the_registry_is_one_that_is_read(tmp_path, monkeypatch):
    start = PAGE.index("```json\n") + len("```json\n")
    text = PAGE[start : PAGE.index("```", start)]
    assert json.loads(text)["version"] == 1
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "history-sources.json").write_text(text)
    row = ss.sources().to_pylist()[-1]
    assert (row["label"], row["status"], row["required"]) == ("2025", "missing", False)
