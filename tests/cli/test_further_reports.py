"""What agents, lineage, prompts, endings, reconcile and census say, end to end."""

import json

import pyarrow as pa
import pytest
import sessionscan as ss
from api import crew, transcripts
from cli.command import output, run
from sessionscan.schema import ALL_TABLE_NAMES

PROJECT = "-srv-boat"


@pytest.fixture
def home(tmp_path):
    return crew.write_home(tmp_path)


def rows(*arguments, engine):
    return json.loads(output(*arguments, "--format", "json", engine=engine))


def values(found, *names):
    return [tuple(row[name] for name in names) for row in found]


def test_agents_are_drawn(home, engine):
    drawn = output("agents", home, engine=engine).splitlines()
    assert drawn[0] == f"session {crew.BOAT}: 4 agents"
    assert [line.split()[1] for line in drawn[1:] if line[0] != "│"] == ["a1", "a4", "a3"]
    assert drawn[2].startswith("│  └─ a2")
    said = output("agents", home, "--text", engine=engine).splitlines()
    assert said[1].endswith("completed; Trim the sails")


def test_agents_as_rows(home, engine):
    found = rows("agents", home, engine=engine)
    assert values(found, "agent_id", "depth", "description") == [
        ("a1", 0, None),
        ("a2", 1, None),
        ("a4", 0, None),
        ("a3", 0, None),
    ]
    shown = output("agents", home, "--columns", "agent_id,is_orphan", engine=engine)
    assert shown.split()[-2:] == ["a3", "true"]


def test_agents_of_a_session(home, engine):
    for named in (crew.BOAT, "4444"):
        assert "4 agents" in output("agents", named, home, engine=engine)
    assert output("agents", crew.RAFT, home, engine=engine) == f"session {crew.RAFT}: 0 agents\n"
    assert rows("agents", crew.RAFT, home, engine=engine) == []


def test_a_session_and_a_folder_of_one_name(home, monkeypatch, engine):
    monkeypatch.chdir(home / "projects" / PROJECT)
    assert "4 agents" in output("agents", crew.BOAT, ".", engine=engine)
    orphans = output("agents", f"./{crew.BOAT}", engine=engine)
    assert "3 agents" in orphans
    assert "orphan" in orphans


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["agents", "9999"], "no session's id starts so"),
        (["lineage", "9999"], "no session's id starts so"),
        (["agents", crew.BOAT.replace("4444", "9999")], "no session's id starts so"),
        (["lineage", ""], "No such file"),
        (["agents", "nothing/here"], "nothing/here"),
        (["agents", "--scope", "corpus"], "--scope session"),
        (["reconcile", "--scope", "corpus"], "--scope session"),
        (["prompts", "--kind", "words"], "interruption"),
        (["prompts", "--columns", "text"], "duplicates"),
        (["census", "--by-version"], "--diff"),
        (["census", "--diff", "a", "b"], "--diff A B"),
        (["reconcile", "--text"], "--text"),
    ],
)
def test_what_means_nothing_ends_with_2(home, arguments, named):
    done = run(*arguments, home)
    assert done.returncode == 2
    assert named in done.stderr.decode().splitlines()[-1]
    assert done.stdout == b""


