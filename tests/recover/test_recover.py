"""What is recovered, from where, and what is refused before anything is written."""

import hashlib
import json

import pytest
import sessionscan as ss
from recover.sessions import SESSION, backup, call, delta, home, snapshot_of, tree

PATH = "/tide/heights.bin"
BYTES = bytes(range(256)) * 700


def rows(report):
    return {row["path"]: row for row in report.to_pylist()}


def one(report):
    (row,) = report.to_pylist()
    return row


def test_a_binary_file_comes_back_from_a_second_root(tmp_path, engine):
    records = [snapshot_of({PATH: backup("a@v1", 1)}), delta(PATH, backup("a@v2", 2))]
    first = home(tmp_path / "first", records)
    second = tmp_path / "second"
    kept = second / "file-history" / SESSION
    kept.mkdir(parents=True)
    (kept / "a@v2").write_bytes(BYTES)
    (second / "projects").mkdir()
    out = tmp_path / "out"
    row = one(ss.recover(SESSION, [first, second], out, engine=engine))
    assert tree(out) == {"tide/heights.bin": BYTES}
    assert row["sha256"] == hashlib.sha256(BYTES).hexdigest()
    assert (row["version"], row["origin"], row["fidelity"]) == (2, "backup", "exact")
    assert (row["source"], row["line"]) == (str(kept / "a@v2"), 2)
    assert (row["written"], row["problem"]) == (True, None)


def test_nothing_is_written_unless_it_is_asked_for(tmp_path, engine):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup("a@v1", 1)})], {"a@v1": b"x"})
    before = tree(tmp_path)
    row = one(ss.recover(SESSION[:8], place, engine=engine))
    assert (row["target"], row["size_bytes"], row["written"]) == ("tide/heights.bin", 1, False)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("missing", [True, False])
def test_a_missing_backup_is_refused_before_anything_is_written(tmp_path, engine, missing):
    tracked = {"/tide/a": backup("a@v1", 1), PATH: backup("b@v2", 2)}
    records = [snapshot_of(tracked), delta(PATH, backup("b@v1", 1)), *call(PATH, "text")]
    kept = {"a@v1": b"a", "b@v1": b"older"}
    place = home(tmp_path / "h", records, kept if missing else {**kept, "b@v2": b"b"})
    out = tmp_path / "out"
    if not missing:
        ss.recover(SESSION, place, out, engine=engine)
        assert tree(out) == {"tide/a": b"a", "tide/heights.bin": b"b"}
        return
    with pytest.raises(ss.RecoverError, match="'b@v2' is missing") as raised:
        ss.recover(SESSION, place, out, engine=engine)
    assert [path for path, _ in raised.value.problems] == [PATH]
    assert not out.exists()
    ss.recover(SESSION, place, out, paths="/tide/a", engine=engine)
    assert tree(out) == {"tide/a": b"a"}


def test_conflicting_bytes_under_one_name_are_refused(tmp_path, engine):
    records = [snapshot_of({PATH: backup("a@v1", 1)})]
    first = home(tmp_path / "first", records, {"a@v1": b"one"})
    second = home(tmp_path / "second", records, {"a@v1": b"two"})
    with pytest.raises(ss.RecoverError, match="conflicting bytes"):
        ss.recover(SESSION, [first, second], tmp_path / "out", engine=engine)
    assert not (tmp_path / "out").exists()
    (second / "file-history" / SESSION / "a@v1").write_bytes(b"one")
    row = one(ss.recover(SESSION, [first, second], tmp_path / "out", engine=engine))
    assert (row["n_copies"], row["written"]) == (2, True)


def test_two_backups_of_one_rank_must_be_equal(tmp_path):
    records = [snapshot_of({PATH: backup("a@v1", 1)}), snapshot_of({PATH: backup("b@v1", 1)})]
    place = home(tmp_path / "h", records, {"a@v1": b"one", "b@v1": b"two"})
    assert "conflicting bytes" in one(ss.recover(SESSION, place))["problem"]


def test_the_highest_version_counts_then_the_times(tmp_path, engine):
    early, late = "2026-03-04T01:00:00Z", "2026-03-04T02:00:00Z"
    tracked = {
        "/v": backup("v9", 9, early),
        "/t": backup("t1", 1, late),
        "/s": backup("s1", 1, early),
    }
    records = [
        snapshot_of(tracked, "08:00:00"),
        delta("/v", backup("v10", 10, early)),
        delta("/v", backup("v2", 2, late)),
        delta("/t", backup("t2", 1, early), "23:00:00"),
        snapshot_of({"/s": backup("s2", 1, early)}, "09:00:00"),
        snapshot_of({"/s": backup("s3", 1, early)}, "07:00:00"),
    ]
    names = ("v9", "v10", "v2", "t1", "t2", "s1", "s2", "s3")
    place = home(tmp_path / "h", records, {name: name.encode() for name in names})
    ss.recover(SESSION, place, tmp_path / "out", engine=engine)
    assert tree(tmp_path / "out") == {"s": b"s2", "t": b"t1", "v": b"v10"}


def test_a_tombstone_keeps_the_last_backup_and_says_so(tmp_path, engine):
    records = [
        snapshot_of({PATH: backup("a@v1", 1), "/new": backup(None, 1)}),
        delta(PATH, backup(None, 2)),
        delta("/new", backup("n@v2", 2)),
        delta("/gone", backup(None, 1)),
    ]
    place = home(tmp_path / "h", records, {"a@v1": b"kept", "n@v2": b"new"})
    found = rows(ss.recover(SESSION, place, tmp_path / "out", engine=engine))
    assert tree(tmp_path / "out") == {"new": b"new", "tide/heights.bin": b"kept"}
    assert (found[PATH]["deleted_later"], found[PATH]["tombstone_version"]) == (True, 2)
    assert (found["/new"]["deleted_later"], found["/new"]["tombstone_version"]) == (False, 1)
    gone = found["/gone"]
    assert (gone["origin"], gone["deleted_later"], gone["written"]) == (None, True, False)


