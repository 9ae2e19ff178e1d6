"""Our counts beside a client's: both sides, one side, neither."""

import sessionscan as ss
from api import crew
from api.tables import table
from sessionscan.reconcile import SCHEMA, STATED, reconcile

OPUS, HAIKU = "opus", "haiku"


def used(session, model, output, **more):
    row = {"session_id": session, "model": model, "output_tokens": output, "conflict": False}
    return row | {"certainty": "exact", "is_copy": False} | more


def stated(session, model, output, **more):
    row = {"session_id": session, "model": model, "output_tokens": output, "is_last": True}
    return row | {"cost_usd": 1.5, "line": 9} | more


def rows(usage, ledger, files=({},), sessions=("s", "t")):
    found = reconcile(
        table("usage", *usage),
        table("ledger", *ledger),
        table("files", *({"file_id": n} | file for n, file in enumerate(files))),
        table("sessions", *({"session_id": name} for name in sessions)),
    )
    return found.to_pylist()


def of(found, *names):
    return [tuple(row[name] for name in ("session_id", "model", *names)) for row in found]


OUTPUT = ("our_output_tokens", "client_output_tokens", "difference_output_tokens")


def test_of_a_home(tmp_path, engine):
    corpus = ss.scan(crew.write_home(tmp_path), engine=engine)
    found = corpus.reconcile()
    assert found.schema.equals(SCHEMA, check_metadata=True)
    (row,) = found.to_pylist()
    assert (row["session_id"], row["model"], row["responses"]) == (crew.BOAT, crew.MODEL, 6)
    assert [row[f"our_{name}"] for name in STATED] == [60, 30, None, None]
    assert [row[f"client_{name}"] for name in STATED] == [12, 5, None, None]
    assert [row[f"difference_{name}"] for name in STATED] == [48, 25, None, None]
    assert (row["client_cost_usd"], row["client_line"]) == (0.5, 7)
    assert corpus.files["path"][row["client_file_id"]].as_py().endswith(f"{crew.BOAT}.jsonl")


def test_each_side_may_be_missing():
    found = rows(
        [used("s", OPUS, 5), used("s", OPUS, 7, certainty="lower_bound")], [stated("t", OPUS, 4)]
    )
    assert of(found, *OUTPUT, "responses", "lower_bound") == [
        ("s", OPUS, 12, None, None, 2, 1),
        ("t", OPUS, None, 4, None, None, None),
    ]


def test_the_last_cost_record_counts_and_copies_do():
    found = rows(
        [used("s", OPUS, 5, is_copy=True)],
        [stated("s", OPUS, 2, is_last=False), stated("s", OPUS, 9)],
    )
    assert of(found, *OUTPUT) == [("s", OPUS, 5, 9, -4)]


def test_models_match_as_written():
    found = rows([used("s", "opus", 5)], [stated("s", "opus[1m]", 5)])
    assert of(found, *OUTPUT) == [("s", "opus", 5, None, None), ("s", "opus[1m]", None, 5, None)]


def test_order_is_that_of_sessions_then_models():
    found = rows(
        [used("t", OPUS, 1), used("t", None, 1), used("t", HAIKU, 1), used("z", OPUS, 1)],
        [stated("s", OPUS, 1), stated("a", OPUS, 1)],
    )
    assert of(found) == [
        ("s", OPUS),
        ("t", HAIKU),
        ("t", OPUS),
        ("t", None),
        ("a", OPUS),
        ("z", OPUS),
    ]


def test_without_a_session_it_is_the_files_or_the_file():
    files = ({"session_id": "s"}, {}, {})
    usage = [
        used(None, OPUS, 1),
        used("", OPUS, 1),
        used(None, OPUS, 2, file_id=1),
        used(None, OPUS, 4, file_id=2),
    ]
    found = rows(usage, [stated(None, OPUS, 4, file_id=2)], files)
    assert of(found, *OUTPUT) == [
        ("s", OPUS, 2, None, None),
        (None, OPUS, 2, None, None),
        (None, OPUS, 4, 4, 0),
    ]


def test_a_difference_beyond_int64_is_null():
    found = rows([used("s", OPUS, 2**63 - 1)], [stated("s", OPUS, -5)])
    assert of(found, *OUTPUT) == [("s", OPUS, 2**63 - 1, -5, None)]


def test_of_nothing():
    assert rows([], []) == []
