"""The folder of the index: where it is, what is in it, what happens where it is in the way."""

from __future__ import annotations

import multiprocessing
import os
import random
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import sessionscan as ss
from cli.command import output, run
from pyarrow import fs
from rescans.indexed import assert_same, scanned, settle
from sessionscan import cache
from sessionscan.schema import CORE

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(autouse=True)
def caches(tmp_path_factory, monkeypatch):
    """Return the user's folder of caches, one of the test's own."""
    folder = tmp_path_factory.mktemp("caches")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def corpus(tmp_path):
    """Return a folder with two transcripts that are no longer doubted."""
    home = tmp_path / "corpus"
    home.mkdir()
    for name in ("a", "b"):
        lines = (
            b'{"type":"user","uuid":"%s-%d","sessionId":"%s"}\n' % (name.encode(), number, b"s")
            for number in range(60)
        )
        (home / f"{name}.jsonl").write_bytes(b"".join(lines))
    return home


def tables_of(scan):
    return {name: scan.table(name) for name in CORE}


def same(scan, other):
    return scan.coverage == other.coverage and all(
        table.equals(other.table(name), check_metadata=True)
        for name, table in tables_of(scan).items()
    )


def test_nothing_is_kept_unless_it_is_asked_for(corpus, caches):
    ss.scan(corpus)
    ss.scan(corpus, cache=False)
    assert not list(caches.iterdir())


def test_true_is_the_users_own_folder_and_a_path_is_that_folder(corpus, caches, tmp_path):
    assert same(ss.scan(corpus, cache=True), ss.scan(corpus))
    assert cache.info(str(caches / "sessionscan")).segments == 1
    for given in (tmp_path / "one", str(tmp_path / "two")):
        assert same(ss.scan(corpus, cache=given), ss.scan(corpus))
        assert cache.info(str(given)).segments == 1


def test_without_a_folder_of_caches_it_is_below_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for named in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", named)
        assert cache.folder_of(True) == str(tmp_path / ".cache" / "sessionscan")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder_of(True) == str(tmp_path / ".cache" / "sessionscan")


def test_only_the_rust_engine_has_one(corpus):
    with pytest.raises(ValueError, match="'python' has no cache"):
        ss.scan(corpus, engine="python", cache=True)
    assert ss.scan(corpus, engine="python", cache=False).records.num_rows == 120


def test_file_systems_have_none(corpus, caches):
    disk = fs.SubTreeFileSystem(str(corpus), fs.LocalFileSystem())
    with pytest.raises(ValueError, match="cache is for sources on disk"):
        ss.scan("", filesystem=disk, cache=True)
    with pytest.raises(ValueError, match="cache is for sources on disk"):
        ss.scan("mock:///", cache=True)
    assert not list(caches.iterdir())
    url = Path(corpus).absolute().as_uri()
    assert ss.scan(url, cache=True).records.num_rows == 120
    assert cache.info(str(caches / "sessionscan")).segments == 1


@pytest.mark.parametrize("wrong", [None, 1, b"folder", 2.5, ""])
def test_what_is_no_folder_is_refused(corpus, wrong):
    with pytest.raises((TypeError, ValueError)):
        ss.scan(corpus, cache=wrong)


def test_nobody_else_can_read_it(corpus, caches):
    ss.scan(corpus, cache=True)
    folder = caches / "sessionscan"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_tables_asked_for_later_come_from_it_too(corpus, tmp_path):
    folder = tmp_path / "index"
    scan = ss.scan(corpus, tables=["usage"], cache=folder)
    with (corpus / "a.jsonl").open("ab") as file:
        file.write(b'{"type":"user"}\n')
    assert scan.records.num_rows == 120
    assert scan.prompts.num_rows == ss.scan(corpus).prompts.num_rows


