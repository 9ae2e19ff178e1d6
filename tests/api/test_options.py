"""Arguments that mean nothing are refused before anything is read."""

import pytest
import sessionscan as ss
from sessionscan.options import table_names
from sessionscan.schema import CORE, TABLE_NAMES


def test_tables_are_named_in_the_order_of_the_schema():
    assert table_names(None) == CORE
    assert table_names("all") == TABLE_NAMES
    assert table_names(["usage", "files", "usage"]) == ("files", "usage")
    assert table_names([]) == ()
    assert table_names(iter(["records"])) == ("records",)
    assert table_names(["census", "files"]) == ("files", "census")
    assert "census" not in table_names("all")


@pytest.mark.parametrize(
    ("options", "error", "named"),
    [
        ({"engine": "go"}, ValueError, "rust, python"),
        ({"engine": None}, TypeError, "engine"),
        ({"tables": "usage"}, ValueError, "list of names"),
        ({"tables": ["usages"]}, ValueError, "tool_calls"),
        ({"tables": 5}, TypeError, "tables"),
        ({"tables": [5]}, TypeError, "tables"),
        ({"threads": 0}, ValueError, "1 or more"),
        ({"threads": True}, TypeError, "threads"),
        ({"threads": "2"}, TypeError, "threads"),
        ({"threads": 2**64}, ValueError, "threads"),
        ({"mmap": "sometimes"}, ValueError, "auto, always, never"),
        ({"copies": "drop"}, ValueError, "collapse, keep"),
        ({"max_line_bytes": 0}, ValueError, "1 or more"),
        ({"max_line_bytes": 1.5}, TypeError, "max_line_bytes"),
        ({"text": 1}, TypeError, "text"),
        ({"strict": "yes"}, TypeError, "strict"),
        ({"on_progress": 3}, TypeError, "on_progress"),
    ],
)
def test_scan_says_what_is_allowed(tmp_path, options, error, named):
    with pytest.raises(error, match=named):
        ss.scan(tmp_path, **{"engine": "python", **options})


@pytest.mark.parametrize(
    ("options", "error", "named"),
    [
        ({"table": "usages"}, ValueError, "tool_calls"),
        ({"batch_rows": 0}, ValueError, "1 or more"),
        ({"batch_rows": 1.0}, TypeError, "batch_rows"),
        ({"engine": "go"}, ValueError, "rust, python"),
        ({"mmap": "sometimes"}, ValueError, "auto, always, never"),
    ],
)
def test_reader_says_what_is_allowed(tmp_path, options, error, named):
    with pytest.raises(error, match=named):
        ss.reader(tmp_path, **{"table": "usage", "engine": "python", **options})


def test_the_options_of_a_scan_are_named():
    with pytest.raises(TypeError):
        ss.scan("a", ["usage"])


def test_schema():
    assert ss.schema("usage").names[:3] == ["file_id", "line", "session_id"]
    assert ss.schema("usage").metadata == {b"table": b"usage", b"schema_version": b"1"}
    with pytest.raises(ValueError, match="tool_calls"):
        ss.schema("usages")


def test_the_reference_has_one_engine(tmp_path):
    with pytest.raises(ValueError, match="allowed are python"):
        ss.reference.scan(tmp_path, engine="rust")
