"""Writes the parts of the README and of docs/tables.md that follow from something else.

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
from sessionscan.schema import CENSUS, SEVERITY, TABLES, VOCABULARIES, message

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "tables.md"
_FILLED_IN = {
    name: f"{{{name}}}"
    for name in (
        *("reason", "label", "offset", "length", "limit"),
        *("column", "records", "columns", "name"),
    )
}
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


def overview():
    """Return the part of the README that names every table."""
    rows = "\n".join(
        f"| [`{table.name}`](docs/tables.md#{table.name}) | {_cell(table.row)} | {_made(table)} |"
        for table in TABLES.values()
    )
    return f"| table | a row is | made |\n|---|---|---|\n{rows}"


def tables():
    """Return the part of the page that describes every table, vocabulary and finding."""
    parts = [*map(_table, TABLES.values()), _vocabularies(), _findings()]
    return "\n\n".join(parts)


def _made(table):
    if table.name == CENSUS:
        return "where it is named"
    return "by default" if table.core else "when it is asked for"


def between_markers(text):
    """Return what stands between the markers."""
    return text.split(BEGIN)[1].split(END)[0].strip("\n")


def _table(table):
    rows = "\n".join(
        f"| `{column.name}` | {_type(table, column)} | {_cell(column.meaning)} |"
        for column in table.columns
    )
    return (
        f"## {table.name}\n\n"
        f"A row is {table.row}. Rows are in the order of {table.order}.\n\n"
        f"| column | type | meaning |\n|---|---|---|\n{rows}"
    )


def _vocabularies():
    rows = "\n".join(
        f"| `{name}` | {', '.join(f'`{word}`' for word in words)} |"
        for name, words in VOCABULARIES.items()
        if not name.startswith("known_")
    )
    return f"## Vocabularies\n\n| vocabulary | words |\n|---|---|\n{rows}"


def _findings():
    rows = "\n".join(
        f"| `{code}` | {severity} | {_cell(message(code, **_FILLED_IN))} |"
        for code, severity in SEVERITY.items()
    )
    return f"## Findings\n\n| code | severity | message |\n|---|---|---|\n{rows}"


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
    return _with_tables(text, overview())


def _with_tables(text, part):
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n\n{part}\n\n{END}{after}"


if __name__ == "__main__":
    chosen = sys.argv[1] if sys.argv[1:] else "rust"
    README.write_text(_rewritten(README.read_text(encoding="utf-8"), chosen), encoding="utf-8")
    PAGE.write_text(_with_tables(PAGE.read_text(encoding="utf-8"), tables()), encoding="utf-8")
