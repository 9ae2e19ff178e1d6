"""Whichever way a table is asked for, it is the same table."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import sessionscan as ss
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_corpora.files import corpora
from parity.compare import difference
from sessionscan.schema import ALL_TABLE_NAMES, TABLE_NAMES, TABLES

EXAMPLES = int(os.environ.get("SESSIONSCAN_EXAMPLES", "2000")) // 40
few = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
names = st.sampled_from(ALL_TABLE_NAMES)


def assert_table(name, ours, theirs):
    found = difference(name, ours, theirs)
    assert found is None, found


@few
@given(corpora(damage=True), names)
def test_alone_or_with_all_others(engine, made, name):
    with made.on_disk() as roots:
        whole = ss.scan(roots, engine=engine, tables="all")
        assert_table(
            name, ss.scan(roots, engine=engine, tables=[name]).table(name), whole.table(name)
        )
        later = ss.scan(roots, engine=engine, tables=["files"])
        assert_table(name, later.table(name), whole.table(name))


@few
@given(corpora(damage=True), names, st.sampled_from((1, 2, 7, 65_536)))
def test_as_a_stream(engine, made, name, batch_rows):
    with made.on_disk() as roots:
        expected = ss.scan(roots, engine=engine, tables=[name]).table(name)
        reader = ss.reader(roots, name, batch_rows=batch_rows, engine=engine)
        batches = list(reader)
        assert all(batch.num_rows <= batch_rows for batch in batches)
        streamed = pa.Table.from_batches(batches, reader.schema).unify_dictionaries()
        assert_table(name, streamed, expected)


@few
@given(corpora(damage=True))
def test_text_fills_its_columns_and_changes_no_other(engine, made):
    with made.on_disk() as roots:
        bare = ss.scan(roots, engine=engine, tables="all")
        full = ss.scan(roots, engine=engine, tables="all", text=True)
        for name in TABLE_NAMES:
            words = [
                column for column in TABLES[name].text if column in bare.table(name).column_names
            ]
            assert all(
                bare.table(name)[column].null_count == len(bare.table(name)) for column in words
            )
            assert_table(name, bare.table(name).drop(words), full.table(name).drop(words))


@few
@given(corpora(damage=True))
def test_a_second_copy_of_everything_adds_only_copies(engine, made):
    """Files that have a session are copies under another root: rows of `files`, no more."""
    with made.on_disk() as roots:
        once = ss.scan(roots, engine=engine, tables="all")
        again = Path(roots[0]).parent / "zzz"
        for path, session in zip(*once.files.select(["path", "session_id"]), strict=True):
            if session.as_py() is not None:
                copied = again / Path(path.as_py()).relative_to(again.parent)
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(Path(path.as_py()).read_bytes())
        if not again.exists():
            return
        twice = ss.scan([*roots, str(again)], engine=engine, tables="all")
        assert set(twice.files["status"].to_pylist()[len(once.files) :]) == {"copy"}
        for name in TABLE_NAMES:
            if name != "files":
                assert_table(name, twice.table(name), once.table(name))
        assert twice.coverage.records == once.coverage.records
