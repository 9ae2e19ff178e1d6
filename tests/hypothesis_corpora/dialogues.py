"""Stretches of one session: responses in several copies, calls, and results that belong to them.

Records drawn one by one seldom join. These share their ids on purpose, and go wrong on purpose:
copies that differ, results before their calls, twice, or never, and ids that are used again.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis_corpora import values as v
from hypothesis_corpora.records import FURTHER, asked, carrier, results, said, usage

_uuids = v.text(*(f"d{number}" for number in range(12)), "")
_outputs = v.raw("1", "3", "3", "250", "250", "-1", "1.0", "null")
_errors = v.raw(*[""] * 3, ',"is_error":true', ',"is_error":false', ',"is_error":null')
_calls = v.raw("tool_use", "tool_use", "tool_use", "server_tool_use", "mcp_tool_use")
_results = v.raw("tool_result", "tool_result", "tool_result", "advisor_tool_result")
_names = v.text("Bash", "Bash", "Read", "Agent", "mcp__srv__do__it", "advisor")
_few = st.sampled_from((1, 1, 2, 2, 3))
_sometimes = st.sampled_from((False,) * 5 + (True,))
_rarely = st.sampled_from((False,) * 15 + (True,))
_when = st.integers(0, 59)
_origins = v.raw(*[""] * 5, ',"forkedFrom":{"sessionId":"session-three","messageUuid":"d1"}')
_extra = st.tuples(st.sampled_from(FURTHER), v.odd)
_agents = v.raw(*[""] * 4, ',"agentId":"b7"', ',"agentId":"a0123456789abcdef","isSidechain":true')


@st.composite
def dialogues(draw):
    """Return the lines of a few turns of one session."""
    session, lines = draw(v.sessions), []
    tools = draw(st.lists(v.tool_ids, min_size=1, max_size=2))
    for _ in range(draw(_few)):
        lines += draw(_turns(session, tools))
    if draw(_sometimes):
        lines = draw(st.permutations(lines))
    return lines


@st.composite
def _turns(draw, session, tools):
    message, request, model = draw(v.message_ids), draw(v.request_ids), draw(v.models)
    spoken = [tool for tool in tools if not draw(_sometimes)]
    blocks = [draw(said) for _ in range(draw(_few) - 1)]
    blocks += [
        f'{{"type":"{draw(_calls)}","id":{tool},"name":{draw(_names)},"input":{draw(asked)}}}'
        for tool in spoken
    ]
    answers = [draw(_answers(session, tool)) for tool in tools if not draw(_sometimes)]
    copies = [
        draw(_record(session, "assistant", f'"requestId":{request},{text}'))
        for text in draw(_copies(message, model, blocks or [draw(said)]))
    ]
    return answers + copies if draw(_sometimes) else copies + answers


@st.composite
def _copies(draw, message, model, blocks):
    """Return the message of each copy: a block each, or all blocks in one of them."""
    contents = [",".join(blocks)] if draw(_sometimes) else blocks
    texts = []
    for content in contents:
        counts = draw(usage) if draw(_rarely) else draw(_plain())
        texts.append(
            f'"message":{{"id":{message},"model":{model},"role":"assistant",'
            f'"content":[{content}],"stop_reason":{draw(v.stops)},"usage":{counts}}}'
        )
    return texts


@st.composite
def _plain(draw):
    created = draw(v.raw("0", "0", "9"))
    return (
        f'{{"input_tokens":2,"output_tokens":{draw(_outputs)},'
        f'"cache_creation_input_tokens":{created},'
        f'"iterations":[{{"type":"message","output_tokens":{draw(v.counts)}}}]}}'
    )


@st.composite
def _answers(draw, session, tool):
    block = (
        f'{{"type":"{draw(_results)}","tool_use_id":{tool},"content":{draw(results)}'
        f"{draw(_errors)}}}"
    )
    if draw(_rarely):
        block = f"{block},{block}"
    beside = f',"toolUseResult":{draw(carrier)}' if draw(st.booleans()) else ""
    text = f'"message":{{"role":"user","content":[{block}]}}{beside}'
    return draw(_record(session, "user", text))


@st.composite
def _record(draw, session, kind, members):
    extra = ""
    if draw(_rarely):
        key, value = draw(_extra)
        extra = f',"{key}":{value}'
    return (
        f'{{"type":"{kind}","uuid":{draw(_uuids)},"sessionId":{session},'
        f'"timestamp":"2026-07-01T10:00:{draw(_when):02d}.5Z",{members}'
        f"{draw(_origins)}{draw(_agents)}{extra}}}"
    )
