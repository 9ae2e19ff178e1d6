"""Every peer that is installed does the whole job, and one that does not is said to differ."""

from __future__ import annotations

import json
import os
import sys

import loops
import own_targets
import peers
import pytest
from corpora import generate
from peer_jobs import COMMANDS, IN_PROCESS, Peer, commands, differences, floors
from targets import verdict


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("peers")
    generate(made, size=300_000, seed=6, variety=20)
    return made


@pytest.fixture(scope="module")
def totals(folder):
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", IN_PROCESS)
def test_every_installed_peer_finds_the_generators_totals(name, folder, totals):
    peer = IN_PROCESS[name]
    if peer.absent:
        pytest.skip(f"{name}: {peer.absent}")
    assert peer.run(folder) == loops.expected(totals)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_tool_on_path_counts_what_it_says_it_counts(name, folder, totals):
    peer = COMMANDS[name]
    if peer.absent:
        pytest.skip(peer.absent)
    with peer.place(folder) as home:
        assert differences(peer.run(home), peers.all_expected(totals)) == []


TOOL = """#!{python}
import json, os, pathlib
home = pathlib.Path(os.environ["HOME"])
claude = pathlib.Path(os.environ["CLAUDE_CONFIG_DIR"])
assert claude == home / ".claude" and os.environ["CODEX_HOME"] == str(home / ".codex")
assert not (home / "left").exists()
(home / "left").write_text("of an earlier run")
lines = sum(path.read_bytes().count(b"\\n") for path in claude.resolve().rglob("*.jsonl"))
group = dict(input=lines, output=0, cache=0)
print(json.dumps(dict(groups=[group])))
"""


@pytest.mark.skipif(os.name == "nt", reason="the invented tool is a script with a first line")
def test_a_tool_runs_on_a_home_of_its_own(folder, totals, tmp_path, monkeypatch):
    tool = tmp_path / "aiburn"
    tool.write_text(TOOL.format(python=sys.executable), encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    for _ in range(2):
        with commands.home(folder) as home:
            found = commands.run("aiburn", home)
        assert found == {"three": {"input": totals["records"], "output": 0, "cache": 0}}
    tool.write_text(f"#!{sys.executable}\nraise SystemExit('no such option')\n")
    with commands.home(folder) as home, pytest.raises(RuntimeError, match="no such option"):
        commands.run("aiburn", home)
    assert (folder / "projects").is_dir()


@pytest.mark.skipif(floors.wc_absent() is not None, reason="wc is not on PATH")
def test_wc_reads_the_same_list(folder, totals, monkeypatch):
    assert floors.wc(folder) == totals["records"]
    monkeypatch.setattr(floors, "PATHS", 3)
    assert floors.wc(folder) == totals["records"]


def test_a_peer_that_counts_otherwise_differs(folder, totals):
    expected = peers.all_expected(totals)
    right = loops.expected(totals)
    assert differences(right, expected) == []
    assert differences({"calls": right["calls"] + 1}, expected) == [
        f"calls: {right['calls'] + 1} for {right['calls']}"
    ]
    wrong = Peer(lambda _: {"calls": 0}, 2, 3)
    broken = Peer(lambda _: {}["nothing"], 2, 3)
    absent = Peer(lambda _: {}, 2, 3, absent="no module of that name")
    found = {"wrong": wrong, "broken": broken, "absent": absent}
    best = peers.measure(folder, found, 2)
    said = "\n".join(peers.ratios(best, found))
    assert f"DIFFERS, so this is another job: calls: 0 for {right['calls']}" in said
    assert "failed, KeyError: 'nothing'" in said
    assert "skipped, no module of that name" in said


def test_targets_are_met_or_missed():
    assert verdict(9.0, 8, 13) == "must 8 met, aim 13 missed"
    assert verdict(7.9, 8, 13) == "must 8 missed, aim 13 missed"
    assert verdict(1.2, 2.0, 1.2, at_most=True) == "must 2 met, aim 1.2 met"
    assert verdict(2.1, 2.0, 1.2, at_most=True) == "must 2 missed, aim 1.2 missed"


def test_our_own_ratios_come_from_checked_scans(folder):
    best = own_targets.measure(own_targets.scans(folder, folder, folder), 1)
    assert all(0 < seconds < float("inf") for seconds in best.values())
    seconds = dict.fromkeys(best, 1.0) | {own_targets.TEXT: 2.0, own_targets.QUARTER: 0.25}
    said = own_targets.ratios(seconds, 4.0)
    assert said[1].endswith("2.00  must 2.2 met, aim 1.5 missed")
    assert said[2].endswith("1.00 times as fast  must 1.5 missed, aim 1.8 missed")
    assert said[3].endswith("4.00  must 4.2 met, aim 4 met")


def test_a_scan_with_other_totals_ends_the_run(folder, totals):
    scan = own_targets.scans(folder, folder, folder)[own_targets.LEAN_RUN]
    wrong = scan._replace(totals=totals | {"calls": totals["calls"] + 1})
    with pytest.raises(SystemExit, match="does not find the generator's totals"):
        own_targets.measure({"wrong": wrong}, 1)
