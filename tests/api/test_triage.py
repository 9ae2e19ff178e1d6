"""Sessions that may wait for a person, and counts of kinds."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
import sessionscan as ss
from sessionscan.triage import SCHEMA

FIXTURES = Path(__file__).parents[2] / "fixtures"

ENDINGS = FIXTURES / "claude/endings"


def values(rows, *names):
    return [tuple(row[name] for name in names) for row in rows.to_pylist()]


def test_those_that_may_wait_stand_first(engine):
    corpus = ss.scan(ENDINGS, text=True, engine=engine)
    found = corpus.triage(tail_chars=14)
    assert found.schema == SCHEMA
    assert values(found, "kind", "ends_with_question", "n_pending", "tail") == [
        ("interrupted", False, 0, "Let me see."),
        ("api_error", False, 0, "or: Overloaded"),
        ("no_reply", None, 0, None),
        ("no_reply", None, 1, None),
        ("done", True, 0, "measure again?"),
        ("done", False, 0, "Four fathoms."),
        ("empty", None, 0, None),
    ]
    moments = found["last_timestamp"].to_pylist()
    assert moments[2] > moments[3], "of equal ones the latest"
    assert set(found["project"].to_pylist()) == {"/home/iva/tide-table"}
    lines = dict(values(corpus.endings, "session_id", "line"))
    assert dict(values(found, "session_id", "line")) == lines


def test_kinds_and_tails(engine):
    corpus = ss.scan(ENDINGS, text=True, engine=engine)
    done = corpus.triage(kinds=["done", "empty"])
    assert values(done, "kind", "tail") == [
        ("done", "Four fathoms. Shall I measure again?"),
        ("done", "Four fathoms."),
        ("empty", None),
    ]
    assert values(corpus.triage(kinds=["done"], tail_chars=0), "tail") == [("",), ("",)]
    assert corpus.triage(kinds=[]).num_rows == 0
    bare = ss.scan(ENDINGS, engine=engine)
    assert bare.triage()["tail"].null_count == 7
    for bad in ({"kinds": ["finished"]}, {"tail_chars": -1}):
        with pytest.raises(ValueError, match=r"interrupted|0 or more"):
            corpus.triage(**bad)


@pytest.mark.parametrize("table", ["endings", "prompts"])
def test_counts_are_those_of_the_rows(table, engine):
    corpus = ss.scan(FIXTURES / "corpus", engine=engine)
    for by in ("project", "day"):
        counts = corpus.kinds_by(table, by)
        rows = corpus.table(table)
        assert sum(counts["n"].to_pylist()) == rows.num_rows
        kinds = rows["kind"].to_pylist()
        for kind in counts.column_names[2:]:
            assert sum(counts[kind].to_pylist()) == kinds.count(kind)
    assert counts.schema.field("day").type == pa.date32()


def test_days_are_of_a_time_zone(engine):
    corpus = ss.scan(ENDINGS, engine=engine)
    days = corpus.kinds_by("endings", "day", tz="Pacific/Kiritimati")["day"].to_pylist()
    assert days[0] == date(2026, 8, 1)
    assert corpus.kinds_by("endings", "day", tz="Pacific/Pago_Pago")["day"][0].as_py() == date(
        2026, 7, 31
    )
    for bad in (("usage", "day"), ("endings", "week")):
        with pytest.raises(ValueError, match="allowed are"):
            corpus.kinds_by(*bad)


def test_no_session_at_all(tmp_path, engine):
    (tmp_path / "projects").mkdir()
    corpus = ss.scan(tmp_path, engine=engine)
    assert corpus.triage().num_rows == 0
    assert corpus.kinds_by("prompts", "day").num_rows == 0
