"""What a file system does not answer, and what that does to a scan."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sessionscan as ss
from api.transcripts import FORK, GARDEN, SHED, lines, record, write_home
from filesystem.handlers import Broken, Handler, Shrinking, filesystem
from parity.compare import assert_equal, scan
from pyarrow import fs
from sessionscan.remote import ATTEMPTS

WORDS = "cannot be read: the shelf is on fire"


@pytest.fixture
def base(tmp_path):
    write_home(tmp_path)
    return tmp_path


def codes(corpus, path_part):
    """Return the findings about one file, as (code, message)."""
    paths = corpus.files["path"].to_pylist()
    return [
        (row["code"], row["message"])
        for row in corpus.diagnostics.to_pylist()
        if path_part in paths[row["file_id"]]
    ]


def row_of(corpus, path_part):
    (row,) = [row for row in corpus.files.to_pylist() if path_part in row["path"]]
    return row


@pytest.mark.parametrize("question", ["open", "read"])
def test_a_file_that_is_never_read_is_unreadable(engine, base, question):
    handler = Broken(base, question, GARDEN)
    corpus = scan("home", engine, filesystem=filesystem(handler))
    assert handler.tried == ATTEMPTS
    assert row_of(corpus, GARDEN)["status"] == "unreadable"
    ((code, message),) = codes(corpus, GARDEN)
    assert code == "unreadable"
    assert "the shelf is on fire" in message
    assert corpus.coverage.files_unreadable == 1
    assert row_of(corpus, FORK)["status"] == "ok"


@pytest.mark.parametrize("error", [ValueError("odd"), OSError("odd"), KeyError("odd")])
def test_the_engines_agree_on_what_cannot_be_read(base, error):
    scans = [
        scan("home", engine, filesystem=filesystem(Broken(base, "read", GARDEN, error)), text=True)
        for engine in ("rust", "python")
    ]
    assert_equal(*scans)
    assert "odd" in codes(scans[0], GARDEN)[0][1]


def test_only_what_may_pass_is_tried_again(engine, base):
    handler = Broken(base, "open", GARDEN, FileNotFoundError(errno.ENOENT, "gone", "there"))
    corpus = ss.scan("home", engine=engine, filesystem=filesystem(handler))
    assert handler.tried == 1
    ((code, message),) = codes(corpus, GARDEN)
    assert code == "unreadable"
    assert os.strerror(errno.ENOENT) in message


def test_nothing_counts_of_a_file_whose_end_cannot_be_read(engine, base):
    """Its first piece is read, in the Rust engine as the first chunk of several."""
    large = base / "home" / "projects" / "-srv-garden" / "large.jsonl"
    large.write_bytes(lines(record("user", SHED, "2026-03-01T22:30:00Z", pad="x" * 99_000)) * 200)
    handler = Broken(base, "read", large.name, once=True)
    ours = scan("home", engine, filesystem=filesystem(handler), threads=1)
    assert handler.tried >= ATTEMPTS
    large.unlink()
    without = scan("home", engine, filesystem=filesystem(Handler(base)))
    ((code, _),) = codes(ours, large.name)
    assert code == "unreadable"
    assert ours.coverage.records_by_type == without.coverage.records_by_type
    for name in ours.table_names:
        if name not in {"files", "diagnostics"}:
            assert ours.table(name).equals(without.table(name), check_metadata=True), name


def test_a_reader_goes_on_behind_what_cannot_be_read(engine, base):
    handler = Broken(base, "read", GARDEN)
    files = ss.reader("home", "files", engine=engine, filesystem=filesystem(handler)).read_all()
    assert sorted(files["status"].to_pylist()) == ["ok", "ok", "unreadable"]
    records = ss.reader("home", "records", engine=engine, filesystem=filesystem(handler)).read_all()
    assert set(records["session_id"].to_pylist()) == {FORK, SHED}


def test_a_listing_that_fails_ends_the_scan(engine, base):
    handler = Broken(base, "list", "home")
    with pytest.raises(OSError, match=r"^home cannot be listed: the shelf is on fire$"):
        ss.scan("home", engine=engine, filesystem=filesystem(handler))
    assert handler.tried == ATTEMPTS


def test_a_source_that_cannot_be_reached_ends_the_scan(engine, base):
    with pytest.raises(OSError, match=r"^home cannot be reached: the shelf is on fire$"):
        ss.scan("home", engine=engine, filesystem=filesystem(Broken(base, "info", "home")))


def test_a_source_that_does_not_exist(engine, base):
    with pytest.raises(FileNotFoundError) as raised:
        ss.scan("nowhere", engine=engine, filesystem=filesystem(Handler(base)))
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, "nowhere")
    with pytest.raises(FileNotFoundError, match="glob"):
        ss.scan("home/*", engine=engine, filesystem=filesystem(Handler(base)))


def test_a_file_that_shrank_is_cut_short(engine, base):
    size = 1000
    corpus = ss.scan("home", engine=engine, filesystem=filesystem(Shrinking(base, GARDEN, size)))
    assert row_of(corpus, GARDEN)["status"] == "partial"
    assert row_of(corpus, GARDEN)["bytes_read"] == size
    assert "truncated_while_reading" in [code for code, _ in codes(corpus, GARDEN)]


def test_what_grew_is_left_to_the_next_scan(engine, base):
    corpus = ss.scan("home", engine=engine, filesystem=filesystem(Handler(base)), tables=["files"])
    records = corpus.coverage.records
    path = base / row_of(corpus, GARDEN)["path"]
    path.write_bytes(path.read_bytes() * 2)
    assert corpus.table("records").num_rows == records
    path.write_bytes(b"{}\n")
    with pytest.raises(ss.CorpusChangedError):
        corpus.table("usage")


def test_a_length_that_is_not_told_is_found_out(engine, base):
    class Silent(Handler):
        def get_file_info(self, paths):
            return [self.without_size(info) for info in super().get_file_info(paths)]

        def get_file_info_selector(self, selector):
            return [self.without_size(info) for info in super().get_file_info_selector(selector)]

        def without_size(self, info):
            return fs.FileInfo(info.path, info.type)

    plain = ss.scan("home", engine=engine, filesystem=filesystem(Handler(base)))
    ours = ss.scan("home", engine=engine, filesystem=filesystem(Silent(base)))
    assert ours.files.equals(plain.files)
    assert plain.coverage.records > 0


def test_names_of_neither_file_nor_folder(engine, base):
    os.mkfifo(base / "home" / "projects" / "pipe.jsonl")
    corpus = ss.scan("home", engine=engine, filesystem=filesystem(Handler(base)))
    assert row_of(corpus, "pipe")["status"] == "unreadable"
    assert [code for code, _ in codes(corpus, "pipe")] == ["not_a_file"]


def test_a_meta_that_cannot_be_read_is_damaged(engine):
    fixtures = Path(__file__).parents[2] / "fixtures" / "claude"
    handler = Broken(fixtures, "read", ".meta.json")
    corpus = scan("agent_tree_nested", engine, filesystem=filesystem(handler))
    assert handler.tried >= ATTEMPTS
    assert "damaged_side_file" in corpus.diagnostics["code"].to_pylist()


PROGRAM = """
import os, signal, sys, threading, time
import sessionscan as ss
from filesystem.handlers import Flaky, filesystem

