"""Runs the command, in a process of its own or, for the many that differ little, here."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from sessionscan.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: bytes
    stderr: bytes


def process(*arguments, engine="python", **options):
    """Run `python -m sessionscan` with these arguments."""
    command = [sys.executable, "-m", "sessionscan", *map(str, arguments), "--engine", engine]
    done = subprocess.run(command, capture_output=True, check=False, **options)
    return Done(done.returncode, done.stdout, done.stderr)


def run(*arguments, engine="python"):
    """Run the command in this process; an engine of None leaves the option out."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    chosen = ["--engine", engine] if engine else []
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([*map(str, arguments), *chosen])
        except SystemExit as end:
            status = end.code
    out.flush()
    err.flush()
    return Done(status, out.buffer.getvalue(), err.buffer.getvalue())


def output(*arguments, **options):
    """Return what the command prints, as text; it must end well."""
    done = run(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
