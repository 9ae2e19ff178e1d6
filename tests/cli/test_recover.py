"""`sessionscan recover`."""

import csv
import io

from cli.command import output, run
from recover.sessions import SESSION, backup, call, delta, home, snapshot_of, tree


def place(tmp_path, **kept):
    records = [
        snapshot_of({"/tide/a": backup("a@v1", 1), "/tide/b": backup("b@v1", 1)}),
        delta("/tide/b", backup(None, 2)),
        *call("/tide/c", "text", "12:00:00"),
        *call("/tide/a", name="Edit"),
    ]
    return home(tmp_path / "h", records, kept)


WHOLE = {"a@v1": b"aa", "b@v1": b"b"}


def test_it_says_what_would_be_written_and_then_writes_it(tmp_path):
    source = place(tmp_path, **WHOLE)
    said = output("recover", SESSION[:6], source)
    assert said.startswith("would be written: 3 files, 7 bytes; --write DIR does it\n")
    lines = [" ".join(line.split()) for line in said.splitlines()[2:]]
    assert lines == [
        "tide/a backup 1 2026-03-04 10:00:01 2 1 later changes",
        "tide/b backup 1 2026-03-04 10:00:01 1 deleted later",
        "tide/c write - 2026-03-04 12:00:00 4 text of a Write, not a backup",
    ]
    out = tmp_path / "out"
    done = run("recover", SESSION[:6], source, "--write", out, "--format", "csv")
    assert done.returncode == 0
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["written"] for row in rows] == ["true"] * 3
    assert tree(out) == {"tide/a": b"aa", "tide/b": b"b", "tide/c": b"text"}
    assert f"session {SESSION}: transcripts 1, lines lost 0" in done.stderr.decode()


def test_a_missing_backup_is_named_and_nothing_is_written(tmp_path):
    source = place(tmp_path, **{"b@v1": b"b"})
    done = run("recover", SESSION, source)
    assert done.returncode == 1
    assert "/tide/a: the backup 'a@v1' is missing" in done.stderr.decode()
    assert "cannot be recovered" in done.stdout.decode()
    done = run("recover", SESSION, source, "--write", tmp_path / "out")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "nothing was written" in done.stderr.decode()
    assert not (tmp_path / "out").exists()
    output("recover", SESSION, source, "--write", tmp_path / "out", "--path", "/tide/b")
    assert tree(tmp_path / "out") == {"tide/b": b"b"}


def test_bad_arguments(tmp_path):
    source = place(tmp_path, **WHOLE)
    for arguments in (("none",), (SESSION, "--path", "/x"), (SESSION, "--columns", "x")):
        assert run("recover", arguments[0], source, *arguments[1:]).returncode == 2
    assert run("recover").returncode == 2


def test_strict_ends_with_one(tmp_path):
    source = place(tmp_path, **WHOLE)
    (transcript,) = source.glob("projects/*/*.jsonl")
    with transcript.open("a") as file:
        file.write("{]\n")
    done = run("recover", SESSION, source, "--strict")
    assert done.returncode == 1
    assert "malformed" in done.stderr.decode()
