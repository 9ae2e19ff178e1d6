"""Files that appear whole or not at all."""

import os
from pathlib import Path

import pytest
from sessionscan.atomic import replacing


def test_a_file_takes_the_place_of_another(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def fail():
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_keeps_pointing(tmp_path):
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to("target")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced():
    with replacing(os.devnull) as file:
        file.write(b"new")
    assert not Path(os.devnull).is_file()


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pytest.fail("the block must not run")
