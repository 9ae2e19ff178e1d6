"""Transcripts full of words that JSON can write in many ways, and damage done to them."""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass

from hypothesis import strategies as st

SESSION = "00000000-0000-4000-8000-000000000001"
PATHS = (
    f"one/p/{SESSION}.jsonl",
    f"two/p/{SESSION}.jsonl",
    f"one/p/{SESSION}/subagents/agent-a1.jsonl",
    "one/p/notes.jsonl",
    "two/p/packed.jsonl.gz",
    f"one/p/{SESSION}/tool-results/out.txt",
)
WORDS = "heron HERON Her on desk s K é É Σ ς ß ẞ ss İ I ﬁ Å ж Ж 日本 🚲 \ufffd - _ 7 x tool_use"
# Long s, Kelvin, Ångström, small sigma, dotless i, two letters across blocks, é in two parts.
ODD = '\u017f \u212a \u212b \u03c3 \u0131 \u2c65 \u023a e\u0301 \\u0065 " \\ / \x00 \x7f'
SPACES = (" ", " ", "\n", "\t", "\r\n", "\u2028")
FRAGMENTS = (*WORDS.split(" "), *ODD.split(" "), *SPACES)
PATTERNS = (
    *(r"h.r", r"k|s+", r"\w+\s\w", r"[^a-z]x", r"[A-É]+", r"\bon\b", r"^\S", r"e$", r"her(on)?"),
    *(
        "(?:\u017f|K)+",
        r"[ß-ﬁ]",
        r"\x73",
        r"\u00e9",
        r"\W\W+?",
        r"d{1,2}e[rs]",
        r"[\d_]",
        r"\\u0065",
    ),
)
# A record around a text, which stands where `%s` does.
RECORDS = (
    '"type":"user","message":%s',
    '"type":"user","message":{"role":"user","content":[{"type":"text","text":%s},%s]}',
    '"type":"assistant","message":{"content":[{"type":"thinking","thinking":%s,"signature":%s}]}',
    '"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Go","input":%s}]',
    '"role":"assistant","content":[{"type":"tool_use","id":"t2","input":{"a":%s,"a":[%s]}}]',
    '"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"t2","name":%s}]}',
    '"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":%s}]}',
    '"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":[{"text":%s,"id":%s},%s]}]',
    '"role":"user","content":[{"type":"x_tool_result","content":{"text":%s,"data":%s}}]',
    '"type":"queue-operation","content":%s',
    '"type":"attachment","attachment":{"type":"queued_command","prompt":%s,"uuid":%s}',
    '"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{%s:{},%s:{}}}',
    '"type":"custom-title","customTitle":%s,"title":%s',
    '"type":"progress","data":{"message":{"message":{"content":[%s]}}}',
    '"type":"system","content":%s,"content":%s',
    '"type":%s,"content":%s',
    '"role":%s,"content":%s',
)
ENVELOPES = (
    *("", "", "", ',"uuid":"u1"', ',"uuid":"u2"', ',"sessionId":"s1"', ',"sessionId":""'),
    *(',"cwd":"/home/iva/tide"', ',"timestamp":"2026-03-04T10:00:00Z"', ',"session_id":"s2"'),
)
DAMAGE = (b"\n", b"\x00", b"\xff", b"\xe2\x84", b"\xed\xa0\x80", b"{", b"}", b'"', b"\\", b"\\u00")

texts = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=8).map("".join)


def written(text, dice):
    """Return a text as a JSON string, its characters escaped as the dice say."""
    return '"' + "".join(_char(char, dice) for char in text) + '"'


def _char(char, dice):
    units = char.encode("utf-16-be")
    escape = "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
    if dice.random() < 0.5:
        escape = "\\u".join(part.upper() for part in escape.split("\\u"))
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "/": "\\/"}.get(char)
    plain = char if char >= " " and char not in '"\\' else short or escape
    return dice.choices((plain, short or plain, escape), (8, 1, 1))[0]


@dataclass(frozen=True)
class Case:
    """Files by their paths, and a search of them."""

    files: dict[str, bytes]
    words: list[str]
    asked: dict[str, object]

    def write(self, folder):
        """Put the files below a folder; return the roots."""
        for root in ("one", "two"):
            (folder / root).mkdir()
        for path, data in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
        return [str(folder / root) for root in ("one", "two")]


@st.composite
def cases(draw):
    """Return a strategy over transcripts and a search of them."""
    dice = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 (it escapes letters)
    known = draw(st.lists(texts, min_size=1, max_size=6))
    files = {
        path: _file(draw, known, dice)
        for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=4, unique=True))
    }
    regex = draw(st.integers(0, 3)) == 0
    if regex:
        words = draw(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=2))
    else:
        words = draw(st.lists(_parts(known), min_size=1, max_size=2))
    asked = {
        "regex": regex,
        "case_sensitive": draw(st.booleans()),
        "match": draw(st.sampled_from(("all", "any"))),
        "sidecars": draw(st.booleans()),
    }
    return Case(files, words, asked)


def _parts(known):
    """Return a strategy over parts of texts, in whatever case, that are not white space."""
    whole = st.sampled_from(known)
    case = st.sampled_from((str, str.lower, str.upper, str.swapcase))
    ends = st.tuples(st.integers(0, 6), st.integers(1, 8))
    part = st.builds(lambda text, at, how: how(text[at[0] : sum(at)]), whole, ends, case)
    return st.one_of(part, st.sampled_from(FRAGMENTS)).filter(lambda text: text.strip(" \t\r\n"))


def _file(draw, known, dice):
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        record = draw(st.sampled_from(RECORDS))
        values = [written(draw(st.sampled_from(known)), dice) for _ in range(record.count("%s"))]
        envelope = draw(st.sampled_from(ENVELOPES))
        lines.append("{" + record % tuple(values) + envelope + "}")
    data = "\n".join(lines).encode() + draw(st.sampled_from((b"\n", b"\n", b"")))
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)))):
        at = draw(st.integers(0, len(data)))
        cut = draw(st.sampled_from((0, 0, 1, 9)))
        data = data[:at] + draw(st.sampled_from(DAMAGE)) + data[at + cut :]
    return (b"\xef\xbb\xbf" if draw(st.integers(0, 9)) == 0 else b"") + data
