"""The recipes of the page for engines that have no executor, taken from it and run."""

import ast
import os
import pickle
import shutil
import sys
import tempfile
from functools import partial

import pyarrow as pa
import pytest
import sessionscan as ss
from api.readme import ROOT, blocks
from parity.compare import assert_equal, scan
from sessionscan.schema import ALL_TABLE_NAMES

FIXTURES = ROOT / "fixtures"
PAGE = ROOT / "docs" / "executors.md"
SPARK, RAY = blocks(PAGE.read_text(encoding="utf-8"), "python")[3:]
SOURCES = [str(FIXTURES / "claude"), str(FIXTURES / "corpus")]
# Nothing listens but on this machine's own address, and two tasks run at a time. What the JVM
# compiles is used a few times only, so it need not be compiled well.
SUBMIT = """
    --master local[2] --driver-memory 1g
    --driver-java-options "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1
    --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false pyspark-shell
"""


@pytest.fixture
def plans(monkeypatch):
    """Let the folder that the recipes name be the fixtures, in small tasks for every table."""
    made = []
    plan = partial(ss.plan, tables=ALL_TABLE_NAMES, text=True, task_bytes=40_000)

    def plan_fixtures(source):
        assert source == "/shared/claude"
        made.append(plan(SOURCES))
        return made[-1]

    monkeypatch.setattr(ss, "plan", plan_fixtures)
    return made


def run(recipe, plans):
    """Run a recipe, compare its tables with a scan's, and return its names and its plan."""
    names = {"__name__": "__main__"}
    exec(recipe, names)  # noqa: S102 (our own page)
    (plan,) = plans
    assert len(plan.tasks) > 10
    assert_equal(names["corpus"], scan(SOURCES, "rust", text=True))
    return names, plan


def test_spark(plans, monkeypatch):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java, which is neither on PATH nor in JAVA_HOME")
    from pyspark.sql import SparkSession  # noqa: PLC0415 (it may be absent)

    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", SUBMIT.replace("\n", " "))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    try:
        names, plan = run(SPARK, plans)
        tracker = names["spark"].sparkContext.statusTracker()
        stages = [
            tracker.getStageInfo(stage).numTasks
            for job in tracker.getJobIdsForGroup()
            for stage in tracker.getJobInfo(job).stageIds
        ]
        # One stage has all tasks. Were each in a job of its own, they would wait for each other.
        assert max(stages) == len(plan.tasks)
    finally:
        if session := SparkSession.getActiveSession():
            session.stop()


def test_what_is_sent_by_spark_is_folded_without_it():
    sent = [part for part in ast.parse(SPARK).body if isinstance(part, ast.FunctionDef)]
    names = {"pa": pa, "pickle": pickle, "ss": ss}
    exec(compile(ast.Module(sent, []), "spark", "exec"), names)  # noqa: S102 (our own page)
    plan = ss.plan(FIXTURES / "corpus", tables=["usage"], task_bytes=50_000)
    tasks = pa.record_batch({"task": [pickle.dumps(task) for task in plan.tasks]})
    facts = [row["facts"] for batch in names["fold"]([tasks]) for row in batch.to_pylist()]
    assert len(facts) == len(plan.tasks) > 1
    assert plan.join(facts).usage.equals(ss.scan(FIXTURES / "corpus").usage)


def test_ray(plans, monkeypatch):
    # Ray replaces 127.0.0.1 by an address that others reach, and listens there, unless it is
    # told that it is no cluster. It looks when it is imported.
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray = pytest.importorskip("ray", reason="ray is not installed")
    # Its sockets stand below the folder, and the path of a socket may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        own = {
            "num_cpus": 2,
            "object_store_memory": 80_000_000,
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": folder,
        }
        monkeypatch.setattr(ray, "init", partial(ray.init, **own))
        try:
            run(RAY, plans)
            assert ray.util.get_node_ip_address() == "127.0.0.1"
        finally:
            ray.shutdown()
