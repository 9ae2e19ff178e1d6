"""Paths, globs and lists as sources."""

import os

import pytest
from sessionscan.sources import Root, resolve


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.jsonl", "a.jsonl", ".hidden.jsonl", "deep/er/c.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def test_a_path_is_its_own_label(folder):
    assert resolve("a.jsonl") == [Root("a.jsonl", "a.jsonl")]
    assert resolve(folder / "deep") == [Root(str(folder / "deep"), str(folder / "deep"))]


def test_several_sources_keep_their_order(folder):
    assert [root.label for root in resolve(["b.jsonl", folder, "a.jsonl"])] == [
        "b.jsonl",
        str(folder),
        "a.jsonl",
    ]
    assert len(resolve(path for path in ("a.jsonl", "b.jsonl"))) == 2


def test_a_glob_is_one_source_sorted_by_bytes(folder):
    del folder
    assert resolve("*.jsonl") == [
        Root("*.jsonl", ".hidden.jsonl"),
        Root("*.jsonl", "a.jsonl"),
        Root("*.jsonl", "b.jsonl"),
    ]
    assert [root.path for root in resolve("**/c.jsonl")] == ["deep/er/c.jsonl"]


def test_a_path_that_exists_is_no_glob(folder):
    (folder / "[a].jsonl").touch()
    assert resolve("[a].jsonl") == [Root("[a].jsonl", "[a].jsonl")]


def test_a_tilde_is_the_home(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    assert resolve("~/a.jsonl") == [Root("~/a.jsonl", str(folder / "a.jsonl"))]
    assert len(resolve("~/*.jsonl")) == 3


@pytest.mark.parametrize("source", ["nothing", "nothing/*.jsonl", "", "a.jsonl/below", "x" * 5000])
def test_what_does_not_exist_is_an_error(folder, source):
    del folder
    with pytest.raises(FileNotFoundError):
        resolve(source)
    with pytest.raises(FileNotFoundError):
        resolve(["a.jsonl", source])


def test_a_link_without_a_target_does_not_exist(folder):
    (folder / "link").symlink_to("nowhere")
    with pytest.raises(FileNotFoundError, match="link"):
        resolve("link")


def test_no_source_at_all_is_refused(folder):
    del folder
    with pytest.raises(ValueError, match="no source"):
        resolve([])
    with pytest.raises(ValueError, match="NUL"):
        resolve("a\0b")


@pytest.mark.parametrize("source", [5, b"a.jsonl", [b"a.jsonl"], ["a.jsonl", None], 1.5])
def test_what_is_no_path_is_refused(folder, source):
    del folder
    with pytest.raises(TypeError):
        resolve(source)


def test_a_name_that_is_not_utf8_has_a_label_that_is(folder):
    name = os.fsdecode(b"caf\xe9.jsonl")
    (folder / name).touch()
    assert resolve(name) == [Root("caf\ufffd.jsonl", name)]