def test_without_a_checkpoint_the_newest_write_that_did_not_fail(tmp_path, engine):
    records = [
        *call(PATH, "newest", "12:00:00", is_error=False),
        *call(PATH, "oldest", "10:00:00"),
        *call(PATH, "failed", "13:00:00", is_error=True),
        *call(PATH, "denied", "14:00:00", toolDenialKind="user-rejected"),
        *call(PATH, "untimed", None),
        *call(PATH, None, "15:00:00", name="Edit"),
        *call("/only-edited", None, name="Edit"),
    ]
    place = home(tmp_path / "h", records)
    found = rows(ss.recover(SESSION, place, tmp_path / "out", engine=engine))
    assert tree(tmp_path / "out") == {"tide/heights.bin": b"newest"}
    row = found[PATH]
    assert (row["origin"], row["fidelity"], row["line"]) == ("write", "lower", 1)
    assert row["source"].endswith(f"{SESSION}.jsonl:1")
    assert row["n_later_calls"] == 1
    assert (found["/only-edited"]["origin"], found["/only-edited"]["problem"]) == (None, None)


def test_a_write_holds_text_as_the_tables_show_it(tmp_path, engine):
    place = home(tmp_path / "h", [*call("a", "Flut\r\n\U0001f30a\ud800\n"), *call("/b", 5)])
    found = rows(ss.recover(SESSION, place, engine=engine))
    content = "Flut\r\n\U0001f30a\ufffd\n".encode()
    assert found["/tide/a"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert found["/b"]["problem"] == "the newest Write holds no text"


def test_a_write_is_no_substitute_where_there_is_a_backup(tmp_path):
    records = [snapshot_of({"heights.bin": backup("a@v1", 1)}), *call(PATH, "later", "23:00:00")]
    place = home(tmp_path / "h", records, {"a@v1": b"kept"})
    row = one(ss.recover(SESSION, place))
    assert (row["origin"], row["size_bytes"], row["n_later_calls"]) == ("backup", 4, 1)


@pytest.mark.parametrize("name", ["../secret", "..", "a/b", ""])
def test_a_backup_outside_its_folder_is_never_read(tmp_path, engine, name):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup(name, 1)})], {"a@v1": b""})
    (place / "file-history" / "secret").write_text("secret")
    assert "leads out of" in one(ss.recover(SESSION, place, engine=engine))["problem"]


@pytest.mark.parametrize("step", ["file-history", SESSION, "a@v1"])
def test_no_backup_is_read_through_a_link(tmp_path, engine, step):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup("a@v1", 1)})], {"a@v1": b"x"})
    (linked,) = place.glob(f"**/{step}")
    moved = linked.rename(tmp_path / "moved")
    linked.symlink_to(moved)
    assert "a link or a file" in one(ss.recover(SESSION, place, engine=engine))["problem"]


def test_a_codex_rollout_is_refused(tmp_path, engine):
    folder = tmp_path / "sessions" / "2026" / "03" / "04"
    folder.mkdir(parents=True)
    rollout = folder / f"rollout-2026-03-04T10-00-00-{SESSION}.jsonl"
    record = {"type": "session_meta", "payload": {"id": SESSION}}
    rollout.write_text(f"{json.dumps(record)}\n")
    for named in (SESSION, SESSION[:10]):
        with pytest.raises(ValueError, match="is a Codex rollout: it keeps no copies"):
            ss.recover(named, tmp_path, engine=engine)
    with pytest.raises(ValueError, match="Codex rollout"):
        ss.recover(rollout, engine=engine)


def test_a_session_is_named_by_its_transcript(tmp_path, engine):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup("a@v1", 1)})], {"a@v1": b"x"})
    (transcript,) = place.glob("projects/*/*.jsonl")
    assert one(ss.recover(transcript, engine=engine))["size_bytes"] == 1
    with pytest.raises(ValueError, match="no session's id starts so"):
        ss.recover("99", place, engine=engine)
    with pytest.raises(ValueError, match="has no file '/tid'"):
        ss.recover(SESSION, place, paths="/tid", engine=engine)


def test_strict_refuses_a_session_with_a_lost_line(tmp_path, engine):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup("a@v1", 1)})], {"a@v1": b"x"})
    home(tmp_path / "o", [], session="42000000-0000-4000-8000-000000000002")
    (other,) = (tmp_path / "o").glob("projects/*/*.jsonl")
    other.write_text("{\n")
    ss.recover(SESSION, [place, tmp_path / "o"], strict=True, engine=engine)
    (transcript,) = place.glob("projects/*/*.jsonl")
    with transcript.open("a") as file:
        file.write('{"type":"file-history-del\n')
    report = ss.recover(SESSION, place, engine=engine)
    assert report.schema.metadata[b"lines_lost"] == b"1"
    with pytest.raises(ss.StrictError, match=":2:"):
        ss.recover(SESSION, place, strict=True, engine=engine)


def test_it_needs_a_disk(tmp_path):
    place = home(tmp_path / "h", [])
    with pytest.raises(ValueError, match="sources on disk"):
        ss.recover(SESSION, f"s3://nowhere{place}")


def test_files_are_private(tmp_path):
    place = home(tmp_path / "h", [snapshot_of({PATH: backup("a@v1", 1)})], {"a@v1": b"x"})
    ss.recover(SESSION, place, tmp_path / "out")
    assert (tmp_path / "out" / "tide" / "heights.bin").stat().st_mode & 0o777 == 0o600
