"""Executors of the tests' own."""

from concurrent.futures import Executor, Future


class Scripted(Executor):
    """Runs each task at once, as `script` says: what it returns or raises is the outcome."""

    def __init__(self, script):
        self.script = script
        self.futures = []

    def submit(self, function, /, *args, **more):
        future = Future()
        try:
            future.set_result(self.script(len(self.futures), function, *args, **more))
        except OSError as error:
            future.set_exception(error)
        self.futures.append(future)
        return future


class Waiting(Executor):
    """Runs the first tasks only; the others wait for ever."""

    def __init__(self, count):
        self.count = count
        self.futures = []

    def submit(self, function, /, *args, **more):
        future = Future()
        if len(self.futures) < self.count:
            future.set_result(function(*args, **more))
        self.futures.append(future)
        return future
