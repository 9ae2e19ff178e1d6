"""Corpora of a few files: their paths, their lines, and the damage done to their bytes."""

from __future__ import annotations

import gzip
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from hypothesis import strategies as st
from hypothesis_corpora.dialogues import dialogues
from hypothesis_corpora.records import records
from hypothesis_corpora.rollout_records import odd_records
from hypothesis_corpora.rollouts import rollout_files
from hypothesis_corpora.stories import stories
from hypothesis_corpora.values import AGENTS, SESSIONS, WORKFLOWS

_SESSION = st.sampled_from(SESSIONS)
_AGENT = st.sampled_from(AGENTS)
_WORKFLOW = st.sampled_from(WORKFLOWS)
_SHAPES = (
    "p/{s}.jsonl",
    "p/{s}.jsonl",
    "p/{s}/subagents/agent-{a}.jsonl",
    "p/{s}/subagents/workflows/{w}/agent-{a}.jsonl",
    "p/{s}/subagents/workflows/{w}/journal.jsonl",
    "p/agent-{a}.jsonl",
    "notes.jsonl",
    "p/rollout-2026-07-01-{s}.jsonl",
)
# What stands beside transcripts, with the contents that it may have.
_METAS = (
    b'{"agentType":"scout","description":"Count","toolUseId":"t1","spawnDepth":1}',
    b'{"toolUseId":"toolu_3","parentAgentId":"b7","isFork":true,"stoppedByUser":false}',
    b'{"parentAgentId":"a0123456789abcdef","model":"opus","worktreeBranch":"wt"}',
    b'{"agentType":7,"spawnDepth":"2","model":null}',
    b"[]",
)
_RUNS = (b'{"runId":"wf_1","name":"chart","status":"done","totalTokens":9}', b'{"name":{}}', b"{")
# By the transcript that they stand beside: their path, and what they may hold.
_SIDE = (
    ("p/{s}/subagents/agent-{a}.meta.json", _METAS),
    ("p/{s}/subagents/workflows/{w}/agent-{a}.meta.json", _METAS),
    ("p/agent-{a}.meta.json", _METAS),
    ("p/{s}/workflows/{w}.json", _RUNS),
    ("p/{s}/tool-results/a.txt", (b"out",)),
    ("p/{s}/tool-results/a.txt", (b"out",)),
    ("p/memory/notes.md", (b"words",)),
    ("../file-history/{s}/one@v1", (b"old",)),
    ("../file-history/{s}/one@v1", (b"old",)),
)
# The second root is a home, which has backups of its own; the third is one of Codex.
_ROOTS = ("one", "two", "three")
_TREES = ("one", "two/projects")
_TREE = st.sampled_from(_TREES)
_ENDS = (b"\n",) * 12 + (
    b"\r\n",
    b"\n\n",
    b" \t\n",
    b"",
    b" ",
    b"\n\xef\xbb\xbf",
    b"\x00\n",
    b"\n\x00\x00\n",
)
_INSERTED = (
    b"\x00", b"\x00\x00\x00", b"\n", b"\r", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ",
    b"0", b"-", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\x1f",
    b"\xe2\x80\xa8", b"\\u12", b"\\ud800", b"NaN", b"null", b"{}", b"[" * 600, b'{"a":' * 520,
    b'{"type":"user","uuid":"u1"}',
)  # fmt: skip


@dataclass(frozen=True)
class Corpus:
    """Files by path, in the roots `one`, `two` and `three`."""

    files: dict[str, bytes]

    @contextmanager
    def on_disk(self):
        """Write the files into a new folder; yield the roots that have any."""
        with tempfile.TemporaryDirectory() as folder:
            for name, data in self.files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            yield [str(Path(folder) / root) for root in _ROOTS if (Path(folder) / root).is_dir()]


@st.composite
def paths(draw):
    """Return a path in one of the roots."""
    shape = draw(st.sampled_from(_SHAPES))
    filled = shape.format(s=draw(_SESSION), a=draw(_AGENT), w=draw(_WORKFLOW))
    return f"{draw(_TREE)}/{filled}"


_pieces = st.lists(
    st.one_of(dialogues(), stories(), stories(), records.map(lambda text: [text])),
    min_size=1,
    max_size=3,
)
_side = st.sampled_from(_SIDE)
_several = st.sampled_from((0, 0, 1, 2))
_rollouts = st.sampled_from((False, False, True))
_repeated = st.lists(st.integers(0, 20), max_size=2)
_ending = st.sampled_from(_ENDS)


@st.composite
def contents(draw):
    """Return a file's bytes: records, some of them again, each with the end of its line."""
    lines = [text.encode() for piece in draw(_pieces) for text in piece]
    for place in draw(_repeated):
        lines.append(lines[place % len(lines)])
    return b"".join(line + draw(_ending) for line in lines)


