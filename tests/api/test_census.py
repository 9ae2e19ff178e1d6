"""Names of the format, counted and compared."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sessionscan as ss
from api.tables import table
from api.transcripts import GARDEN, lines, record, write_home
from sessionscan.schema import arrow_schema


def row(name, count, *, item="field", json_type="string", version="1", known=True):
    return {
        "item": item,
        "name": name,
        "json_type": json_type,
        "version": version,
        "count": count,
        "is_known": known,
    }


def census(*rows):
    return table("census", *rows)


def test_unknown_names_stand_out(tmp_path, engine):
    found = ss.census(write_home(tmp_path), engine=engine)
    assert found.schema.equals(arrow_schema("census"), check_metadata=True)
    records = {each["name"]: each for each in found.to_pylist() if each["item"] == "record"}
    assert {name: each["is_known"] for name, each in records.items()} == {
        "assistant": True,
        "user": True,
        "weather": False,
    }
    assert records["assistant"]["count"] == 5


def test_a_corpus_makes_it_where_it_is_named(tmp_path, engine):
    home = write_home(tmp_path)
    corpus = ss.scan(home, engine=engine, tables="all")
    assert "census" not in corpus.table_names
    assert "census" in dir(corpus)
    assert "census (not computed)" in repr(corpus)
    assert corpus.census.equals(ss.census(home, engine=engine), check_metadata=True)
    assert ss.scan(home, engine=engine, tables=["census"]).census.equals(corpus.census)
    with ss.reader(home, "census", engine=engine) as batches:
        assert batches.read_all().num_rows == corpus.census.num_rows


def test_it_is_exported_where_it_was_computed(tmp_path):
    corpus = ss.scan(write_home(tmp_path), engine="python", tables=["census"])
    assert (tmp_path / "out" / "census.parquet") in corpus.to_parquet(tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / "census.parquet").equals(corpus.census)
    other = ss.scan(write_home(tmp_path / "other"), engine="python")
    assert len(other.to_parquet(tmp_path / "none")) == len(other.table_names)


def test_what_drifted():
    old = census(row("a", 1), row("b", 2), row("c", 3), row("d", 4))
    new = census(
        row("a", 1), row("b", 9), row("c", 3, json_type="integer"), row("e", 5, known=False)
    )
    assert ss.census_diff(old, new).to_pylist() == [
        {**named("b"), "count_a": 2, "count_b": 9, "change": "changed", "is_known": True},
        {**named("c"), "count_a": 3, "count_b": 0, "change": "removed", "is_known": True},
        {**named("c", "integer"), "count_a": 0, "count_b": 3, "change": "added", "is_known": True},
        {**named("d"), "count_a": 4, "count_b": 0, "change": "removed", "is_known": True},
        {**named("e"), "count_a": 0, "count_b": 5, "change": "added", "is_known": False},
    ]


def named(name, json_type="string"):
    return {"item": "field", "name": name, "json_type": json_type}


def test_versions_count_only_where_they_are_asked_for():
    old = census(row("a", 1, version="1"), row("a", 2, version=None))
    new = census(row("a", 3, version="2"))
    assert ss.census_diff(old, new).num_rows == 0
    found = ss.census_diff(old, new, by_version=True).to_pylist()
    assert [(each["version"], each["change"]) for each in found] == [
        (None, "removed"),
        ("1", "removed"),
        ("2", "added"),
    ]


def test_the_order_is_that_of_a_census():
    rows = [row("x", 1), row("B", 1)]
    rows += [row("z", 1, item="block", json_type=None), row("b", 1, item="record", json_type=None)]
    found = ss.census_diff(census(), census(*rows))
    assert found["name"].to_pylist() == ["b", "z", "B", "x"]


def test_of_two_homes(tmp_path, engine):
    home = write_home(tmp_path)
    old = ss.census(home, engine=engine)
    extra = home / "projects" / "-srv-garden" / "extra.jsonl"
    extra.write_bytes(lines(record("user", GARDEN, "2026-03-09T00:00:00Z", hue="green")))
    found = ss.census_diff(old, ss.census(home, engine=engine)).to_pylist()
    added = [each for each in found if each["change"] == "added"]
    assert [(each["name"], each["is_known"]) for each in added] == [("hue", False)]
    assert {each["change"] for each in found} == {"added", "changed"}


def test_a_census_that_was_saved_is_one(tmp_path):
    found = ss.census(write_home(tmp_path), engine="python")
    pq.write_table(found, tmp_path / "census.parquet")
    assert ss.census_diff(pq.read_table(tmp_path / "census.parquet"), found).num_rows == 0


def test_what_is_no_census_is_refused():
    with pytest.raises(TypeError, match=r"^a must be a pyarrow\.Table, not str$"):
        ss.census_diff("home", census())
    with pytest.raises(ValueError, match=r"b is no census: it has no .*json_type"):
        ss.census_diff(census(), pa.table({"item": ["a"]}))
    with pytest.raises(TypeError, match="by_version"):
        ss.census_diff(census(), census(), by_version=1)
