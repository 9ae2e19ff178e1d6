"""Holds the tables of two engines against each other, and names the first cell that differs."""

from __future__ import annotations

import sessionscan as ss
from sessionscan.schema import ALL_TABLE_NAMES

# What an assertion shows of a cell; some cells hold whole files.
_SHOWN = 300


def scan(sources, engine, **options):
    """Scan with one engine and compute every table at once, those too that "all" leaves out."""
    return ss.scan(sources, engine=engine, tables=ALL_TABLE_NAMES, **options)


def assert_engines_agree(sources, **options):
    """Scan `sources` with both engines; fail where any table or the coverage differs."""
    assert_equal(scan(sources, "rust", **options), scan(sources, "python", **options))


def assert_equal(rust, python):
    """Fail with the first difference between two corpora."""
    for name in ALL_TABLE_NAMES:
        found = difference(name, rust.table(name), python.table(name))
        assert found is None, found
    assert rust.coverage == python.coverage, f"coverage: {rust.coverage!r} != {python.coverage!r}"


def difference(name, rust, python):
    """Return how table `name` of the Rust engine differs from the reference's, or None."""
    if rust.equals(python, check_metadata=True):
        return None
    if not rust.schema.equals(python.schema, check_metadata=True):
        return f"{name}: the schemas differ\nrust:\n{rust.schema}\npython:\n{python.schema}"
    cells = _first_cell(name, rust, python)
    if cells is not None:
        return cells
    if rust.num_rows != python.num_rows:
        more, longer = ("rust", rust) if rust.num_rows > python.num_rows else ("python", python)
        row = min(rust.num_rows, python.num_rows)
        extra = _short(longer.slice(row, 1).to_pylist()[0])
        return f"{name}: rows {rust.num_rows} != {python.num_rows}; {more} has row {row}: {extra}"
    return _dictionaries(name, rust, python)


def _first_cell(name, rust, python):
    """Return the first differing cell in row order, then column order."""
    rows = min(rust.num_rows, python.num_rows)
    firsts = []
    for place, column in enumerate(rust.column_names):
        ours, theirs = rust[column].to_pylist()[:rows], python[column].to_pylist()[:rows]
        if ours != theirs:
            row = next(at for at in range(rows) if ours[at] != theirs[at])
            firsts.append((row, place, column, ours[row], theirs[row]))
    if not firsts:
        return None
    row, _, column, ours, theirs = min(firsts, key=lambda first: first[:2])
    line = ""
    if "line" in rust.column_names:
        line = f" (python: file {python['file_id'][row]}, line {python['line'][row]})"
    return f"{name} row {row}{line}, {column}: rust {_short(ours)} != python {_short(theirs)}"


def _dictionaries(name, rust, python):
    """Return the first column whose cells agree while its dictionary does not."""
    for column in rust.column_names:
        ours, theirs = rust[column], python[column]
        if not ours.equals(theirs):
            return f"{name}.{column}: dictionaries differ: {_words(ours)} != {_words(theirs)}"
    return f"{name}: the tables differ, though every column is equal"


def _words(column):
    return [chunk.dictionary.to_pylist() for chunk in column.chunks]


def _short(value):
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
