"""How the command ends: statuses, closed pipes, interruptions, terminals."""

import os
import pty
import signal
import subprocess
import sys
import termios

import pytest
from api.transcripts import GARDEN, SHED, lines, record, transcript, write_home
from cli.command import run


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["summary", "nothing-here"], "nothing-here"),
        (["summary", "nothing-here/*.jsonl"], "nothing-here"),
        (["summary", "--tz", "UTC"], "looked in"),
        (["usage", ".", "--by", "hour"], "git_branch"),
        (["usage", ".", "--tz", "Europe/Berlln"], "Europe/Berlin"),
        (["usage", ".", "--columns", "words"], "responses"),
        (["usage", ".", "--columns", "model,model"], "twice"),
        (["table", "usage", ".", "--columns", "words"], "output_tokens"),
        (["table", "usage", ".", "--text"], "tool_calls"),
        (["table", "words", "."], "tool_calls"),
        (["table"], "NAME"),
        (["summary", ".", "--threads", "0"], "1 or more"),
        (["summary", ".", "--max-line-bytes", "1k"], "whole number"),
        (["summary", ".", "--threads", "9" * 30], "2^63"),
        (["table", "usage", ".", "--limit", "-1"], "--limit"),
        (["summary", ".", "--format", "xml"], "ndjson"),
        (["summary", ".", "--output", "no/such/folder/out"], "no/such/folder"),
        (["summary", ".", "--output", "."], "folder"),
        (["dance"], "summary"),
        ([], "COMMAND"),
    ],
)
def test_bad_arguments_end_with_2_and_a_clear_line(tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments, engine="python" if arguments[1:] else None)
    assert done.returncode == 2
    assert named in done.stderr.decode()
    assert "error: " in done.stderr.decode().splitlines()[-1]
    assert done.stdout == b""


def test_options_may_stand_anywhere(home):
    for arguments in (
        ["table", "usage", "--format", "csv", home],
        ["table", "--format", "csv", "usage", home],
        ["table", "usage", home, "--format", "csv"],
        ["usage", transcript(home, GARDEN), "--by", "model", transcript(home, SHED)],
    ):
        done = run(*arguments)
        assert done.returncode == 0, done.stderr.decode()


def _many(folder):
    record_ = record("user", GARDEN, "2026-03-01T22:30:00Z", message={"content": "Beans"})
    (folder / f"{GARDEN}.jsonl").write_bytes(lines(record_) * 5000)


@pytest.mark.parametrize("format_", ["table", "csv", "json", "ndjson", "parquet", "arrow"])
def test_a_closed_pipe_ends_quietly(tmp_path, format_):
    _many(tmp_path)
    command = [sys.executable, "-m", "sessionscan", "table", "records", str(tmp_path)]
    command += ["--engine", "python", "--limit", "0", "--format", format_]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(10)
        process.stdout.close()
        complaint = process.stderr.read().decode()
    assert process.returncode == 0
    assert complaint.count("\n") == 1
    assert complaint.startswith("1 file found")


def test_an_interruption_ends_quietly(tmp_path, engine):
    program = (
        "import sys, time, sessionscan.cli as cli\n"
        "def scan(*a, **k):\n"
        "    print('reading', flush=True)\n"
        "    time.sleep(60)\n"
        "cli.scan = scan\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", program, "summary", str(tmp_path), "--engine", engine]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"reading\n"
        process.send_signal(signal.SIGINT)
        complaint = process.stderr.read()
    assert process.returncode == 130
    assert complaint == b""


def _on_a_terminal(home, *arguments, without_tqdm):
    """Return what the command writes to standard error where that is a terminal."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (24, 120))
    program = "import sys; from sessionscan.cli import main; sys.exit(main(sys.argv[1:]))"
    if without_tqdm:
        program = "import sys; sys.modules['tqdm'] = None; " + program
    command = [sys.executable, "-c", program, *arguments, str(home), "--engine", "python"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        process.communicate()
    written = os.read(ours, 65536).decode()
    os.close(ours)
    return process.returncode, written


@pytest.mark.parametrize("without_tqdm", [True, False])
def test_progress_is_shown_on_a_terminal(home, without_tqdm):
    status, written = _on_a_terminal(home, "summary", without_tqdm=without_tqdm)
    assert status == 0
    assert "of 3 files" in written
    assert "3 files found: 3 read" in written.splitlines()[-1]


def test_bytes_are_refused_on_a_terminal(home):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sessionscan", "table", "usage", str(home)]
    command += ["--format", "parquet", "--engine", "python"]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert b"--output" in done.stderr
