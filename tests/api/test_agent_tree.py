"""Who started whom, on tables made by hand and on a home."""

import pytest
import sessionscan as ss
from api import crew
from api.tables import table
from sessionscan.agent_tree import agent_tree

DEEP = 5_000


def agent(name, parent=None, **more):
    return {
        "session_id": "s",
        "agent_id": name,
        "parent_agent_id": parent,
        "joined_by": "none",
    } | more


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(crew.write_home(tmp_path), engine=engine, text=True)


def test_a_parent_stands_above_what_it_started(corpus):
    tree = corpus.agent_tree(crew.BOAT)
    placed = [(node.depth, node.agent_id, node.joined_by) for node in tree]
    assert placed == [
        (0, crew.MATE, "tool_use_id"),
        (1, crew.COOK, "tool_use_id"),
        (0, crew.DIVER, "none"),
        (0, crew.STOWAWAY, "none"),
    ]
    assert len(tree) == 4


def test_flags_counts_and_tokens_are_those_of_agents(corpus):
    tree = corpus.agent_tree(crew.BOAT)
    mate, diver = tree.find(crew.MATE), tree.find(crew.DIVER)
    assert mate.flags == {"has_transcript", "has_meta", "has_launch"}
    assert mate.counts["n_tool_calls"] == 1
    assert mate.tokens["output_tokens"] == 5
    assert mate.row["description"] == "Trim the sails"
    assert diver.flags == {"has_launch", "is_dangling"}
    assert tree.find(crew.STOWAWAY).flags == {"has_transcript", "is_orphan"}
    assert tree.find("nobody") is None


def test_it_draws_itself(corpus):
    drawn = str(corpus.agent_tree(crew.BOAT)).splitlines()
    assert drawn[0] == f"session {crew.BOAT}: 4 agents"
    assert drawn[1].startswith("├─ a1     mate  1 response, 1 call, 5 output tokens; completed")
    assert drawn[2].startswith("│  └─ a2  cook  1 response, 0 calls")
    assert drawn[3].endswith("async_launched; dangling")
    assert drawn[4].endswith("5 output tokens; orphan")


def test_a_session_without_agents_and_one_that_is_none(corpus):
    assert str(corpus.agent_tree(crew.RAFT)) == f"session {crew.RAFT}: 0 agents"
    assert list(corpus.agent_tree(None)) == []
    with pytest.raises(ValueError, match="nowhere"):
        corpus.agent_tree("nowhere")
    with pytest.raises(TypeError, match="session_id must be a string, not int"):
        corpus.agent_tree(4)


def test_a_parent_that_is_gone_is_said():
    (node,) = agent_tree(table("agents", agent("a", "gone")), "s")
    assert (node.depth, node.remark) == (0, "its parent gone was not found")


def test_a_circle_is_cut_once():
    rows = [agent("tail", "b"), agent("a", "b"), agent("b", "a"), agent("self", "self")]
    tree = agent_tree(table("agents", *rows), "s")
    placed = [(node.depth, node.agent_id, node.remark is not None) for node in tree]
    assert placed == [(0, "a", True), (1, "b", False), (2, "tail", False), (0, "self", True)]


def test_a_parent_is_of_the_same_session():
    rows = table("agents", agent("a"), agent("b", "a", session_id="t"))
    assert [node.remark for node in agent_tree(rows, "t")] == ["its parent a was not found"]


def test_without_a_session_the_file_holds_agents_together():
    none = {"session_id": None}
    rows = [agent("a", **none), agent("b", "a", **none), agent("b", "a", file_id=7, **none)]
    tree = agent_tree(table("agents", *rows), None)
    assert [node.depth for node in tree] == [0, 1, 0]
    assert str(tree).startswith("no session: 3 agents\n")


def test_thousands_deep():
    rows = [agent(f"a{n}", f"a{n - 1}") for n in reversed(range(DEEP))]
    tree = agent_tree(table("agents", *rows), "s")
    assert [node.depth for node in tree] == list(range(DEEP))
    assert len(str(tree).splitlines()) == DEEP + 1


def test_the_table_is_in_the_order_of_the_tree(corpus):
    tree = corpus.agent_tree(crew.BOAT)
    rows = tree.to_table()
    assert rows.column_names == [*corpus.agents.column_names, "depth", "remark"]
    assert rows["agent_id"].to_pylist() == [node.agent_id for node in tree]
    assert rows["depth"].to_pylist() == [0, 1, 0, 0]


def test_what_a_file_says_drives_no_terminal():
    tree = agent_tree(table("agents", agent("a\x1b[31m", agent_type="b\n")), "s")
    assert str(tree).isprintable() is False
    assert all(line.isprintable() for line in str(tree).splitlines())
    assert len(str(tree).splitlines()) == 2
