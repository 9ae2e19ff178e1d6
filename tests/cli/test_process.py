"""Each command as a process of its own says what it says when it is called."""

import subprocess
import sys
from pathlib import Path

import pytest
from api.transcripts import GARDEN, SHED, transcript, write_home
from cli.command import process, run

COMMANDS = [
    ["summary"],
    ["usage", "--by", "week,model"],
    ["tools"],
    ["sessions"],
    ["diagnostics"],
    ["table", "records"],
]


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_process_says_the_same(home, engine, command):
    done = process(*command, home, engine=engine)
    assert done == run(*command, home, engine=engine)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.startswith(b"3 files found: 3 read, ")
    assert done.stderr.count(b"\n") == 1


def test_the_installed_command_is_the_module(home):
    script = Path(sys.executable).with_name("sessionscan")
    if not script.exists():
        pytest.skip("the package is not installed beside this Python")
    done = subprocess.run(
        [script, "tools", home, "--engine", "python"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, process("tools", home).stdout)


def test_a_missing_source_ends_with_2(tmp_path):
    done = process("summary", tmp_path / "nothing")
    assert done.returncode == 2
    assert done.stdout == b""
    reason = f"sessionscan: error: No such file or directory: {tmp_path / 'nothing'}\n"
    assert done.stderr.decode() == reason


def test_strict_ends_with_1(home, engine):
    done = process("sessions", home, "--strict", engine=engine)
    assert done.returncode == 1
    place = f"{transcript(home, SHED)}:1:0"
    line = f"{place}: malformed: the line ends too early at column 9\n"
    assert done.stderr.decode().splitlines(keepends=True)[1:] == [line]
    assert SHED in done.stdout.decode()
    assert process("sessions", transcript(home, GARDEN), "--strict", engine=engine).returncode == 0


def test_homes_are_discovered(home, engine, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    done = process("sessions", "--format", "ndjson", engine=engine)
    assert done.stdout.count(b"\n") == 3
