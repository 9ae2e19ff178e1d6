"""A part of a corpus."""

import json
from pathlib import Path

import pyarrow.compute as pc
import pytest
import sessionscan as ss
from sessionscan.projects import sessions_in

FIXTURES = Path(__file__).parents[2] / "fixtures"

A, B = "51000000-0000-4000-8000-00000000000a", "52000000-0000-4000-8000-00000000000b"


def record(session, day, cwd="/home/iva/tide", **more):
    return {
        "type": "assistant",
        "sessionId": session,
        "uuid": f"{session}-{day}",
        "timestamp": day and f"2026-03-{day:02}T23:30:00Z",
        "cwd": cwd,
        "message": {
            "id": f"m{session}{day}",
            "content": [{"type": "tool_use", "id": f"t{day}", "name": "Bash", "input": {}}],
            "usage": {"input_tokens": day or 100, "output_tokens": 1},
        },
        **more,
    }


@pytest.fixture
def corpus(tmp_path, engine):
    folder = tmp_path / "projects" / "-p"
    folder.mkdir(parents=True)
    for session, records in {
        A: [record(A, 4), record(A, 5), record(A, None)],
        B: [record(B, 5, "/home/iva/tide/docs"), record(B, 9, "/srv/other")],
    }.items():
        lines = "".join(f"{json.dumps(each)}\n" for each in records)
        (folder / f"{session}.jsonl").write_text(lines)
    return ss.scan(tmp_path, engine=engine)


def test_sessions(corpus):
    part = corpus.select(sessions="51")
    assert part.usage["input_tokens"].to_pylist() == [4, 5, 100]
    assert part.sessions["session_id"].to_pylist() == [A]
    assert part.blocks.num_rows == 3
    assert part.totals()["responses"] == 3
    assert part.files.equals(corpus.files)
    rest = corpus.select(exclude_sessions=[A])
    assert rest.usage["input_tokens"].to_pylist() == [5, 9]
    assert rest.endings["session_id"].to_pylist() == [B]
    assert corpus.select(sessions=[A], exclude_sessions="51").usage.num_rows == 0
    with pytest.raises(ValueError, match="sessions' ids start so"):
        corpus.select(sessions="5")


def test_a_project_is_where_records_say_that_it_worked(corpus, tmp_path, monkeypatch):
    def found(project):
        return set(corpus.select(project=project).usage["session_id"].to_pylist())

    assert found("/home/iva/tide") == found("/home/iva/tide/") == found("tide") == {A, B}
    assert found("docs") == found("/srv") == {B}
    with pytest.raises(ValueError, match="no session worked in /home/iva/tid; projects are"):
        found("/home/iva/tid")
    link = tmp_path / "link"
    link.symlink_to("/srv/other")
    assert found(link) == {B}
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no session worked in"):
        found(".")


def test_a_span_of_time_goes_by_the_time_of_each_row(corpus):
    part = corpus.select(since="2026-03-05", until="2026-03-05", tz="UTC")
    assert part.usage["input_tokens"].to_pylist() == [5, 5]
    assert part.tool_calls["tool_use_id"].to_pylist() == ["t5", "t5"]
    assert part.blocks.num_rows == 2
    assert part.untimed["usage"] == part.untimed["tool_calls"] == 1
    assert part.sessions["session_id"].to_pylist() == [A, B]
    assert part.totals()["input_tokens"] == 10
    later = corpus.select(since="2026-03-06", until="2026-03-06", tz="Europe/Berlin")
    assert later.usage["input_tokens"].to_pylist() == [5, 5]
    assert corpus.select(since="2026-03-06", tz="UTC").sessions["session_id"].to_pylist() == [B]
    assert corpus.select(project="docs", until="2026-03-05", tz="UTC").usage.num_rows == 1


def test_nothing_selected_is_everything(corpus):
    part = corpus.select()
    for name in corpus.table_names:
        assert part.table(name).equals(corpus.table(name)), name


def test_every_table_can_be_selected(engine):
    corpus = ss.scan(FIXTURES / "claude", engine=engine)
    sessions = pc.unique(corpus.sessions["session_id"]).to_pylist()
    parts = [corpus.select(sessions=session) for session in sessions]
    whole = corpus.select(since="2000-01-01", until="2100-01-01", tz="UTC")
    for name in corpus.table_names:
        if name in ("files", "diagnostics"):
            continue
        rows = corpus.table(name)
        within = whole.table(name)
        assert within.num_rows + whole.untimed.get(name, 0) <= rows.num_rows
        assert sum(part.table(name).num_rows for part in parts) <= rows.num_rows, name


@pytest.mark.parametrize(
    ("project", "cwd", "is_in"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/b/c", True),
        ("/a/b", "/a/bc", False),
        ("/a/b/", "/a//b", True),
        ("/", "/a", True),
        ("C:\\Tide", "c:\\tide\\docs", True),
        ("C:\\Tide", "C:\\Tides", False),
        ("b", "C:\\a\\b\\c", True),
    ],
)
def test_paths(project, cwd, is_in):
    if is_in:
        assert sessions_in(project, [("s", cwd)])[1] == {"s"}
    else:
        with pytest.raises(ValueError, match="no session"):
            sessions_in(project, [("s", cwd)])
