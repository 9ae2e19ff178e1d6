"""What an executor is refused for, and what becomes of what it raises."""

import signal
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import pytest
import sessionscan as ss
from executors.killing import Losing
from executors.stubs import Scripted, Waiting

CORPUS = Path(__file__).parents[2] / "fixtures" / "corpus"

pytestmark = pytest.mark.usefixtures("small_tasks")


def test_what_is_no_executor_is_refused():
    for executor in (7, "threads", ThreadPoolExecutor):
        with pytest.raises(TypeError, match=r"of a Dask client is client\.get_executor\(\)"):
            ss.scan(CORPUS, executor=executor)


def test_executors_are_of_the_rust_engine_and_without_a_cache(tmp_path):
    executor = Waiting(0)
    with pytest.raises(ValueError, match="only 'rust' has executors"):
        ss.scan(CORPUS, executor=executor, engine="python")
    with pytest.raises(ValueError, match="with an executor there is none"):
        ss.scan(CORPUS, executor=executor, cache=tmp_path)
    assert executor.futures == []


def test_one_that_was_shut_down_says_so():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        ss.scan(CORPUS, executor=executor)


def test_what_a_task_raises_is_raised_here_and_names_its_files():
    def script(number, fold, task):
        if number == 3:
            raise ConnectionResetError(104, "the worker hung up")
        return fold(task)

    with pytest.raises(ConnectionResetError, match="hung up") as caught:
        ss.scan(CORPUS, executor=Scripted(script))
    task = ss.plan(CORPUS, task_bytes=3000).tasks[3]
    assert caught.value.__notes__ == [f"task 3 of the scan: {task.paths[0]}"]


def test_a_note_tells_how_many_files_a_task_had(monkeypatch):
    monkeypatch.setattr(ss.tasks, "TASK_BYTES", 1 << 30)

    def script(*_):
        raise OSError("no")

    with pytest.raises(OSError, match="no") as caught:
        ss.scan(CORPUS, executor=Scripted(script))
    paths = ss.plan(CORPUS).tasks[0].paths
    assert caught.value.__notes__ == [f"task 0 of the scan: {paths[0]} to {paths[-1]} (16 files)"]


def test_what_is_no_facts_is_refused_with_its_first_file():
    with pytest.raises(ValueError, match=r"facts of a task: .*; they came for .* /.*\.jsonl"):
        ss.scan(CORPUS, executor=Scripted(lambda *_: b"hello"))
    with pytest.raises(TypeError):
        ss.scan(CORPUS, executor=Scripted(lambda *_: "hello"))


def test_facts_of_another_task_are_refused():
    facts = []

    def script(_, fold, task):
        facts.append(fold(task))
        return facts[0]

    # The first comes again and again, and those of the others never.
    executor = Scripted(script)
    with pytest.raises(ValueError, match="facts of another task"):
        ss.scan(CORPUS, executor=executor)


def test_tasks_that_are_left_are_cancelled():
    def refuse(files_done, *_):
        if files_done:
            raise KeyboardInterrupt

    executor = Waiting(30)
    with pytest.raises(KeyboardInterrupt):
        ss.scan(CORPUS, executor=executor, on_progress=refuse)
    assert len(executor.futures) > 40
    assert all(future.cancelled() for future in executor.futures[30:])


def test_a_pool_that_loses_a_process_ends_the_scan():
    """That of the standard library replaces nobody."""
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(BrokenProcessPool) as caught,
    ):
        ss.scan(CORPUS, executor=Losing(pool, middle=20))
    assert "of the scan: /" in caught.value.__notes__[0]


def test_ctrl_c_ends_a_scan_whose_workers_never_answer():
    executor = Waiting(0)

    def interrupt():
        while not executor.futures:
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ss.scan(CORPUS, executor=executor)
    thread.join()
    assert all(future.cancelled() for future in executor.futures)


def test_a_task_that_somebody_else_cancels_ends_the_scan():
    executor = Waiting(0)
    submit = executor.submit

    def submit_and_cancel(*args):
        future = submit(*args)
        future.cancel()
        future.set_running_or_notify_cancel()
        return future

    executor.submit = submit_and_cancel
    with pytest.raises(CancelledError):
        ss.scan(CORPUS, executor=executor)