@st.composite
def beside(draw, transcript):
    """Return the path and the bytes of a file that stands beside a transcript."""
    if "agent-" in transcript and draw(st.booleans()):
        return f"{transcript.removesuffix('.jsonl')}.meta.json", draw(st.sampled_from(_METAS))
    shape, data = draw(_side)
    tree = next(tree for tree in _TREES if transcript.startswith(tree))
    session = next((known for known in SESSIONS if known in transcript), SESSIONS[0])
    filled = shape.format(s=session, a=draw(_AGENT), w=draw(_WORKFLOW))
    return f"{tree}/{filled}", draw(st.sampled_from(data))


@st.composite
def copies(draw, original):
    """Return a copy of a file: equal, cut at some place, or going on."""
    kind = draw(st.sampled_from(("equal", "cut", "on")))
    if kind == "cut":
        return original[: draw(st.integers(0, len(original)))]
    return original + draw(contents()) if kind == "on" else original


@st.composite
def forks(draw, files):
    """Return a path and a file's bytes under the id of another session."""
    data = files[draw(st.sampled_from(sorted(files)))]
    new = draw(_SESSION)
    for session in SESSIONS:
        data = data.replace(session.encode(), new.encode())
    return f"{draw(_TREE)}/q/{new}.jsonl", data


@st.composite
def damaged(draw, data):
    """Return the bytes after up to three accidents."""
    for _ in range(draw(st.sampled_from((0, 1, 1, 2, 3)))):
        data = draw(_accidents[draw(st.sampled_from(sorted(_accidents)))](data)) if data else data
    return data


@st.composite
def _flip(draw, data):
    place = draw(st.integers(0, len(data) - 1))
    return data[:place] + bytes([data[place] ^ (1 << draw(st.integers(0, 7)))]) + data[place + 1 :]


@st.composite
def _delete(draw, data):
    place = draw(st.integers(0, len(data) - 1))
    return data[:place] + data[place + draw(st.sampled_from((1, 1, 2, 5, 40))) :]


@st.composite
def _insert(draw, data):
    place = draw(st.integers(0, len(data)))
    return data[:place] + draw(st.sampled_from(_INSERTED)) + data[place:]


@st.composite
def _cut(draw, data):
    return data[: draw(st.integers(0, len(data)))]


@st.composite
def _tear(draw, data):
    """Lose the end of a line with its LF, so that the next record stands behind a torn one."""
    ends = [place for place, byte in enumerate(data) if byte == 0x0A]
    if not ends:
        return data
    end = draw(st.sampled_from(ends))
    lost = draw(st.sampled_from((0, 0, 1, 2, 3, 10, 30, 100)))
    return data[: max(end - lost, 0)] + data[end + 1 :]


_accidents = {"flip": _flip, "delete": _delete, "insert": _insert, "cut": _cut, "tear": _tear}


@st.composite
def corpora(draw, *, damage, files=3):
    """Return a corpus of a few files, some of them copies of others."""
    made = {draw(paths()): draw(contents()) for _ in range(draw(st.integers(1, files)))}
    if draw(st.booleans()):
        path, data = draw(forks(made))
        made[path] = data
    for path in draw(st.lists(st.sampled_from(sorted(made)), max_size=1)):
        tree, other = _TREES if path.startswith(_TREES[0]) else _TREES[::-1]
        made[f"{other}{path.removeprefix(tree)}"] = draw(copies(made[path]))
    for _ in range(draw(_several)):
        path, data = draw(beside(draw(st.sampled_from(sorted(made)))))
        made[path] = data
    if draw(_rollouts):
        made |= draw(rollout_files())
        path = draw(st.sampled_from(sorted(made)))
        made[path] += draw(odd_records).encode() + draw(_ending)
    if damage:
        made = {path: draw(damaged(data)) for path, data in made.items()}
    return Corpus(made)


@st.composite
def compressed(draw):
    """Return a corpus of compressed files, at times without their ends."""
    made = {}
    for path, data in draw(corpora(damage=True, files=2)).files.items():
        if not path.endswith(".jsonl"):
            made[path] = data
            continue
        kind = draw(st.sampled_from(("gz", "zst")))
        whole = (
            gzip.compress(data, mtime=0)
            if kind == "gz"
            else pa.compress(data, codec="zstd", asbytes=True)
        )
        kept = len(whole) - draw(st.sampled_from((0, 0, 0, 1, 5, 20)))
        made[f"{path}.{kind}"] = whole[: max(kept, 0)]
    return Corpus(made)