def test_two_sessions_that_start_alike_are_named(tmp_path):
    for name in ("a1", "a2"):
        moment = "2026-03-01T00:00:00Z"
        record = transcripts.record("user", name, moment)
        (tmp_path / f"{name}.jsonl").write_bytes(transcripts.lines(record))
    done = run("agents", "a", tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().endswith("a: 2 sessions' ids start so: a1, a2\n")
    assert run("agents", "a1", tmp_path).returncode == 0


def test_lineage(home, engine):
    drawn = output("lineage", home, engine=engine).splitlines()
    assert drawn == [
        f"{crew.BOAT}  2026-04-01 08:00 /srv/garden, 11 records",
        f"└─ {crew.RAFT}  2026-04-02 08:00 /srv/garden, 2 records; shares 1 record (forkedFrom)",
        "sessions that share nothing with another: 0",
    ]
    found = rows("lineage", crew.RAFT, home, engine=engine)
    assert values(found, "session_id", "other_session_id", "depth", "found") == [
        (crew.BOAT, None, 0, True),
        (crew.RAFT, crew.BOAT, 1, True),
    ]


def test_lineage_of_a_fork_without_its_ancestor(home, engine):
    raft = home / "projects" / PROJECT / f"{crew.RAFT}.jsonl"
    drawn = output("lineage", raft, engine=engine).splitlines()
    assert drawn[0] == f"{crew.BOAT}  not in this corpus"
    assert drawn[1].startswith(f"└─ {crew.RAFT}")


def test_lineage_where_nothing_is_shared(tmp_path, engine):
    alone = transcripts.record("user", "a", "2026-03-01T00:00:00Z")
    (tmp_path / "a.jsonl").write_bytes(transcripts.lines(alone))
    said = "sessions that share nothing with another: 1\n"
    assert output("lineage", tmp_path, engine=engine) == said
    assert output("lineage", "a", tmp_path, engine=engine).startswith("a  2026-03-01 00:00")


def test_prompts_are_counted_and_listed(home, engine):
    counts = rows("prompts", home, engine=engine)
    assert values(counts, "kind", "reason", "n", "chars") == [("prompt", None, 3, 17)]
    listed = rows("prompts", home, "--text", engine=engine)
    assert [row["text"] for row in listed] == ["Set sail", "Set sail", "?"]
    shown = output("prompts", home, "--text", "--limit", 1, engine=engine).splitlines()
    assert shown[1].split()[-3:] == ["-", "Set", "sail"]
    assert shown[2] == "… 1 of 3 rows; --limit 0 shows all"
    assert rows("prompts", home, "--kind", "paste,echo", engine=engine) == []


def test_endings(home, engine):
    page = output("endings", home, engine=engine).splitlines()
    assert page[0] == "endings: done 1, empty 1"
    assert page[2].split()[:4] == [crew.BOAT, "done", "text", "0"]
    found = rows("endings", home, "--text", engine=engine)
    assert values(found, "kind", "ends_with_question", "text") == [
        ("done", True, "We are off. Where to?"),
        ("empty", None, None),
    ]


def test_reconcile(home, engine):
    page = output("reconcile", home, engine=engine).splitlines()
    assert page[0].endswith("0 sessions without a cost record left out")
    assert page[2].split()[:7] == [crew.BOAT, crew.MODEL, "6", "0", "60", "12", "48"]
    (row,) = rows("reconcile", home, engine=engine)
    assert row["difference_output_tokens"] == 25


def test_reconcile_shows_sessions_with_a_cost_record_alone(tmp_path, engine):
    home = transcripts.write_home(tmp_path)
    page = output("reconcile", home, engine=engine).splitlines()
    assert page[0].endswith("2 sessions without a cost record left out")
    assert len(page) == 2
    assert len(rows("reconcile", home, engine=engine)) == 3


def test_census_shows_unknown_names_first(tmp_path, engine):
    home = transcripts.write_home(tmp_path)
    page = output("census", home, engine=engine).splitlines()
    assert page[0] == "1 name not known to the schema, and the known ones behind"
    assert page[2].split() == ["record", "weather", "-", "false", "1", "1"]
    assert "true" in page[3]
    found = rows("census", home, engine=engine)
    assert ("record", "user", True, 2) in values(found, "item", "name", "is_known", "count")


def test_census_difference(tmp_path, home, engine):
    garden = transcripts.write_home(tmp_path)
    done = run("census", "--diff", garden, home, engine=engine)
    said, page = done.stderr.decode().splitlines(), done.stdout.decode().splitlines()
    assert [line.split(": ")[0] for line in said] == [str(garden), str(home)]
    assert "counts that changed are not shown" in page[0]
    assert page[2].split() == ["record", "weather", "-", "1", "0", "removed", "false"]
    found = rows("census", "--diff", garden, home, engine=engine)
    assert ("cost-state", "added") in values(found, "name", "change")
    assert {row["change"] for row in found} == {"added", "removed", "changed"}
    versions = rows("census", "--diff", garden, home, "--by-version", engine=engine)
    assert "version" in versions[0]


@pytest.mark.parametrize("format_", ["parquet", "arrow"])
def test_census_difference_with_a_saved_one(tmp_path, home, format_):
    saved = tmp_path / "saved"
    output("census", home, "--format", format_, "--output", saved)
    done = run("census", "--diff", saved, home)
    assert done.stdout.decode().startswith("0 added, 0 removed, 0 changed")
    assert len(done.stderr.decode().splitlines()) == 1
    both = run("census", "--diff", saved, saved, "--format", "json")
    assert (json.loads(both.stdout), both.stderr) == ([], b"")


def test_a_side_that_is_none_is_refused(tmp_path, home):
    saved = tmp_path / "saved"
    output("table", "files", home, "--format", "parquet", "--output", saved)
    (tmp_path / "broken").write_bytes(b"PAR1 and no more")
    for side, named in (("saved", "is no census"), ("broken", "cannot be read"), ("gone", "gone")):
        done = run("census", "--diff", tmp_path / side, home)
        assert done.returncode == 2
        assert named in done.stderr.decode().splitlines()[-1]


def test_summary_names_agents_forks_and_endings(home, engine):
    page = output("summary", home, engine=engine)
    assert "\nbeside     meta 2\n" in page
    assert "\nsessions   2 (1 forked)\n" in page
    assert "\nendings    done 1, empty 1\n" in page
    assert "\nprompts    3\n" in page
    assert "agents     4 (1 launched and without a transcript, 1 launched by nothing" in page
    summary = rows("summary", home, engine=engine)
    assert (summary["agents"], summary["orphan_agents"], summary["forks"]) == (4, 1, 1)
    lines = output("summary", home, "--format", "csv", engine=engine).splitlines()
    assert '"corpus",,"dangling_agents",1' in lines
    assert '"endings",,"interrupted",0' in lines
    assert '"beside","meta","count",2' in lines


def test_diagnostics_look_beside_the_transcripts_too(home, engine):
    meta = home / "projects" / PROJECT / crew.BOAT / "subagents" / "agent-a1.meta.json"
    meta.write_text("{")
    found = rows("diagnostics", home, engine=engine)
    assert [row["code"] for row in found] == ["damaged_side_file"]


def test_a_title_is_shown_with_text(home, engine):
    shown = output("sessions", home, "--text", engine=engine).splitlines()
    assert shown[0].split()[-1] == "title"
    assert shown[1].endswith("Set sail")
    assert "title" not in output("sessions", home, engine=engine)


@pytest.mark.parametrize("name", ALL_TABLE_NAMES)
def test_every_table_is_a_command(home, tmp_path, name, engine):
    path = tmp_path / "out"
    output("table", name, home, "--format", "arrow", "--output", path, engine=engine)
    written = pa.ipc.open_file(path).read_all()
    table = ss.scan(home, engine=engine, tables=[name]).table(name)
    assert written.column_names == table.column_names
    assert written.to_pylist() == table.to_pylist()


@pytest.mark.parametrize(
    "command", ["agents", "lineage", "prompts", "endings", "reconcile", "census"]
)
@pytest.mark.parametrize("format_", ["table", "json", "csv", "ndjson", "parquet", "arrow"])
def test_every_command_has_every_format_and_the_coverage(home, tmp_path, command, format_):
    path = tmp_path / "out"
    done = run(command, home, "--format", format_, "--output", path)
    assert done.returncode == 0, done.stderr.decode()
    assert path.stat().st_size > 0
    assert done.stderr.decode().startswith("5 files found: 5 read")
