"""JSON texts of values: plausible ones from tiny sets, so that joins happen, and odd ones."""

from __future__ import annotations

import json

from hypothesis import strategies as st

SESSIONS = (
    "11111111-aaaa-4aaa-8aaa-000000000001",
    "22222222-bbbb-4bbb-8bbb-000000000002",
    "session-three",
)
AGENTS = ("a0123456789abcdef", "acompact-e1f845", "b7")
WORKFLOWS = ("wf_1", "wf_0f3a")


def text(*values):
    """Return a strategy over the JSON texts of `values`."""
    return st.sampled_from([json.dumps(value, ensure_ascii=False) for value in values])


def raw(*texts):
    """Return a strategy over JSON texts as they stand."""
    return st.sampled_from(texts)


sessions = text(*SESSIONS)
uuids = text("u1", "u2", "u3", "u4", "")
message_ids = text("msg_1", "msg_2", "msg_3", "")
request_ids = text("req_1", "req_2", "")
tool_ids = text("t1", "t2", "toolu_3", "")
agents = text(*AGENTS)
workflows = text(*WORKFLOWS)
models = text("claude-opus-5", "claude-opus-5[1m]", "<synthetic>", "")
stops = raw("null", '"end_turn"', '"tool_use"', '""')
booleans = raw("true", "false")
counts = raw("0", "1", "3", "3", "250", "7777", "9223372036854775807")
words = raw(
    '"plain words"',
    '""',
    '"größer \u2028 \u2029 \x85 日本 🚲"',
    r'"\ud83d\ude00 pair, \u00e9, \n\t\"\\\/\b\f\r"',
    r'"\ud800"',
    r'"\udc00\ud800 x"',
    r'"nul \u0000 inside"',
    '"[Request interrupted by user]"',
)
times = raw(
    '"2026-07-01T10:00:00.000Z"',
    '"2026-07-01T10:00:00.5Z"',
    '"2026-07-01T12:00:01.123456789+02:00"',
    '"2026-07-01t09:59:59z"',
    '"2026-07-01 10:00:02-00:30"',
    '"2026-06-30T23:59:60Z"',
    '"2026-02-29T00:00:00Z"',
    '"2026-07-01T24:00:00Z"',
    '"2026-07-01"',
    '"0001-01-01T00:00:00+01:00"',
    '"9999-12-31T23:59:59.999999Z"',
    "1782900000",
    "1782900000.25",
    "1782900000123",
    "10000000000",
    "10000000000.5",
    '"1782900000123.7"',
    "-5",
    "1e9",
    "253402300800",
    '"yesterday"',
)
odd = raw(
    "null",
    "true",
    "false",
    '""',
    '"x"',
    r'"\u0078"',
    r'"\ud800"',
    "0",
    "-0",
    "-1",
    "1.0",
    "1.5e3",
    "1e400",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "1" + "0" * 40,
    "[]",
    "{}",
    "[null]",
    '[{"type":"text","text":"in"}]',
    '{"type":"text","type":"text"}',
    '{"a":1,"a":2}',
    '{"kind":"human","sessionId":1}',
)
spaces = raw("", "", "", "", " ", "\t", " \r ")


_blemishes = st.sampled_from((0,) * 12 + (1, 1, 2))
_escaped = st.sampled_from((False,) * 9 + (True,))
_places = st.integers(0, 30)


def objects(required, optional, *, keys=()):
    """Return a strategy over objects' JSON texts, from strategies by key.

    Of `optional` some keys are there. At times a key stands twice, has an odd value, or is
    written with an escape. `keys` names further keys that only odd values are given to.
    Strategies are made here once: making them anew for each object takes longer than drawing.
    """
    members = required | optional
    some = st.lists(st.sampled_from(sorted(optional)), unique=True, max_size=6)
    known = st.sampled_from([*members, *keys])
    spoiled = {key: st.one_of(odd, members.get(key, odd)) for key in (*members, *keys)}

    @st.composite
    def made(draw):
        names = [*required, *(draw(some) if optional else ())]
        pairs = [(name, draw(members[name])) for name in names]
        for _ in range(draw(_blemishes)):
            key = draw(known)
            pairs.insert(draw(_places) % (len(pairs) + 1), (key, draw(spoiled[key])))
        return joined(pairs, draw(spaces), escaped=draw(_escaped))

    return made()


def joined(pairs, gap, *, escaped):
    """Return pairs as an object, `gap` around every token, some keys written with an escape."""
    members = []
    for place, (key, value) in enumerate(pairs):
        name = f"\\u{ord(key[0]):04x}{key[1:]}" if escaped and place % 3 == 0 else key
        members.append(f'{gap}"{name}"{gap}:{gap}{value}{gap}')
    return "{" + ",".join(members) + "}"


def arrays(strategy, most=3):
    """Return a strategy over the JSON texts of arrays."""
    return st.lists(strategy, max_size=most).map(lambda texts: f"[{','.join(texts)}]")
