"""Looking for a file without leaving a folder, where a contract case cannot build it."""

import os

from sessionscan.reference.inside_folder import OUTSIDE, is_plain_name, seek


def look(base, *names):
    return seek(os.fsencode(base), [name.encode() for name in names])


def test_a_regular_file_is_found_with_its_size(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_text("four")
    assert look(tmp_path, "a", "b.txt") == (True, 4, False)


def test_what_is_not_there_does_not_exist(tmp_path):
    assert look(tmp_path, "a", "b.txt") == (False, None, False)
    assert look(tmp_path, "n" * 300) == (False, None, False)


def test_what_is_neither_folder_on_the_way_nor_file_at_the_end_leads_outside(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert look(tmp_path, "file", "b") == OUTSIDE
    assert look(tmp_path, "folder") == OUTSIDE
    assert look(tmp_path, "pipe") == OUTSIDE


def test_a_link_at_any_step_leads_outside_and_one_above_does_not(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("")
    (tmp_path / "linked").symlink_to("real", target_is_directory=True)
    (tmp_path / "real" / "to_a").symlink_to("a")
    (tmp_path / "real" / "nowhere").symlink_to("gone")
    assert look(tmp_path, "linked", "a") == OUTSIDE
    assert look(tmp_path, "real", "to_a") == OUTSIDE
    assert look(tmp_path, "real", "nowhere") == OUTSIDE
    assert look(tmp_path / "linked", "a") == (True, 0, False)


def test_plain_names():
    plain = ["a", "...", "a b", "C:"]
    assert all(map(is_plain_name, plain))
    assert not any(map(is_plain_name, ["", ".", "..", "a/b", "a\\b", "a\0"]))