reading, pressed = threading.Event(), []

class Slow(Flaky):
    def before(self, question, path):
        if question == "read":
            reading.set()
            time.sleep(0.05)

def press():
    reading.wait()
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
slow = filesystem(Slow(sys.argv[1], 1))
try:
    ss.scan("many", engine=sys.argv[2], threads=2, filesystem=slow)
except KeyboardInterrupt:
    print(time.monotonic() - pressed[0])
"""
TESTS = Path(__file__).parents[1]


def run(program, *arguments):
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stderr == ""
    return done.stdout


def test_ctrl_c_ends_a_scan_of_a_slow_one(engine, tmp_path):
    """All files together would take three seconds and more."""
    (tmp_path / "many").mkdir()
    for number in range(120):
        (tmp_path / "many" / f"{number}.jsonl").write_text("{}\n")
    assert float(run(PROGRAM, tmp_path, engine)) < 1


PULLED = """
import sys
import polars as pl
import sessionscan as ss
from filesystem.handlers import Flaky, filesystem

batches = ss.reader("corpus", "records", filesystem=filesystem(Flaky(sys.argv[1], 1)))
print(pl.DataFrame(batches).height)
"""


def test_a_stream_may_be_pulled_by_whoever_holds_the_interpreter():
    fixtures = Path(__file__).parents[2] / "fixtures"
    assert int(run(PULLED, fixtures)) == ss.scan(fixtures / "corpus").coverage.records
