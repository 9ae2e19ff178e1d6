"""Whatever happens to files between scans, an index changes no cell of any table."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_corpora.files import corpora
from rescans.indexed import assert_same, scanned, settle
from sessionscan.schema import CORE, TABLE_NAMES

EXAMPLES = int(os.environ.get("SESSIONSCAN_EXAMPLES", "2000")) // 40

_LINES = (
    b'{"type":"user","uuid":"u-%d","sessionId":"s","message":{"role":"user","content":"more"}}\n',
    b'{"type":"assistant","uuid":"a-%d","message":{"id":"m","usage":{"output_tokens":3}}}\n',
    b'{"type":"user","uuid":"u-%d","message":{"content":[{"type":"tool_result","content":"x"}]}}',
    b'{"type":"session_meta","payload":{"id":"t-%d","forked_from_id":"t"}}\n',
    (
        b'{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":'
        b'{"input_tokens":%d,"output_tokens":1}}}}\n'
    ),
    b'{"type":"assist',
    b"\n",
    b" \r\n",
    b"\xef\xbb\xbf{}\n",
)
_PLACES = st.floats(0, 1, exclude_max=True)
_CHANGES = st.one_of(
    st.tuples(st.just("append"), _PLACES, st.lists(st.sampled_from(_LINES), min_size=1)),
    st.tuples(st.just("half"), _PLACES, _PLACES),
    st.tuples(st.just("truncate"), _PLACES, _PLACES),
    st.tuples(st.just("rewrite"), _PLACES, _PLACES),
    st.tuples(st.just("same time"), _PLACES, _PLACES),
    st.tuples(st.just("touch"), _PLACES, _PLACES),
    st.tuples(st.just("rename"), _PLACES, st.booleans()),
    st.tuples(st.just("delete"), _PLACES, st.none()),
    st.tuples(st.just("create"), _PLACES, st.lists(st.sampled_from(_LINES))),
)
# Changes, whether clocks tick before the scan, and which tables it makes.
_STEPS = st.lists(
    st.tuples(st.lists(_CHANGES, max_size=3), st.booleans(), st.sampled_from((CORE, TABLE_NAMES))),
    min_size=2,
    max_size=5,
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
@given(corpora(damage=True), _STEPS)
def test_an_index_changes_nothing(made, steps):
    with made.on_disk() as roots, tempfile.TemporaryDirectory() as folder:
        home, cache = Path(roots[0]).parent, Path(folder, "cache")
        for number, (changes, ticks, tables) in enumerate(steps):
            for change in changes:
                _apply(home, change, number)
            if ticks:
                settle()
            expected = scanned(home, tables=tables)
            assert_same(scanned(home, cache=cache, tables=tables), expected)


def _apply(home, change, number):
    what, place, detail = change
    files = sorted(path for path in home.rglob("*") if path.is_file())
    if what == "create":
        new = home / "p" / f"{int(place * 1000)}.jsonl"
        new.parent.mkdir(exist_ok=True)
        new.write_bytes(_filled(detail, number))
    elif files:
        _CHANGE[what](files[int(place * len(files))], detail, number)


def _filled(lines, number):
    return b"".join(line % number if b"%d" in line else line for line in lines)


def _append(path, lines, number):
    with path.open("ab") as file:
        file.write(_filled(lines, number))


def _append_half(path, place, number):
    line = _LINES[0] % number
    with path.open("ab") as file:
        file.write(line[: int(place * len(line))])


def _truncate(path, place, _):
    os.truncate(path, int(place * path.stat().st_size))


def _rewrite(path, place, number):
    """Change one byte and keep the size."""
    changed = bytearray(path.read_bytes())
    if changed:
        at = int(place * len(changed))
        changed[at] = b"0123456789 \n"[(changed[at] + number) % 12]
    path.write_bytes(changed)


def _rewrite_in_time(path, place, number):
    """Change one byte and keep size and time."""
    was = path.stat()
    _rewrite(path, place, number)
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def _touch(path, _, __):
    """Write the same bytes again."""
    path.write_bytes(path.read_bytes())


def _rename(path, beyond, number):
    name = f"0{number}-{path.name}" if not beyond else f"z{number}-{path.name}"
    path.rename(path.with_name(name))


def _delete(path, _, __):
    path.unlink()


_CHANGE = {
    "append": _append,
    "half": _append_half,
    "truncate": _truncate,
    "rewrite": _rewrite,
    "same time": _rewrite_in_time,
    "touch": _touch,
    "rename": _rename,
    "delete": _delete,
}
