"""Text tables: numbers to the right, one line a row."""

import pyarrow as pa
from sessionscan.cli.text_table import render


def test_numbers_stand_to_the_right_with_separators():
    table = pa.table({"name": ["a", None], "count": [1234567, None], "line": [1000, 2]})
    assert render(table) == (
        "name      count  line\na     1,234,567  1000\n-             -     2\n"
    )


def test_wide_letters_take_two_columns():
    table = pa.table({"name": ["木", "ab", "e\u0301"], "n": [1, 2, 3]})
    assert render(table) == "name  n\n木    1\nab    2\ne\u0301     3\n"


def test_long_cells_are_cut_with_a_mark():
    shown = render(pa.table({"name": ["x" * 500]})).splitlines()[1]
    assert shown == "x" * 99 + "…"


def test_lists_and_flags():
    table = pa.table({"names": [["a", "b"], []], "flag": [True, None]})
    assert render(table) == "names  flag\na, b   true\n       -\n"


def test_a_limit_says_what_is_left_out():
    assert render(pa.table({"n": [1, 2, 3]}), limit=2).endswith(
        "… 2 of 3 rows; --limit 0 shows all\n"
    )


def test_no_rows_still_have_titles():
    assert render(pa.table({"n": pa.array([], pa.int64())}), titles={"n": "count"}) == "count\n"
