"""Generated transcripts, damaged too, give the tables that they gave."""

import tempfile
from pathlib import Path

import pyarrow as pa
import sessionscan as ss
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_corpora.files import contents, damaged

STEM = "61000000-0000-4000-8000-000000000001"
COMPARED = {"code", "severity", "kind", "reason", "outcome", "evidence", "result_kind", "carrier"}


def same(table):
    """Name the columns that no new name may change."""
    return [
        field.name
        for field in table.schema
        if field.name in COMPARED or not _holds_words(field.type)
    ]


def in_order(name, table):
    """Return the columns that are compared, in an order that no new name changes.

    Rows of `links` to sessions that are nowhere else stand in the order of their ids.
    """
    rows = table.select(same(table))
    if name != "links":
        return rows
    return pa.Table.from_pylist(sorted(rows.to_pylist(), key=repr))


def _holds_words(type_):
    return any(pa.types.is_string(each) for each in (type_, getattr(type_, "value_type", type_)))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(contents().flatmap(damaged), st.booleans())
def test_tables_findings_and_places_stay(text, with_copies):
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / f"{STEM}.jsonl", Path(folder) / "out"
        source.write_bytes(text)
        out.mkdir()
        ss.sanitize(source, out, key="a key of the tests")
        (written,) = out.iterdir()
        assert written.stat().st_size == len(text)
        copies = "keep" if with_copies else "collapse"
        old, new = (
            ss.scan(str(each), tables="all", text=True, copies=copies) for each in (source, written)
        )
        for name in old.table_names:
            before, after = (in_order(name, each.table(name)) for each in (old, new))
            assert after.equals(before), name
