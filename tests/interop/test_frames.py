"""Tables in pandas and Polars."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sessionscan as ss
from api.transcripts import lines, record, response, usage, write_home
from sessionscan.schema import TABLE_NAMES

BIG = 2**53 + 1
SESSION = "44444444-4444-4444-8444-444444444444"


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(write_home(tmp_path), engine=engine)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_pandas_holds_every_table(corpus, name):
    frame = corpus.to_pandas(name)
    assert list(frame.columns) == corpus.table(name).column_names
    assert all(isinstance(type_, pd.ArrowDtype) for type_ in frame.dtypes)
    back = pa.Table.from_pandas(frame, preserve_index=False)
    assert back.to_pylist() == corpus.table(name).to_pylist()


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_polars_holds_every_table(corpus, name):
    frame = corpus.to_polars(name)
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == corpus.table(name).column_names
    rows = corpus.table(name).to_pylist()
    assert frame.rows(named=True) == rows


def test_integers_with_nulls_stay_exact(tmp_path, engine):
    ids = (("m1", "r1"), ("m2", "r2"))
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(
        lines(
            response(SESSION, "2026-03-01T00:00:00Z", ids[0], "a", usage(BIG, 1)),
            response(SESSION, "2026-03-01T00:00:01Z", ids[1], "a", {"output_tokens": 2}),
            record("user", SESSION, "2026-03-01T00:00:02Z"),
        )
    )
    corpus = ss.scan(path, engine=engine)
    frame = corpus.to_pandas("usage")
    assert frame["input_tokens"][0] == BIG
    assert frame["input_tokens"][1] is pd.NA
    assert corpus.to_polars("usage")["input_tokens"].to_list() == [BIG, None]
    assert corpus.totals()["input_tokens"] == BIG


def test_a_question_in_either(corpus):
    frame = corpus.to_pandas("usage")
    by_model = frame[~frame["is_copy"]].groupby("model", observed=True)["output_tokens"].sum()
    assert by_model.to_dict() == {"claude-haiku-4-5": 1, "claude-opus-4-1": 240}
    kept = corpus.to_polars("usage").filter(~pl.col("is_copy"))
    totals = kept.group_by("model").agg(pl.col("output_tokens").sum()).sort("output_tokens")
    assert totals["output_tokens"].to_list() == [1, 240]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_says_how_to_get_it(corpus, monkeypatch, package):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(ImportError, match=rf"sessionscan\[{package}\]"):
        getattr(corpus, f"to_{package}")("usage")
