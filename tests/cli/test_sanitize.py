"""`sessionscan sanitize`."""

from pathlib import Path

import sessionscan as ss
from cli.command import output, run

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_it_writes_and_names_the_files(tmp_path):
    key = tmp_path / "key"
    key.write_bytes(b"a secret of tests")
    named = output("sanitize", FIXTURES / "corpus", tmp_path / "a", "--key-file", key, engine=None)
    again = output("sanitize", FIXTURES / "corpus", tmp_path / "b", "--key-file", key, engine=None)
    assert named.replace(str(tmp_path / "a"), str(tmp_path / "b")) == again
    assert "lighthouse" not in named
    assert ss.scan(tmp_path / "a").totals() == ss.scan(FIXTURES / "corpus").totals()


def test_what_is_refused(tmp_path):
    (tmp_path / "key").write_bytes(b"short")
    (tmp_path / "taken").write_text("keep")
    transcript = next((FIXTURES / "claude/bom").glob("projects/*/*.jsonl"))
    for arguments, said in (
        ((transcript, tmp_path / "taken" / "x"), "a file stands"),
        (("nowhere", tmp_path / "x"), "No such file"),
        ((FIXTURES / "corpus", tmp_path / "x", "--key-file", tmp_path / "key"), "16 or more"),
        ((FIXTURES / "corpus", tmp_path / "x", "--key-file", tmp_path / "none"), "No such file"),
    ):
        done = run("sanitize", *arguments, engine=None)
        assert done.returncode == 2, said
        assert said in done.stderr.decode()
    done = run("sanitize", transcript, tmp_path / "taken", engine=None)
    assert "something is there already" in done.stderr.decode()
    assert (tmp_path / "taken").read_text() == "keep"
