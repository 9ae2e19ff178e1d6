"""What the walk notes beside transcripts, where a contract case cannot build it."""

import os

import pytest
from sessionscan.reference.discover import discover
from sessionscan.reference.side_file import MAX_BYTES, SideFile, read_meta


def noted(*roots):
    return [(file.kind, file.name) for file in discover([("s", str(r)) for r in roots]).beside]


def meta(path):
    return SideFile("meta", os.fsencode(path), str(path), "s", str(path))


def test_a_pipe_named_like_a_meta_file_is_not_noted(tmp_path):
    os.mkfifo(tmp_path / "agent-a.meta.json")
    (tmp_path / "agent-b.meta.json").write_text("{}")
    assert noted(tmp_path) == [("meta", "agent-b.meta.json")]


def test_a_linked_file_is_noted_once_by_each_name(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "b" / "agent-b.meta.json").write_text("{}")
    for other in ("a/agent-b.meta.json", "b/agent-a.meta.json"):
        os.link(tmp_path / "b" / "agent-b.meta.json", tmp_path / other)
    assert noted(tmp_path) == [("meta", "agent-b.meta.json"), ("meta", "agent-a.meta.json")]


def test_pipes_and_links_among_outputs_are_not_noted(tmp_path):
    outputs = tmp_path / "tool-results" / "inner"
    outputs.mkdir(parents=True)
    (outputs / "a.txt").write_text("a")
    (outputs / "link.txt").symlink_to("a.txt")
    (outputs / "up").symlink_to("..", target_is_directory=True)
    os.mkfifo(outputs / "pipe")
    assert noted(tmp_path) == [("tool_result", "a.txt")]


def test_a_meta_file_beside_a_transcript_that_is_a_root_is_noted_once(tmp_path):
    (tmp_path / "agent-a.jsonl.gz").write_bytes(b"")
    (tmp_path / "agent-a.meta.json").write_text("{}")
    (tmp_path / "agent-b.meta.json").write_text("{}")
    root = tmp_path / "agent-a.jsonl.gz"
    assert noted(root) == [("meta", "agent-a.meta.json")]
    assert noted(root, tmp_path) == [("meta", "agent-a.meta.json"), ("meta", "agent-b.meta.json")]


@pytest.mark.parametrize(("extra", "damaged"), [(0, 0), (1, 1)])
def test_a_file_beyond_the_limit_is_damaged(tmp_path, extra, damaged):
    path = tmp_path / "agent-a.meta.json"
    path.write_text('{"model":"m"}'.ljust(MAX_BYTES + extra))
    read = read_meta(meta(path))
    assert [found.code for found in read.findings] == ["damaged_side_file"] * damaged
    assert read.columns["model"] == (None if damaged else "m")


def test_a_file_that_became_a_pipe_or_went_away_is_damaged(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "gone"):
        (found,) = read_meta(meta(tmp_path / name)).findings
        assert (found.code, found.line, found.span) == ("damaged_side_file", 0, None)
        assert found.message.startswith(name)


def test_wrong_types_are_counted_in_one_finding(tmp_path):
    path = tmp_path / "agent-a.meta.json"
    path.write_text('{"model":1,"isFork":"yes","spawnDepth":1.5,"description":"d"}')
    read = read_meta(meta(path))
    assert [(found.code, found.count) for found in read.findings] == [("bad_value", 3)]
    assert read.columns["description"] == "d"
