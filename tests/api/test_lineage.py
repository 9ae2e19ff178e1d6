"""What sessions came from, on tables made by hand and on a home."""

import pytest
import sessionscan as ss
from api import crew
from api.tables import table
from sessionscan.lineage import lineage


def session(name, forked_from=None):
    return {"session_id": name, "forked_from_session_id": forked_from, "n_records": 3}


def link(later, earlier, evidence="forkedFrom", n_shared=1):
    return {
        "session_id": later,
        "other_session_id": earlier,
        "evidence": evidence,
        "n_shared": n_shared,
    }


def planted(links, sessions, session_id=None):
    return lineage(table("links", *links), table("sessions", *sessions), session_id)


def shape(found):
    return [(node.depth, node.session_id) for node in found]


def test_a_fork_stands_below_its_ancestor(tmp_path, engine):
    corpus = ss.scan(crew.write_home(tmp_path), engine=engine)
    assert shape(corpus.lineage()) == [(0, crew.BOAT), (1, crew.RAFT)]
    (boat, raft) = corpus.lineage(crew.RAFT)
    assert (boat.link, raft.link) == (None, (crew.BOAT, "forkedFrom", 1))
    assert raft.found
    assert raft.row["n_records"] == 2
    assert str(corpus.lineage()).splitlines()[1].endswith("shares 1 record (forkedFrom)")
    with pytest.raises(ValueError, match="nowhere"):
        corpus.lineage("nowhere")


def test_a_missing_ancestor_is_shown_and_can_be_asked_for():
    found = planted([link("a", "gone")], [session("a", "gone")])
    assert shape(found) == [(0, "gone"), (1, "a")]
    assert [node.found for node in found] == [False, True]
    assert str(found).startswith("gone  not in this corpus\n")
    assert shape(planted([link("a", "gone")], [session("a", "gone")], "gone")) == shape(found)


def test_the_nearest_ancestor_is_the_one_above():
    links = [
        link("c", "a", "shared_uuid", 5),
        link("c", "b", "shared_uuid", 9),
        link("b", "a", "shared_uuid", 5),
    ]
    found = planted(links, [session("a"), session("b", "a"), session("c", "b")])
    assert shape(found) == [(0, "a"), (1, "b"), (2, "c")]
    assert [tie.other_session_id for tie in list(found)[2].others] == ["a"]
    named = planted(links, [session("a"), session("b", "a"), session("c", "a")])
    assert shape(named) == [(0, "a"), (1, "b"), (1, "c")]


def test_the_strongest_evidence_comes_first():
    links = [link("c", "a", "shared_response", 90), link("c", "b", "shared_uuid", 2)]
    assert shape(planted(links, [session("a"), session("b"), session("c")])) == [
        (0, "a"),
        (0, "b"),
        (1, "c"),
    ]


def test_sessions_that_name_each_other_are_cut_at_the_first():
    links = [link("a", "b"), link("b", "a")]
    found = planted(links, [session("a", "b"), session("b", "a")])
    assert shape(found) == [(0, "a"), (1, "b")]
    assert [node.remark for node in found] == ["its ancestor b leads back to it", None]
    assert shape(planted(links, [session("a", "b"), session("b", "a")], "b")) == shape(found)


def test_a_session_that_shares_nothing_stands_alone():
    sessions = [session("a"), session("b")]
    assert shape(planted([], sessions)) == []
    assert shape(planted([], sessions, "b")) == [(0, "b")]


def test_the_table_names_the_one_above():
    rows = planted([link("a", "gone", n_shared=4)], [session("a", "gone")]).to_table().to_pylist()
    assert [(row["session_id"], row["other_session_id"], row["n_shared"]) for row in rows] == [
        ("gone", None, None),
        ("a", "gone", 4),
    ]
    assert [row["n_records"] for row in rows] == [None, 3]
