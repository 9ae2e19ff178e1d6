"""The generator: the same seed makes the same bytes, and they are what a client writes."""

from __future__ import annotations

import json

import generate as command
import pytest
from corpora import generate


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_seed_makes_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        generate(tmp_path / name, size=200_000, seed=5, variety=20)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_another_seed_makes_another_corpus(tmp_path):
    made = [generate(tmp_path / str(seed), size=50_000, seed=seed) for seed in (1, 2)]
    assert made[0]["session"] != made[1]["session"]


@pytest.mark.parametrize("size", [10_000, 100_000, 2_000_000])
def test_the_size_is_met(size, tmp_path):
    totals = generate(tmp_path, size=size, seed=3)
    written = sum(len(data) for name, data in files(tmp_path).items() if name.endswith(".jsonl"))
    assert totals["bytes"] == written
    assert size <= written < 1.2 * size + 20_000


@pytest.mark.parametrize("count", [3, 40])
def test_the_number_of_files_is_met(count, tmp_path):
    totals = generate(tmp_path, size=400_000, seed=3, files=count)
    assert totals["files"] == count


def test_lines_are_as_json_stringify_writes_them(tmp_path):
    generate(tmp_path, size=500_000, seed=7, variety=50)
    foreign = 0
    for name, data in files(tmp_path).items():
        if not name.endswith(".jsonl"):
            continue
        assert data.endswith(b"\n")
        for line in data[:-1].split(b"\n"):
            compact = json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))
            assert compact.encode() == line
            foreign += not line.isascii()
    assert foreign > 0


def test_everything_rare_is_there_with_enough_variety(tmp_path):
    totals = generate(tmp_path, size=3_000_000, seed=11, variety=100)
    kinds = {"parent", "subagent", "workflow_agent", "journal"}
    assert set(totals["files_by_kind"]) == kinds
    assert set(totals["outcomes"]) == {"failed", "launched", "no_result", "not_failed", "unknown"}
    assert set(totals["diagnostics"]) == {"usage_conflict", "duplicate_tool_use_id"}
    rare = ("copies", "call_copies", "replays", "conflicts", "lower_bound", "uncertain")
    for name in (*rare, "workflows", "compactions"):
        assert totals[name] > 0, name


@pytest.mark.parametrize(
    ("text", "size"),
    [("10KB", 10_000), ("1.5GB", 1_500_000_000), ("7", 7), ("500 mb", 500_000_000)],
)
def test_sizes_are_read(text, size):
    assert command.size(text) == size


def test_the_command_refuses_a_folder_in_use(tmp_path, capsys):
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--size", "10KB"])
    assert "is not empty" in capsys.readouterr().err


def test_the_command_writes_a_corpus(tmp_path, capsys):
    assert command.main([str(tmp_path / "out"), "--size", "20KB", "--seed", "4"]) == 0
    totals = json.loads((tmp_path / "out" / "expected.json").read_text(encoding="utf-8"))
    assert f"{totals['records']:,} records" in capsys.readouterr().out
