"""Rollouts of Codex, read as pages."""

import json

import pytest
import sessionscan as ss
from read.sessions import Shown

THREAD = "71000000-0000-4000-8000-000000000001"
OTHER = "71000000-0000-4000-8000-000000000002"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def record(kind, **payload):
    return {"timestamp": "2026-03-04T10:00:00Z", "type": kind, "payload": payload}


def item(kind, **payload):
    return record("response_item", type=kind, **payload)


def message(role, *texts):
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text} for text in texts])


META = record("session_meta", id=THREAD, cwd="/home/iva/kelp", cli_version="0.9.1")


def write(tmp_path, *records, thread=THREAD, folder="sessions/2026/03/04"):
    path = tmp_path / folder / f"rollout-2026-03-04T10-00-00-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (each if isinstance(each, str) else json.dumps(each) for each in (META, *records))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def headings(page):
    return [line for line in page.splitlines() if line.startswith("## ")]


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_a_thread_is_read_by_its_id_and_by_its_path(tmp_path, engine):
    path = write(
        tmp_path,
        record("turn_context", model="otter-2", cwd="/home/iva/kelp"),
        message("user", "Count the fronds."),
        record("event_msg", type="user_message", message="Count the fronds."),
        item("reasoning", summary=[{"type": "summary_text", "text": "Two places to look."}]),
        item("function_call", name="shell", call_id="c1", arguments='{"cmd":"ls fronds","n":2}'),
        item("function_call_output", call_id="c1", output="a\nb"),
        message("assistant", "There are two."),
        record("event_msg", type="agent_message", message="There are two."),
    )
    page = ss.read_session(THREAD[:8], tmp_path, engine=engine)
    assert page == ss.read_session(path, engine=engine)
    assert headings(page) == [
        "## User, 2026-03-04 10:00:00, line 3",
        "## Assistant (otter-2), 2026-03-04 10:00:00, line 5",
        "## Assistant (otter-2), 2026-03-04 10:00:00, line 8",
    ]
    assert page.count("Count the fronds.") == page.count("There are two.") == 1
    for shown in ("Two places to look.", "shell: result", "ls fronds", "a\nb", f"`{THREAD}`"):
        assert shown in page
    assert "event_msg agent_message 1, event_msg user_message 1, session_meta 1" in page.replace(
        "\\", ""
    )


def test_calls_take_their_results_by_id(tmp_path):
    page = ss.read_session(
        write(
            tmp_path,
            item("custom_tool_call", name="patch", call_id="c2", input="*** reef\n+kelp"),
            item("function_call", name="list", namespace="mcp__tide", call_id="c1", arguments="[1"),
            item(
                "function_call_output",
                call_id="c1",
                output=[{"type": "input_text", "text": "of one"}],
            ),
            item("custom_tool_call_output", call_id="c2", output="of two"),
            item("function_call_output", call_id="c9", output="of nothing"),
            item("local_shell_call", action={"command": ["ls"]}),
        )
    )
    places = [
        page.index(text)
        for text in (
            "patch: result",
            "+kelp",
            "of two",
            "mcp__tide__list",
            "[1",
            "of one",
            "of nothing",
        )
    ]
    assert places == sorted(places)
    assert "local_shell: no result" in page


def test_what_was_compacted_and_who_else_speaks(tmp_path):
    page = ss.read_session(
        write(
            tmp_path,
            message("developer", "Keep to the reef."),
            record("compacted", message="They counted fronds."),
            record("compacted", message=""),
            item("reasoning", summary=[], encrypted_content="eA=="),
            item("web_search_call", status="completed"),
        )
    )
    assert [line.split(",")[0] for line in headings(page)] == [
        "## Developer",
        "## Summary of what came before",
    ]
    for left_out in ("compacted 1", "response_item reasoning 1", "response_item web_search_call 1"):
        assert left_out in page.replace("\\", "").replace("`", "")


def test_images_are_shown_where_they_are_held(tmp_path):
    held = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    elsewhere = {"type": "input_image", "image_url": "https://kelp.example/a.png"}
    path = write(
        tmp_path, item("message", role="user", content=[held, elsewhere, {"type": "x"}, 1])
    )
    page = Shown(ss.read_session(path, page="html", images=True))
    assert [value for name, value in page.attributes if name == "src"] == [held["image_url"]]
    assert not any("kelp.example" in str(value) for _, value in page.attributes)
    text = ss.read_session(path)
    assert "[image: image/png" in text
    assert "[image: of no type]" in text
    assert "a block of type x" in text


def test_a_fork_is_read_with_what_it_replays_and_copies_are_no_question(tmp_path):
    parent = message("user", "Before the fork.")
    write(tmp_path, parent)
    write(tmp_path, parent, folder="archived_sessions")
    fork = record("session_meta", id=OTHER, forked_from_id=THREAD)
    path = tmp_path / "sessions" / f"rollout-2026-03-05T10-00-00-{OTHER}.jsonl"
    lines = (fork, META, parent, message("user", "Behind the fork."))
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    page = ss.read_session(OTHER, tmp_path)
    assert "Before the fork." in page
    assert "Behind the fork." in page
    assert "Behind the fork." not in ss.read_session(THREAD, tmp_path)


def test_it_is_strict(tmp_path):
    path = write(tmp_path, message("user", "Kelp."), '{"torn', message("user", "Reef."))
    with pytest.raises(ss.StrictError, match=r"[.]jsonl:3:"):
        ss.read_session(path)
    assert "Reef." in ss.read_session(path, strict=False)
