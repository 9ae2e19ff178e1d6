"""Writes the parts of the README that follow from something else.

    python tests/api/readme.py [ENGINE]

These are the output of its program, the output of its commands, and the tables.
"""

import io
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path

from sessionscan import api
from sessionscan.schema import TABLES

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BEGIN = "<!-- tables: written by tests/api/readme.py -->"
END = "<!-- end of tables -->"


def blocks(text, language):
    """Return the fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def program_output(program, engine):
    """Return what the program prints in the project's folder, on an engine."""
    printed = io.StringIO()
    defaults = api.scan.__kwdefaults__ | {"engine": engine}
    api.scan.__kwdefaults__, kept = defaults, api.scan.__kwdefaults__
    try:
        with chdir(ROOT), redirect_stdout(printed):
            exec(program, {"__name__": "__main__"})  # noqa: S102 (our own README)
    finally:
        api.scan.__kwdefaults__ = kept
    return printed.getvalue()


def command_output(command, engine):
    """Return what a command line of the README prints, standard error first."""
    program, *arguments = shlex.split(command.removeprefix("$ "))
    if program != "sessionscan":
        raise ValueError(f"{program} is not the command")
    line = [sys.executable, "-m", "sessionscan", *arguments, "--engine", engine]
    done = subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stderr + done.stdout


def tables():
    """Return the part of the README that describes every table."""
    return "\n\n".join(_table(table) for table in TABLES.values())


def between_markers(text):
    """Return what stands between the markers."""
    return text.split(BEGIN)[1].split(END)[0].strip("\n")


def _table(table):
    rows = "\n".join(
        f"| `{column.name}` | {_type(table, column)} | {_cell(column.meaning)} |"
        for column in table.columns
    )
    return (
        f"<details>\n<summary><code>{table.name}</code>: {table.row}</summary>\n\n"
        f"Rows are in the order of {table.order}.\n\n"
        f"| column | type | meaning |\n|---|---|---|\n{rows}\n\n</details>"
    )


def _type(table, column):
    return f"{column.type}, with `text`" if column.name in table.text else column.type


def _cell(meaning):
    return meaning.replace("|", "\\|").replace("<", "&lt;")


def _rewritten(text, engine):
    printed = program_output(blocks(text, "python")[0], engine)
    text = text.replace(f"```text\n{blocks(text, 'text')[0]}```", f"```text\n{printed}```")
    for block in blocks(text, "console"):
        command = block.split("\n", 1)[0]
        said = f"{command}\n{command_output(command, engine)}"
        text = text.replace(f"```console\n{block}```", f"```console\n{said}```")
    return text.replace(
        f"{BEGIN}{text.split(BEGIN)[1].split(END)[0]}{END}", f"{BEGIN}\n\n{tables()}\n\n{END}"
    )


if __name__ == "__main__":
    chosen = sys.argv[1] if sys.argv[1:] else "rust"
    README.write_text(_rewritten(README.read_text(encoding="utf-8"), chosen), encoding="utf-8")
