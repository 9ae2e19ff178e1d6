"""Rollouts among real transcripts, against the totals that they end with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from parity import realdata

# What each thread used: its last total, by the folder of its file.
TOTALS = {
    "da/4bdc81f3ac/1": (10877044, 10380672, 24382, 5067),
    "00/34f597b72d/1": (11070182, 10637312, 71829, 49942),
    "0b/9f2ac6f3aa/3": (28204549, 27123072, 45171, 9308),
}
COUNTS = (
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
)
CALLS = {"function_call", "custom_tool_call", "tool_search_call"}
RESULTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}


@pytest.fixture
def corpus(engine):
    realdata.require()
    return realdata.scanned(engine, text=True)


@pytest.fixture
def rollouts(corpus):
    """Return the rows of the rollouts' files, by the folders of `TOTALS`."""
    rows = [row for row in corpus.files.to_pylist() if row["kind"] == "codex"]
    named = {next(name for name in TOTALS if f"/{name}/" in row["path"]): row for row in rows}
    assert set(named) == set(TOTALS)
    assert len(rows) == len(TOTALS)
    return named


def of(corpus, name, file):
    return [row for row in corpus.table(name).to_pylist() if row["file_id"] == file["file_id"]]


def payloads(file):
    """Return the type and the payload of every record, read with json alone."""
    with Path(file["path"]).open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [(record["type"], record["payload"]) for record in records]


def test_usage_adds_up_to_the_last_total(corpus, rollouts):
    for name, file in rollouts.items():
        infos = [
            payload["info"]["total_token_usage"]
            for _, payload in payloads(file)
            if payload.get("type") == "token_count"
        ]
        assert tuple(infos[-1][key] for key in COUNTS) == TOTALS[name]
        rows = of(corpus, "usage", file)
        cached = sum(row["cache_read_input_tokens"] for row in rows)
        assert TOTALS[name] == (
            sum(row["input_tokens"] for row in rows) + cached,
            cached,
            sum(row["output_tokens"] for row in rows),
            sum(row["thinking_tokens"] for row in rows),
        )
        grown = [
            info for info, before in zip(infos, [None, *infos], strict=False) if info != before
        ]
        assert len(rows) == len(grown), "one row for each total that is another than before"
        assert all(min(row["input_tokens"], row["output_tokens"]) >= 0 for row in rows)
        assert {row["model"] for row in rows} <= {"gpt-5.5", "gpt-5.3-codex-spark"}


def test_every_call_has_its_output(corpus, rollouts):
    for file in rollouts.values():
        items = [payload for kind, payload in payloads(file) if kind == "response_item"]
        calls = [item for item in items if item["type"] in CALLS]
        answered = {item["call_id"] for item in items if item["type"] in RESULTS}
        rows = of(corpus, "tool_calls", file)
        assert [row["tool_use_id"] for row in rows] == [call["call_id"] for call in calls]
        for row, call in zip(rows, calls, strict=True):
            assert (row["n_results"] > 0) == (call["call_id"] in answered)
            assert row["tool_name"].endswith(call.get("name", "tool_search"))
            given = call.get("arguments", call.get("input"))
            assert json.loads(row["input_json"]) == (
                json.loads(given) if isinstance(given, str) and "arguments" in call else given
            )


def test_a_thread_is_one_session(corpus, rollouts):
    sessions = {row["session_id"]: row for row in corpus.sessions.to_pylist()}
    for file in rollouts.values():
        (_, about), *_ = payloads(file)
        row = sessions[about["id"]]
        assert row["project"] == about["cwd"]
        assert row["versions"] == [about["cli_version"]]
        assert row["n_records"] == file["records"] == len(payloads(file))
        assert {each["session_id"] for each in of(corpus, "records", file)} == {about["id"]}
        assert {each["code"] for each in of(corpus, "diagnostics", file)} <= {
            "unterminated_final_line"
        }
