"""A plan, its tasks, and what it takes for their facts."""

import pickle
from pathlib import Path

import pytest
import sessionscan as ss
from api.transcripts import write_home
from sessionscan.schema import ALL_TABLE_NAMES

CORPUS = Path(__file__).parents[2] / "fixtures" / "corpus"


@pytest.fixture
def plan():
    return ss.plan(CORPUS, tables=["usage"], task_bytes=30_000)


def test_tasks_are_small_and_travel(plan):
    for task in plan.tasks:
        pickled = pickle.dumps(task)
        assert len(pickled) < 600 + 2 * sum(map(len, task.paths))
        assert pickle.loads(pickled) == task  # noqa: S301


def test_tasks_hold_every_file_once_in_order(plan):
    files = ss.scan(CORPUS, tables=["usage"]).files
    paths = [path for task in plan.tasks for path in task.paths]
    # One that is cut is named by each of its tasks.
    assert list(dict.fromkeys(paths)) == files["path"].to_pylist()
    assert len(paths) > len(files)
    assert sum(task.files for task in plan.tasks) == len(files)
    assert sum(task.bytes for task in plan.tasks) == sum(files["size_bytes"].to_pylist())
    assert [task.number for task in plan.tasks] == list(range(len(plan.tasks)))


def test_facts_come_in_any_order_and_as_often_as_they_like(plan):
    facts = [ss.fold(task) for task in plan.tasks]
    plain = ss.scan(CORPUS, tables=["usage"])
    for given in (facts, facts[::-1], [*facts, *facts], map(bytearray, facts)):
        assert plan.join(given).usage.equals(plain.usage, check_metadata=True)


def test_facts_hold_no_words_unless_asked():
    def facts(**options):
        plan = ss.plan(CORPUS, tables=["blocks"], **options)
        return b"".join(map(ss.fold, plan.tasks))

    words = ss.scan(CORPUS, text=True).blocks["text"].drop_null().to_pylist()
    longest = max(words, key=len).encode()
    assert longest in facts(text=True)
    assert longest not in facts()


def test_nothing_to_read_is_a_plan_without_tasks(tmp_path):
    plan = ss.plan(tmp_path)
    assert plan.tasks == ()
    assert plan.join([]).coverage.files_found == 0


def test_missing_facts_are_named(plan):
    facts = [ss.fold(task) for task in plan.tasks]
    left = [each for number, each in enumerate(facts) if number not in {2, 5}]
    with pytest.raises(ValueError, match=f"of 2 of {len(facts)} tasks are missing") as caught:
        plan.join(left)
    assert plan.tasks[2].paths[0] in str(caught.value)
    assert plan.join(facts).usage.num_rows


def test_facts_of_another_plan_are_refused(plan):
    other = ss.plan(CORPUS, tables=["usage"], task_bytes=30_000)
    with pytest.raises(ValueError, match="the facts of another plan"):
        plan.join(map(ss.fold, other.tasks))


def test_what_is_no_facts_is_refused(plan):
    facts = ss.fold(plan.tasks[0])
    changed = bytearray(facts)
    changed[len(facts) // 2] ^= 1
    for given in (b"", b"no facts", facts[:-1], facts + b"\0", changed):
        with pytest.raises(ValueError, match="these are not the facts of a task"):
            plan.join([given])
    for given in (None, "facts", 7):
        with pytest.raises(TypeError):
            plan.join([given])


def test_what_is_no_task_is_refused(plan):
    with pytest.raises(TypeError, match=r"one of Plan.tasks, not Plan"):
        ss.fold(plan)


def test_options_are_checked():
    for options, error in [
        ({"tables": ["no"]}, ValueError),
        ({"task_bytes": 0}, ValueError),
        ({"task_bytes": None}, TypeError),
        ({"threads": 0}, ValueError),
        ({"copies": "no"}, ValueError),
    ]:
        with pytest.raises(error):
            ss.plan(CORPUS, **options)
    with pytest.raises(FileNotFoundError):
        ss.plan("no/such/folder")


def test_what_happens_to_a_file_meanwhile_is_a_finding(tmp_path):
    """As it is where a scan finds a file and cannot open or read it a moment later."""
    home = write_home(tmp_path)
    gone, shorter, longer = sorted(home.rglob("*.jsonl"))
    plan = ss.plan(home, tables=ALL_TABLE_NAMES, task_bytes=300)
    before = ss.scan(home, tables=ALL_TABLE_NAMES)
    gone.unlink()
    size = shorter.stat().st_size
    shorter.write_bytes(shorter.read_bytes()[: size // 2])
    longer.write_bytes(longer.read_bytes() + b'{"type":"user"}\n')
    corpus = plan.join(map(ss.fold, plan.tasks))
    assert corpus.files["status"].to_pylist() == ["unreadable", "partial", "ok"]
    findings = corpus.diagnostics.to_pylist()
    (unreadable,) = [row for row in findings if row["code"] == "unreadable"]
    assert "No such file or directory" in unreadable["message"]
    assert "truncated_while_reading" in {row["code"] for row in findings}
    assert corpus.files["records"][2] == before.files["records"][2]
