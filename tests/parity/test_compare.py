"""The comparer itself: it must find what differs, or parity means nothing."""

from __future__ import annotations

import pyarrow as pa
import pytest
from parity.compare import difference
from sessionscan.schema import arrow_schema


def table(**columns):
    schema = arrow_schema("diagnostics")
    rows = len(next(iter(columns.values())))
    filled = {name: columns.get(name, [None] * rows) for name in schema.names}
    return pa.table(
        [pa.array(values, schema.field(name).type) for name, values in filled.items()],
        schema=schema,
    )


ROWS = {"file_id": [0, 0, 1], "line": [1, 2, 1], "code": ["bom", "malformed", "bom"]}


def test_equal_tables_have_no_difference():
    assert difference("diagnostics", table(**ROWS), table(**ROWS)) is None


def test_tables_in_several_chunks_are_equal():
    whole = table(**ROWS)
    parts = pa.concat_tables([whole.slice(0, 1), whole.slice(1)])
    assert difference("diagnostics", parts, whole) is None


def test_the_first_differing_cell_is_named():
    other = ROWS | {"count": [None, 3, 4], "code": ["bom", "malformed", "nul_run"]}
    found = difference("diagnostics", table(**ROWS), table(**other))
    assert found == "diagnostics row 1 (python: file 0, line 2), count: rust None != python 3"


def test_a_row_too_many_is_shown():
    fewer = {name: values[:2] for name, values in ROWS.items()}
    found = difference("diagnostics", table(**ROWS), table(**fewer))
    assert found.startswith("diagnostics: rows 3 != 2; rust has row 2: {'file_id': 1,")


@pytest.mark.parametrize("part", ["metadata", "nullable"])
def test_schemas_must_agree_in_everything(part):
    ours, theirs = table(**ROWS), table(**ROWS)
    if part == "metadata":
        theirs = theirs.replace_schema_metadata({"table": "other"})
    else:
        fields = [field.with_nullable(True) for field in theirs.schema]
        theirs = theirs.cast(pa.schema(fields, metadata=theirs.schema.metadata))
    assert "schemas differ" in difference("diagnostics", ours, theirs)


def test_dictionaries_must_have_one_order():
    ours, place = table(**ROWS), table(**ROWS).column_names.index("code")
    turned = pa.DictionaryArray.from_arrays(
        pa.array([1, 0, 1], pa.int32()), pa.array(["malformed", "bom"])
    )
    theirs = ours.set_column(place, ours.schema.field("code"), turned)
    found = difference("diagnostics", ours, theirs)
    assert found.startswith("diagnostics.code: dictionaries differ")
