"""A recovery that ends anywhere leaves whole files or none."""

import hashlib
import os
import signal

import pytest
from recover.sessions import tree
from sessionscan.recovery import output_folder
from sessionscan.recovery.output_folder import Planned

CALLS = ("open", "mkdir", "write", "fsync", "link", "unlink", "rmdir", "close")
CONTENTS = {"a/b/one": os.urandom(150_000), "a/two": b"", "three": b"3" * 70_000}


def planned():
    def halves(content):
        return lambda: iter([content[:66_000], content[66_000:]])

    return [
        Planned(tuple(name.split("/")), halves(content), hashlib.sha256(content).hexdigest())
        for name, content in CONTENTS.items()
    ]


class Stopped:
    """Counts the calls that change anything, and stops at one of them."""

    def __init__(self, at, stop):
        self.left, self.stop = at, stop

    def __call__(self, call):
        def counted(*arguments, **options):
            self.left -= 1
            if self.left == 0:
                self.stop()
            return call(*arguments, **options)

        return counted


def stopping(monkeypatch, at, stop):
    counter = Stopped(at, stop)
    for name in CALLS:
        monkeypatch.setattr(output_folder.os, name, counter(getattr(os, name)))
    return counter


def count(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        counter = stopping(patched, 0, None)
        output_folder.write(str(tmp_path / "counted"), planned())
    return -counter.left


def assert_whole(folder):
    for name, content in tree(folder).items():
        if not name.startswith(".sessionscan-"):
            assert content == CONTENTS[name]


def test_a_kill_at_any_moment(tmp_path, monkeypatch):
    calls = count(tmp_path, monkeypatch)
    assert calls > 30
    whole = set()
    for at in range(1, calls + 1):
        folder = tmp_path / f"killed-{at}"
        child = os.fork()
        if child == 0:  # pragma: no cover (the child is killed)
            stopping(monkeypatch, at, lambda: os.kill(os.getpid(), signal.SIGKILL))
            output_folder.write(str(folder), planned())
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), at
        assert_whole(folder)
        whole.add(len([name for name in tree(folder) if not name.startswith(".")]))
    assert whole == {0, 1, 2, 3}


def test_a_failure_at_any_moment(tmp_path, monkeypatch):
    def fail():
        raise OSError(28, "No space left on device")

    calls = count(tmp_path, monkeypatch)
    for at in range(1, calls + 1):
        folder = tmp_path / f"failed-{at}"
        with monkeypatch.context() as patched:
            stopping(patched, at, fail)
            try:
                output_folder.write(str(folder), planned())
            except OSError:
                pass
            else:
                assert tree(folder).keys() >= CONTENTS.keys(), at
        assert_whole(folder)


def test_what_changes_while_it_is_read_is_not_written(tmp_path):
    changed = [*planned(), Planned(("late",), lambda: [b"new"], hashlib.sha256(b"old").hexdigest())]
    with pytest.raises(ValueError, match="late: its backup changed"):
        output_folder.write(str(tmp_path / "out"), changed)
    assert list((tmp_path / "out").iterdir()) == []


def test_what_appears_meanwhile_stays(tmp_path):
    def appearing():
        (tmp_path / "out" / "late").write_text("theirs")
        return [b"new"]

    late = Planned(("late",), appearing, hashlib.sha256(b"new").hexdigest())
    with pytest.raises(FileExistsError):
        output_folder.write(str(tmp_path / "out"), [late])
    assert tree(tmp_path / "out") == {"late": b"theirs"}
