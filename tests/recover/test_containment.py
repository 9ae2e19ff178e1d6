"""Whatever the paths in a transcript say, nothing is written outside the folder or over a file."""

import hashlib
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import pytest
import sessionscan as ss
from hypothesis import given, settings
from hypothesis import strategies as st
from recover.sessions import SESSION, backup, home, snapshot_of, tree
from sessionscan.recovery import output_folder
from sessionscan.recovery.original_path import steps

NAMES = st.sampled_from(["a", "b", "..", ".", "", "~", "C:", "a\\b", "\\\\host", "..\\..", "é" * 9])
ODD = st.text(st.sampled_from('a/\\.:~ \0\n"$*'), max_size=12)
PATHS = st.one_of(
    st.builds(lambda root, names: root + "/".join(names), st.sampled_from(["", "/", "//"]),
              st.lists(NAMES, max_size=5)),
    ODD,
    st.text(max_size=20),
    st.builds("C:\\{}".format, ODD),
)  # fmt: skip


@given(PATHS)
def test_steps_lead_down_or_nowhere(path):
    try:
        names = steps(path)
    except ValueError:
        return
    assert names
    for name in names:
        assert name not in {"", ".", ".."}
        assert "/" not in name
        assert "\0" not in name
    assert PurePosixPath("/out", *names).parts[:2] == ("/", "out")


@settings(max_examples=60, deadline=None)
@given(st.lists(PATHS.filter(lambda path: path.isprintable()), min_size=1, max_size=5, unique=True))
def test_what_is_written_stands_below_the_folder(paths):
    with TemporaryDirectory() as folder:
        top = Path(folder)
        tracked = {path: backup(f"{n}@v1", 1) for n, path in enumerate(paths)}
        kept = {f"{n}@v1": str(n).encode() for n in range(len(paths))}
        place = home(top / "h", [snapshot_of(tracked)], kept)
        before = tree(top)
        report = ss.recover(SESSION, place, engine="python").to_pylist()
        good = [row["path"] for row in report if row["problem"] is None]
        if good != [row["path"] for row in report]:
            with pytest.raises(ss.RecoverError):
                ss.recover(SESSION, place, top / "out", engine="python")
            assert tree(top) == before
            return
        ss.recover(SESSION, place, top / "out", engine="python")
        after = tree(top)
        assert {name: after[name] for name in before} == before
        new = {name for name in after if name not in before}
        assert new == {f"out/{row['target']}" for row in report}
        for row in report:
            assert hashlib.sha256(after[f"out/{row['target']}"]).hexdigest() == row["sha256"]


@pytest.fixture
def place(tmp_path):
    tracked = {"/a/b/c": backup("c@v1", 1), "/z": backup("z@v1", 1)}
    return home(tmp_path / "h", [snapshot_of(tracked)], {"c@v1": b"c", "z@v1": b"z"})


def refused(place, out):
    before = tree(place.parent)
    with pytest.raises(ss.RecoverError) as raised:
        ss.recover(SESSION, place, out)
    assert tree(place.parent) == before
    return str(raised.value)


@pytest.mark.parametrize("there", ["file", "folder", "link", "dangling"])
def test_nothing_is_written_over_what_is_there(place, tmp_path, there):
    taken = tmp_path / "out" / "a" / "b" / "c"
    taken.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").write_text("keep")
    if there == "file":
        taken.write_text("keep")
    elif there == "folder":
        taken.mkdir()
    else:
        taken.symlink_to(tmp_path / ("elsewhere" if there == "link" else "nowhere"))
    assert "something is there already" in refused(place, tmp_path / "out")


@pytest.mark.parametrize("step", ["out", "out/a", "out/a/b"])
@pytest.mark.parametrize("is_link", [True, False])
def test_nothing_is_written_through_a_link_or_below_a_file(place, tmp_path, step, is_link):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / step
    link.parent.mkdir(parents=True, exist_ok=True)
    if is_link:
        link.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    else:
        link.write_text("")
    assert "a link or a file stands" in refused(place, tmp_path / "out")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_link_that_appears_after_the_check_is_not_followed(place, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    stage = output_folder._stage

    def linking(*arguments):
        if not (tmp_path / "out" / "a").is_symlink():
            (tmp_path / "out" / "a").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
        stage(*arguments)

    monkeypatch.setattr(output_folder, "_stage", linking)
    with pytest.raises(OSError, match=r"link|directory"):
        ss.recover(SESSION, place, tmp_path / "out")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert tree(tmp_path / "out") == {}


def test_two_paths_with_one_place_are_refused(tmp_path):
    tracked = {"/C/x": backup("a", 1), "C:\\x": backup("b", 1), "/d": backup("a", 1)}
    tracked |= {"/d/e": backup("b", 1), "/f//g": backup("a", 1), "/f/./g": backup("b", 2)}
    place = home(tmp_path / "h", [snapshot_of(tracked)], {"a": b"a", "b": b"b"})
    report = ss.recover(SESSION, place).to_pylist()
    assert [(row["target"], row["problem"]) for row in report] == [
        ("C/x", "another original path leads to the same place"),
        ("d", None),
        ("d/e", "d is a file to recover, too, and cannot be a folder"),
        ("f/g", None),
        ("C/x", "another original path leads to the same place"),
    ]
    assert refused(place, tmp_path / "out").count("\n") == 3
