"""`sessionscan read`."""

from cli.command import output, run
from read.sessions import SESSION, record, write


def test_a_page_to_the_terminal_or_a_file(tmp_path):
    path = write(tmp_path, record("user", "How deep — is it?"))
    text = output("read", SESSION[:8], tmp_path / "h")
    assert text.startswith("# Session\n")
    assert "How deep — is it?" in text
    assert output("read", path) == text
    assert output("read", SESSION, "--home", tmp_path / "h") == text
    target = tmp_path / "page.html"
    assert output("read", path, "--format", "html", "--output", target) == ""
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_it_stops_at_a_malformed_line_with_its_place(tmp_path):
    path = write(tmp_path, record("user", "Fine."), '{"type":')
    done = run("read", path)
    assert (done.returncode, done.stdout) == (1, b"")
    offset = path.read_bytes().index(b"\n") + 1
    assert f"{path}:2:{offset}: malformed: " in done.stderr.decode()
    assert "not read" in output("read", path, "--lenient")


def test_what_is_not_there(tmp_path):
    write(tmp_path, record("user", "One."))
    write(tmp_path, record("user", "Two."), home="o")
    done = run("read", SESSION, tmp_path / "h", tmp_path / "o")
    assert done.returncode == 2
    assert "differ from one another" in done.stderr.decode()
    assert run("read", "99", tmp_path / "h").returncode == 2
    assert run("read", SESSION, tmp_path / "h", "--tz", "Nowhere").returncode == 2
