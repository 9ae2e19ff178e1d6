"""Rust and reference agree by whatever way files are reached, packed, or left without ids."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from parity.compare import assert_engines_agree

HOMES = Path(__file__).parents[2] / "fixtures" / "claude"
# What has metas, workflows, outputs or backups beside it, forks, or files of older shapes.
SHAPES = (
    "agent_tree_nested",
    "cost_state",
    "file_history_backups",
    "flat_agent",
    "fork_without_forked_from",
    "inline_with_file",
    "memory_and_scripts",
    "meta_without_tool_use_id",
    "persisted_output",
    "session_lineage",
    "sidecar_elsewhere",
    "task_notifications",
    "titles",
    "workflow",
)
OPTIONS = ({"text": True}, {"text": True, "copies": "keep", "max_line_bytes": 600})


@pytest.fixture(params=SHAPES)
def home(request, tmp_path):
    return shutil.copytree(HOMES / request.param, tmp_path / "home", symlinks=True)


def transcripts(home):
    return sorted(path for path in home.rglob("*.jsonl") if path.is_file())


def assert_agreed(sources):
    for options in OPTIONS:
        assert_engines_agree(sources, **options)


def test_each_file_alone(home):
    for path in transcripts(home):
        assert_agreed(path)


@pytest.mark.parametrize(
    "pattern", ["projects/*/*.jsonl", "projects/*", "projects/*/*", "projects/**/agent-*.jsonl"]
)
def test_a_glob(home, pattern):
    if any(home.glob(pattern)):
        assert_agreed(str(home / pattern))


def test_sources_that_overlap(home):
    inner = [*home.glob("projects/*"), *home.glob("projects/*/*"), *transcripts(home)]
    sources = [str(path) for path in (home, home / "projects", *inner)]
    assert_agreed(sources)
    assert_agreed(sources[::-1])


def test_compressed_beside_their_metas(home):
    for number, path in enumerate(transcripts(home)):
        if number % 2:
            with pa.CompressedOutputStream(f"{path}.zst", "zstd") as packed:
                packed.write(path.read_bytes())
        else:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert_agreed(home)


@pytest.mark.parametrize("names", ["kept", "lost"])
def test_records_without_session_ids(home, names):
    """With a name of its own shape a file still has a session; without one it has none."""
    for number, path in enumerate(transcripts(home)):
        path.write_bytes(re.sub(rb'"(sessionId|session_id)":"[^"]*",', b"", path.read_bytes()))
        if names == "lost" and not path.name.startswith(("agent-", "journal")):
            path.rename(path.with_name(f"notes{number}.jsonl"))
    assert_agreed(home)
    assert_agreed([path for path in transcripts(home) if "subagents" not in path.parts])
