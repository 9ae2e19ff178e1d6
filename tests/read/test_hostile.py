"""A transcript cannot break out of the page that shows it."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from read.sessions import Shown, page, record, unfenced, write

OURS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "dl", "dt", "dd"} | {
    *("section", "pre", "details", "summary", "p")
}
PIECES = st.sampled_from(
    [
        *("`", "``", "```", "```text", "~~~", "\n", "\r", "\u2028", "</details>", "<details>"),
        *("</pre>", "</summary>", "<script>EVIL()</script>", "<img src=x onerror=EVIL()>", "&lt;"),
        *("# EVIL", "## User", "[EVIL](javascript:EVIL())", "![x](http://EVIL/x.png)", "-->"),
        *("\x1b]0;EVIL\x07", "\u202eEVIL", '"', "'", "]]>", "<!--", "$EVIL$", "    "),
        *("\t", "@EVIL", "EVIL"),
    ]
)  # fmt: skip
HOSTILE = st.one_of(st.lists(PIECES, max_size=8).map("".join), st.text(max_size=20))


@st.composite
def sessions(draw):
    def text():
        return draw(HOSTILE)

    blocks = [
        text(),
        {"type": "text", "text": text()},
        {"type": "thinking", "thinking": text()},
        {"type": "tool_use", "id": "t", "name": text(), "input": {text(): text(), "k": [text()]}},
        {"type": text()},
        {"type": "image", "source": {"media_type": text(), "data": text()}},
    ]
    answer = {"type": "tool_result", "tool_use_id": draw(st.sampled_from(["t", "u"]))}
    more = {"cwd": text(), "gitBranch": text(), "version": text(), "origin": {"kind": text()}}
    assistant = record("assistant", blocks)
    assistant["message"]["model"] = text()
    return [
        record("user", text(), **more),
        assistant,
        record("user", [{**answer, "content": [text(), {"type": "text", "text": text()}]}]),
        {"type": "system", "subtype": text(), "content": text()},
        {"type": text()},
    ]


@settings(max_examples=100, deadline=None)
@given(sessions())
def test_html_has_no_element_and_no_attribute_but_ours(records):
    with TemporaryDirectory() as folder:
        text = page(write(Path(folder), *records), "html", images=True, engine="python")
    shown = Shown(text)
    assert set(shown.tags) <= OURS
    assert shown.open == []
    for name, value in shown.attributes:
        assert name in {"lang", "charset", "http-equiv", "content", "name", "class"}
        assert "EVIL" not in value
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u2028]", text)
    assert text.count("<!--") == 0


@settings(max_examples=100, deadline=None)
@given(sessions())
def test_markdown_has_foreign_words_in_fences_and_code_only(records):
    with TemporaryDirectory() as folder:
        text = page(write(Path(folder), *records), images=True, engine="python")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u2028]", text)
    outside, _ = unfenced(text)
    opened = 0
    for line in outside:
        if line.startswith("<details>"):
            opened += 1
            inner = re.fullmatch("<details><summary>(.*)</summary>", line)[1]
            assert not re.search("[<>]", inner)
            continue
        opened -= line == "</details>"
        bare = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", line)
        assert "`" not in bare
        assert re.fullmatch(r"#{0,6} ?[A-Za-z0-9 ,:;.()-]*|</details>", bare), line
    assert opened == 0