def test_a_folder_in_the_way_is_one_warning(corpus, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(RuntimeWarning, match="cannot be written: Not a directory") as caught:
        scan = ss.scan(corpus, cache=tmp_path / "file" / "index")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert same(scan, ss.scan(corpus))


def test_a_folder_that_cannot_be_written_is_read(corpus, tmp_path):
    folder = tmp_path / "index"
    folder.mkdir()
    folder.chmod(0o500)
    # The superuser writes everywhere.
    is_writable = os.access(folder, os.W_OK)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scan = ss.scan(corpus, cache=folder)
    assert len(caught) == (0 if is_writable else 1)
    assert same(scan, ss.scan(corpus))
    folder.chmod(0o700)


FULL = """
import resource, sys, warnings
import sessionscan as ss
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    scan = ss.scan(sys.argv[1], cache=sys.argv[2])
print(scan.records.num_rows, len(caught), caught[0].message)
"""


def test_a_full_disk_is_one_warning_and_nothing_half_written(corpus, tmp_path):
    folder = tmp_path / "index"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(corpus), str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("120 1 "), done.stdout
    assert "File too large" in done.stdout
    assert not [path for path in folder.iterdir() if path.name != "CACHEDIR.TAG"]


def kept(folder):
    return sorted(folder.glob("*.ssindex"))


@pytest.mark.parametrize("seed", range(8))
def test_damage_anywhere_is_not_seen(seed, corpus, tmp_path):
    chance = random.Random(seed)  # noqa: S311 (no secret)
    folder = tmp_path / "index"
    settle()
    expected = scanned(corpus, tables=CORE)
    assert_same(scanned(corpus, cache=folder, tables=CORE), expected)
    names = [path.name for path in kept(folder)]
    assert len(names) > len(CORE)
    for path in kept(folder):
        data = bytearray(path.read_bytes())
        for _ in range(chance.randint(1, 3)):
            way, at = chance.randrange(5), chance.randrange(len(data) or 1)
            if way == 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            elif way == 1:
                del data[at:]
            elif way == 2:
                data[at:at] = chance.randbytes(chance.randint(1, 99))
            elif way == 3:
                data[at : at + 64] = bytes(len(data[at : at + 64]))
            else:
                del data[at : at + chance.randint(1, 99)]
        path.write_bytes(data)
    assert_same(scanned(corpus, cache=folder, tables=CORE), expected)
    assert_same(scanned(corpus, cache=folder, tables=CORE), expected)
    assert {path.name for path in kept(folder)} == set(names)


def test_another_version_is_not_read_and_is_replaced(corpus, tmp_path):
    folder = tmp_path / "index"
    settle()
    expected = scanned(corpus, tables=CORE)
    scanned(corpus, cache=folder, tables=CORE)
    before = {path: path.read_bytes() for path in kept(folder)}
    for path, data in before.items():
        path.write_bytes(data[:8] + bytes([data[8] + 1]) + data[9:])
    assert_same(scanned(corpus, cache=folder, tables=CORE), expected)
    assert {path: path.read_bytes()[8] for path in kept(folder)} == {
        path: data[8] for path, data in before.items()
    }


def scan_again_and_again(home, folder, times, barrier):
    """Scan in a process of its own; every scan must be the same."""
    expected = scanned(home, tables=CORE)
    barrier.wait()
    for number in range(times):
        assert_same(scanned(home, cache=folder, tables=CORE), expected)
        if number % 4 == 3:
            cache.clear(str(folder))


def test_two_processes_use_it_at_once(corpus, tmp_path):
    settle()
    spawned = multiprocessing.get_context("spawn")
    barrier = spawned.Barrier(2)
    arguments = (corpus, tmp_path / "index", 30, barrier)
    processes = [spawned.Process(target=scan_again_and_again, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0]
    assert not list((tmp_path / "index").glob("*.sspart"))


def test_the_command_says_what_is_kept_and_removes_it(corpus, caches, tmp_path):
    folder = tmp_path / "index"
    assert run("cache", "info", engine=None).stdout.decode().split() == [
        *(str(caches / "sessionscan"), "segments", "0", "facts", "of", "transcripts"),
        *("tables", "0", "of", "whole", "scans", "bytes", "0"),
    ]
    output("summary", corpus, "--cache", engine=None)
    output("usage", corpus, f"--cache={folder}", engine=None)
    for arguments in ([], ["--cache", folder]):
        told = output("cache", "info", *arguments, engine=None).splitlines()
        used = cache.info(str(folder if arguments else caches / "sessionscan"))
        assert told[0] == used.folder
        assert told[1].split()[:2] == ["segments", "1"]
        assert told[3].split() == ["bytes", f"{used.bytes:,}"]
        assert used.bytes > 1000
        cleared = output("cache", "clear", *arguments, engine=None).splitlines()
        assert cleared == [f"removed from {told[0]}", *told[1:]]
        assert not Path(used.folder).exists()


def test_what_is_not_ours_stays_when_it_is_cleared(corpus, tmp_path):
    ss.scan(corpus, cache=tmp_path / "index")
    (tmp_path / "index" / "a person's").write_text("words")
    output("cache", "clear", "--cache", tmp_path / "index", engine=None)
    assert [path.name for path in (tmp_path / "index").iterdir()] == ["a person's"]


def test_the_command_writes_no_index_among_transcripts(corpus):
    done = run("usage", "--cache", corpus, engine=None)
    assert done.returncode == 2
    assert b"no folder of an index" in done.stderr
    assert sorted(path.name for path in corpus.iterdir()) == ["a.jsonl", "b.jsonl"]


def test_the_command_has_none_with_the_reference(corpus):
    done = run("usage", corpus, "--cache", engine="python")
    assert done.returncode == 2
    assert b"has no cache" in done.stderr


def test_the_fixtures_are_the_same_after_they_have_settled(tmp_path):
    folder = tmp_path / "index"
    for root in (FIXTURES / "claude", FIXTURES / "corpus"):
        for tables in ("all", None, None):
            expected = ss.scan(root, tables=tables, text=True)
            found = ss.scan(root, tables=tables, text=True, cache=folder)
            assert same(found, expected)
