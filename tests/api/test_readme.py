"""The README and the page of tables say what is so: program, commands, tables."""

import subprocess
import sys

import pytest
from api.readme import (
    PAGE,
    README,
    ROOT,
    between_markers,
    blocks,
    command_output,
    overview,
    program_output,
    tables,
)

TEXT = README.read_text(encoding="utf-8")


def test_the_program_prints_what_it_says(engine):
    assert program_output(blocks(TEXT, "python")[0], engine) == blocks(TEXT, "text")[0]


def test_the_program_runs_as_it_stands():
    program = blocks(TEXT, "python")[0]
    line = [sys.executable, "-c", program]
    done = subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == blocks(TEXT, "text")[0]


@pytest.mark.parametrize("block", blocks(TEXT, "console"))
def test_a_command_prints_what_it_says(block, engine):
    command, printed = block.split("\n", 1)
    assert command_output(command, engine) == printed


def test_the_tables_are_those_of_the_schema():
    assert between_markers(TEXT) == overview(), "run python tests/api/readme.py"
    page = PAGE.read_text(encoding="utf-8")
    assert between_markers(page) == tables(), "run python tests/api/readme.py"


def test_ci_runs_the_two_commands_to_the_letter():
    commands = [line for block in blocks(TEXT, "bash") for line in block.splitlines()]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert len(commands) == 2
    assert [line.strip() for line in script if line.strip() in commands] == commands
