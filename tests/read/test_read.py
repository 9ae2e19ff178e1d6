"""A session as a page: turns, calls, subagents, images; and what stops it."""

import base64
import zlib
from pathlib import Path

import pytest
import sessionscan as ss
from read.sessions import SESSION, Shown, page, record, unfenced, write

FIXTURES = Path(__file__).parents[2] / "fixtures"

PNG = b"\x89PNG\r\n\x1a\n" + zlib.compress(b"tide")
FORMS = pytest.mark.parametrize("form", ["markdown", "html"])


def call(name, number, **given):
    return {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}


def result(number, content, **more):
    return {"type": "tool_result", "tool_use_id": f"t{number}", "content": content, **more}


def image(data, media_type="image/png"):
    text = data if isinstance(data, str) else base64.b64encode(data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": text}}


def test_turns_calls_and_results_in_order(tmp_path, engine):
    path = write(
        tmp_path,
        record("user", "How deep is it?"),
        record("user", [result(1, [{"type": "text", "text": "4 m"}], is_error=False)]),
        record("assistant", [call("Bash", 1, command="sound --fathoms", n=5)]),
        record("assistant", "Four metres."),
    )
    text = page(path, engine=engine)
    outside, inside = unfenced(text)
    assert inside == ["How deep is it?", "sound --fathoms", "5", "4 m", "Four metres."]
    headings = [line for line in outside if line.startswith("## ")]
    assert headings == [
        "## User, 2026-03-04 10:00:00, line 1",
        "## Assistant, 2026-03-04 10:00:00, line 3",
        "## Assistant, 2026-03-04 10:00:00, line 4",
    ]
    assert "<details><summary>Bash: not failed: sound --fathoms</summary>" in outside
    assert page(path, engine=engine, tz="Asia/Kolkata").count("15:30:00") == 3


def test_an_html_page_holds_the_same_and_needs_nothing(tmp_path):
    path = write(
        tmp_path,
        record("user", "\nHow deep?"),
        record(
            "assistant", [{"type": "thinking", "thinking": "Hm."}, call("Bash", 1, command="x")]
        ),
        record("user", [result(1, "failed at once", is_error=True)]),
    )
    text = page(path, "html")
    shown = Shown(text)
    assert [each.removeprefix("\n") for each in shown.pre] == [
        "\nHow deep?",
        "Hm.",
        "x",
        "failed at once",
    ]
    assert shown.open == []
    assert "Bash: failed: x" in text
    assert "default-src 'none'" in text
    allowed = {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert {name for name, _ in shown.attributes} <= allowed
    assert "http:" not in text


def test_blocks_of_one_message_are_one_turn_and_a_block_again_is_none(tmp_path):
    def part(*blocks):
        message = {"id": "m1", "content": list(blocks)}
        return {**record("assistant", None), "message": message}

    path = write(
        tmp_path,
        part({"type": "text", "text": "one"}),
        part(call("Bash", 1, command="two")),
        part(call("Bash", 1, command="two")),
    )
    text = page(path)
    assert text.count("## Assistant") == 1
    assert unfenced(text)[1] == ["one", "two"]
    assert "Bash: no result: two" in text


@FORMS
def test_what_is_not_shown_is_counted(tmp_path, form):
    path = write(
        tmp_path,
        record("user", "Hello."),
        {"type": "mode", "sessionId": SESSION},
        {"type": "mode", "sessionId": SESSION},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "And bells?"}},
        {"type": "system", "subtype": "api_error", "content": "Overloaded"},
        record("user", [result(9, "nobody asked")]),
    )
    text = page(path, form)
    assert "Not shown: mode 2." in text
    for words in ("And bells?", "Overloaded", "Result without a call", "nobody asked"):
        assert words in text


@FORMS
def test_replays_are_left_out(tmp_path, form):
    said = record("user", "Only once.", uuid="u1")
    assert page(write(tmp_path, said, said), form).count("Only once.") == 1


@FORMS
def test_subagents_stand_in_their_calls(form, engine):
    text = ss.read_session("89f4", FIXTURES / "corpus", page=form, engine=engine)
    corpus = ss.scan(FIXTURES / "corpus", tables=["agents"])
    rows = [row for row in corpus.agents.to_pylist() if row["session_id"].startswith("89f4")]
    assert len(rows) == 3
    for row in rows:
        title = f"Subagent {row['agent_type']} {row['agent_id']}"
        assert text.count(title) >= 2, "in the call's line, and as a heading"


@FORMS
def test_a_subagent_without_a_file_is_told_from_progress_records(form):
    corpus = ss.scan(FIXTURES / "claude/inline_without_file", tables=["agents"])
    (row,) = corpus.agents.to_pylist()
    source = FIXTURES / "claude/inline_without_file"
    text = ss.read_session(row["session_id"], source, page=form)
    assert f"{row['agent_id']} (from progress records)" in text


