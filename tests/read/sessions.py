"""Transcripts made for a test, and what a page shows of them."""

import json
import re
from html.parser import HTMLParser

import sessionscan as ss

SESSION = "61000000-0000-4000-8000-000000000001"


def record(who, content, **more):
    made = {
        "type": who,
        "sessionId": SESSION,
        "timestamp": "2026-03-04T10:00:00Z",
        "message": {"role": who, "content": content},
    }
    return {**made, **more}


def write(tmp_path, *records, name=SESSION, home="h"):
    folder = tmp_path / home / "projects" / "-tide"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (each if isinstance(each, str) else json.dumps(each) for each in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def page(path, form="markdown", **options):
    return ss.read_session(path, page=form, **options)


class Shown(HTMLParser):
    """What a browser makes of a page: its elements, attributes and texts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.pre, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "img"}:
            self.open.append(tag)
        if tag == "pre":
            self.pre.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "pre":
            self.pre[-1] += data


def unfenced(text):
    """Return the lines of Markdown outside of its fences, and the texts inside of them."""
    outside, inside, fence = [], [], None
    for line in text.split("\n"):
        match = re.match(r"(`{3,})(.*)$", line)
        if fence is None and match:
            fence = match[1]
            inside.append([])
        elif fence is not None and re.fullmatch(rf"`{{{len(fence)},}}\s*", line):
            fence = None
        elif fence is None:
            outside.append(line)
        else:
            inside[-1].append(line)
    assert fence is None
    return outside, ["\n".join(lines) for lines in inside]
