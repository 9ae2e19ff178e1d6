"""File systems of the tests' own: slow, failing now and then, and counting what is asked."""

import io
import random
import threading
import time
from collections import Counter

import pyarrow as pa
from pyarrow import fs


class Handler(fs.FileSystemHandler):
    """The files below a folder, through Python; `before` is called at every question.

    It counts what is opened and read, and how many questions there were at once.
    """

    def __init__(self, base):
        self.base = fs.SubTreeFileSystem(str(base), fs.LocalFileSystem())
        self.opened, self.reads = Counter(), Counter()
        self.asked = self.most_asked = 0
        self.lock = threading.Lock()

    def before(self, question, path):
        """Be slow, or fail."""

    def after(self, question, path):
        """Note that the question is answered."""

    def ask(self, question, path, answer):
        with self.lock:
            self.asked += 1
            self.most_asked = max(self.most_asked, self.asked)
        try:
            self.before(question, path)
            answered = answer()
            self.after(question, path)
            return answered
        finally:
            with self.lock:
                self.asked -= 1

    def get_type_name(self):
        return "of the tests"

    def normalize_path(self, path):
        return path

    def get_file_info(self, paths):
        return self.ask("info", ",".join(paths), lambda: self.base.get_file_info(paths))

    def get_file_info_selector(self, selector):
        return self.ask("list", selector.base_dir, lambda: self.base.get_file_info(selector))

    def open_input_file(self, path):
        text = self.ask("open", path, lambda: self.base.open_input_file(path).read())
        with self.lock:
            self.opened[path] += 1
        return pa.PythonFile(File(self, path, text), mode="r")

    def refuse(self, *_):
        """End a test in which something is written: a scan reads whole files only."""
        raise NotImplementedError

    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = refuse
    delete_file = move = copy_file = refuse
    open_input_stream = open_output_stream = open_append_stream = refuse


class File(io.BytesIO):
    """An open file that asks its handler before each read."""

    def __init__(self, handler, path, text):
        super().__init__(text)
        self.handler, self.path = handler, path

    def read(self, size=-1):
        with self.handler.lock:
            self.handler.reads[self.path] += 1
        # Arrow seeks and reads under a lock of its own.
        return self.handler.ask("read", self.path, lambda: super(File, self).read(size))


class Flaky(Handler):
    """Slow, and failing now and then, but not more often than a file is tried again."""

    def __init__(self, base, seed, failing=0.3, pause=0.001):
        super().__init__(base)
        self.random = random.Random(seed)  # noqa: S311
        self.failing, self.pause = failing, pause
        self.failed, self.failures = Counter(), 0

    def before(self, question, path):
        time.sleep(self.pause)
        # Each thread has its own attempts at a file.
        attempts = path, threading.get_ident()
        with self.lock:
            if self.failed[attempts] < 2 and self.random.random() < self.failing:
                self.failed[attempts] += 1
                self.failures += 1
                raise OSError(f"{question} timed out")

    def after(self, question, path):
        if question != "open":
            self.failed[path, threading.get_ident()] = 0


class Broken(Handler):
    """Some questions about some paths are never answered; with `once` only the first one is."""

    def __init__(self, base, question, part, error=None, *, once=False):
        super().__init__(base)
        self.question, self.part, self.once = question, part, once
        self.error = error or OSError("the shelf is on fire")
        self.tried = 0

    def before(self, question, path):
        if question == self.question and self.part in path:
            if self.once:
                self.once = False
                return
            with self.lock:
                self.tried += 1
            raise self.error


class Shrinking(Handler):
    """Files whose name holds `part` end early once they are listed."""

    def __init__(self, base, part, size):
        super().__init__(base)
        self.part, self.size = part, size

    def open_input_file(self, path):
        text = self.base.open_input_file(path).read()
        if self.part in path:
            text = text[: self.size]
        return pa.PythonFile(File(self, path, text), mode="r")


def filesystem(handler):
    """Return a file system of pyarrow that asks the handler."""
    return fs.PyFileSystem(handler)