@FORMS
def test_subagents_that_start_one_another_end(tmp_path, form):
    write(tmp_path, record("user", "Go."))
    for agent, other in (("a1", "2"), ("a2", "1")):
        name = f"{SESSION}/subagents/agent-{agent}"
        path = write(
            tmp_path,
            record("assistant", [call("Agent", f"-{agent[1]}", prompt=agent)], isSidechain=True),
            name=name,
        )
        meta = path.with_name(f"agent-{agent}.meta.json")
        meta.write_text(f'{{"toolUseId":"t-{other}"}}')
    text = ss.read_session(SESSION, tmp_path / "h", page=form)
    assert "Subagent a1" in text
    assert "Subagent a2" in text


@FORMS
@pytest.mark.parametrize(
    ("held", "is_shown"),
    [
        (image(PNG), True),
        (image(PNG, "image/svg+xml"), False),
        (image(b"<svg onload=alert(1)>"), False),
        (image('iVBORw0KGgo"><script>'), False),
        (image(b"GIF89a.", "image/gif"), True),
        (image(b"RIFF1234WEBPx", "image/webp"), True),
        (image(b"RIFF1234WAVEx", "image/webp"), False),
        (image(PNG, "image/jpeg"), False),
        ({"type": "image"}, False),
        ({**image(PNG), "type": "document"}, False),
    ],
)
def test_images(tmp_path, form, held, is_shown):
    path = write(tmp_path, record("user", [held]))
    with_images, without = page(path, form, images=True), page(path, form)
    assert ("data:image/" in with_images) is is_shown
    assert "data:image/" not in without
    assert f"[{held['type']}: " in without
    assert "img-src" not in without
    assert "<script" not in with_images


def test_the_first_malformed_line_stops_it_with_its_place(tmp_path, engine):
    good = record("user", "Fine.")
    path = write(tmp_path, good, '{"type":"user",', good, "[]")
    with pytest.raises(ss.StrictError) as raised:
        page(path, engine=engine)
    error = raised.value
    assert (error.path, error.line, error.code) == (str(path), 2, "malformed")
    assert error.byte_offset == path.read_bytes().index(b"\n") + 1
    text = page(path, strict=False, engine=engine)
    assert text.count("- not read: ") == 2
    assert "## User" in text


def test_a_malformed_line_of_a_subagent_stops_it_too(tmp_path):
    write(tmp_path, record("user", "Go."))
    write(tmp_path, "{", name=f"{SESSION}/subagents/agent-a1")
    with pytest.raises(ss.StrictError, match="agent-a1"):
        ss.read_session(SESSION, tmp_path / "h")


def test_a_line_that_is_being_written_is_no_loss(tmp_path):
    path = write(tmp_path, record("user", "Fine."))
    with path.open("a") as file:
        file.write('{"type":"us')
    assert "pending_tail" in page(path)


def test_diverging_copies_stop_it(tmp_path, engine):
    first = write(tmp_path, record("user", "One."))
    second = write(tmp_path, record("user", "Two."), home="other")
    homes = [tmp_path / "h", tmp_path / "other"]
    with pytest.raises(ss.UnclearSessionError, match="differ from one another") as raised:
        ss.read_session(SESSION, homes, engine=engine)
    assert raised.value.path == str(first)
    assert str(second) in str(raised.value)
    assert "Two." in ss.read_session(second, homes, engine=engine)
    second.write_bytes(first.read_bytes())
    assert "One." in ss.read_session(SESSION, homes, engine=engine)


def test_two_sessions_in_one_file_stop_it(tmp_path):
    path = write(tmp_path, record("user", "One."), record("user", "Two.", sessionId="other"))
    with pytest.raises(ss.UnclearSessionError) as raised:
        page(path)
    assert (raised.value.path, raised.value.line) == (str(path), 2)
    assert "a record of session other among those of" in str(raised.value)
    assert "Two." in page(path, strict=False)


def test_what_is_no_session(tmp_path):
    write(tmp_path, record("user", "One."))
    with pytest.raises(ValueError, match="no session's id starts so"):
        ss.read_session("99", tmp_path / "h")
    for bad in ({"page": "pdf"}, {"tz": "Nowhere"}):
        with pytest.raises(ValueError, match=r"pdf|Nowhere"):
            ss.read_session(SESSION, tmp_path / "h", **bad)


@FORMS
def test_every_fixture_can_be_read(form, engine):
    corpus = ss.scan(FIXTURES / "claude", engine=engine)
    paths = [row["path"] for row in corpus.files.to_pylist() if row["kind"] == "parent"]
    for path in paths:
        assert ss.read_session(path, page=form, strict=False, images=True).strip()
