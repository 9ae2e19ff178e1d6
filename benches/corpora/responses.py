"""A response of the model: several records with one message id, each with a usage object."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corpora import observed, prose
from corpora.dice import Quantiles, Wheel
from corpora.tally import Answer, Call

if TYPE_CHECKING:
    from corpora.author import Author, Turn
    from corpora.dice import Dice

_EFFORT = Wheel(observed.EFFORTS)
_SIGNATURE = Quantiles(observed.SIGNATURE_CHARS)
_PROSE = Quantiles(observed.PROSE_CHARS)
_CACHED_AT_MOST = 180_000


class Block(NamedTuple):
    """A content block: its type and its JSON text."""

    type: str
    text: str


class Counts(NamedTuple):
    """The counts of one response, as its last copy says them."""

    input: int
    output: int
    created: int
    read: int
    hour: bool | None
    thinking: int | None

    def tokens(self, output: int) -> tuple[int | None, ...]:
        """Return the token columns of a copy that says `output`."""
        five = None if self.hour is None else (0 if self.hour else self.created)
        hour = None if self.hour is None else (self.created if self.hour else 0)
        rest = self.created - (five or 0) - (hour or 0)
        return (self.input, output, self.created, self.read, five, hour, rest, self.thinking)


def thinking(dice: Dice, cap: int) -> Block:
    """Return a thinking block: 95 % are a signature and nothing else."""
    text = ""
    if dice.chance(observed.THINKING_WITH_TEXT):
        text = prose.talk().cut(dice, dice.size(_PROSE, cap))
    signature = prose.base64(dice, dice.size(_SIGNATURE, cap))
    return Block("thinking", f'{{"type":"thinking","thinking":"{text}","signature":"{signature}"}}')


def words(dice: Dice, cap: int) -> Block:
    """Return a text block."""
    return Block(
        "text", f'{{"type":"text","text":"{prose.talk().cut(dice, dice.size(_PROSE, cap))}"}}'
    )


def call(tool_id: str, tool: str, asked: str) -> Block:
    """Return a tool_use block."""
    return Block(
        "tool_use", f'{{"type":"tool_use","id":"{tool_id}","name":"{tool}","input":{asked}}}'
    )


def _counts(dice: Dice, *, detailed: bool) -> Counts:
    output = 12 + int(dice.about(240, 1.1))
    detail = detailed and dice.chance(0.95)
    return Counts(
        input=dice.pick((1, 2, 2, 3, 6, 9, int(dice.about(300, 1.0)))),
        output=output,
        created=int(dice.about(2_600, 1.2)),
        read=dice.below(_CACHED_AT_MOST),
        hour=None if dice.chance(0.02) else dice.chance(0.4),
        thinking=dice.below(output) if detail else None,
    )


def _usage(counts: Counts, output: int, *, final: bool) -> str:
    split = ""
    if counts.hour is not None:
        five, hour = (0, counts.created) if counts.hour else (counts.created, 0)
        split = (
            f',"cache_creation":{{"ephemeral_5m_input_tokens":{five},'
            f'"ephemeral_1h_input_tokens":{hour}}}'
        )
    flat = (
        f'"input_tokens":{counts.input},"cache_creation_input_tokens":{counts.created},'
        f'"cache_read_input_tokens":{counts.read},"output_tokens":{output}{split}'
    )
    detail = ""
    if counts.thinking is not None:
        detail = f',"output_tokens_details":{{"thinking_tokens":{counts.thinking}}}'
    if not final:
        return f'{{{flat}{detail},"service_tier":"standard","inference_geo":"not_available"}}'
    return (
        f'{{{flat}{detail},"server_tool_use":{{"web_search_requests":0,"web_fetch_requests":0}},'
        f'"service_tier":"standard","inference_geo":"not_available",'
        f'"iterations":[{{{flat},"type":"message"}}],"speed":"standard"}}'
    )


class Response:
    """The records of one response, written one block at a time."""

    def __init__(self, author: Author, model: str, blocks: int, *, ends: bool) -> None:
        """Decide the counts of all copies; `ends` where no call follows."""
        dice = author.dice
        self.author, self.model = author, model
        self.message_id = dice.token("msg_01", 22)
        self.request_id = dice.token("req_01", 22)
        self.conflict = blocks > 1 and dice.chance(observed.CONFLICT)
        self.final = not dice.chance(observed.NEVER_FINAL)
        # A placeholder carries no detail; where all copies agree they agree in that too.
        self.counts = _counts(dice, detailed=not self.conflict and self.final)
        self.placeholder = dice.between(1, 8)
        self.stop = ("end_turn" if ends else "tool_use") if self.final else None
        self.effort = dice.spin(_EFFORT)
        self.blocks, self.written = blocks, 0

    def _output(self) -> int:
        last = self.written == self.blocks - 1
        if self.conflict:
            return self.counts.output if last else self.placeholder
        return self.counts.output if self.final else self.placeholder

    def write(self, turn: Turn, block: Block, *, index: int | None = None) -> str:
        """Write the next block's record and return its uuid."""
        output = self._output()
        final = self.final and (not self.conflict or self.written == self.blocks - 1)
        stop = f'"{self.stop}"' if final else "null"
        usage = _usage(self.counts, output, final=final)
        members = (
            f'"message":{{"model":"{self.model}","id":"{self.message_id}","type":"message",'
            f'"role":"assistant","content":[{block.text}],"stop_reason":{stop},'
            f'"stop_sequence":null,"usage":{usage},"diagnostics":null}},'
            f'"requestId":"{self.request_id}","effort":"{self.effort}",'
            f'"apiBlockIndex":{self.written if index is None else index},'
        )
        turn.facts.blocks.append(block.type)
        uuid = self.author.say(turn, "assistant", members)
        self.written += 1
        if self.written == self.blocks:
            self._count(turn, output, final=final)
        return uuid

    def _count(self, turn: Turn, output: int, *, final: bool) -> None:
        certainty = "exact" if final else "lower_bound"
        tokens = self.counts.tokens(output)
        turn.facts.answers.append(Answer(self.model, tokens, certainty, self.conflict))
        turn.facts.iterations += 1 if final else 0


def api_error(author: Author, turn: Turn) -> None:
    """Write the placeholder of a call to the API that failed."""
    zeros = '"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0'
    author.say(
        turn,
        "assistant",
        f'"message":{{"id":"{author.dice.uuid()}","model":"<synthetic>","role":"assistant",'
        f'"stop_reason":"stop_sequence","stop_sequence":"","type":"message",'
        f'"usage":{{{zeros},"cache_read_input_tokens":0}},'
        f'"content":[{{"type":"text","text":"API Error: Overloaded"}}]}},'
        f'"isApiErrorMessage":true,"apiErrorStatus":529,',
    )
    turn.facts.blocks.append("text")
    tokens = (0, 0, 0, 0, None, None, 0, None)
    turn.facts.answers.append(Answer("<synthetic>", tokens, "exact", conflict=False))


def nameless(author: Author, turn: Turn, model: str) -> None:
    """Write a response without a message id: a group of its own, and uncertain."""
    counts = _counts(author.dice, detailed=False)
    block = words(author.dice, 500)
    author.say(
        turn,
        "assistant",
        f'"message":{{"model":"{model}","role":"assistant","content":[{block.text}],'
        f'"stop_reason":"end_turn","usage":{_usage(counts, counts.output, final=False)}}},',
    )
    turn.facts.blocks.append("text")
    answer = Answer(model, counts.tokens(counts.output), "uncertain", conflict=False)
    turn.facts.answers.append(answer)


def advised(author: Author, turn: Turn, model: str) -> None:
    """Write a response that asks an advisor: a server's tool, its result, its own tokens."""
    response = Response(author, model, 2, ends=True)
    tool_id = author.dice.token("srvtoolu_01", 20)
    asked = f'{{"type":"server_tool_use","id":"{tool_id}","name":"advisor","input":{{}}}}'
    response.write(turn, Block("server_tool_use", asked))
    redacted = prose.base64(author.dice, 200)
    said = f'{{"type":"advisor_redacted_result","encrypted_content":"{redacted}"}}'
    result = f'{{"type":"advisor_tool_result","tool_use_id":"{tool_id}","content":{said}}}'
    response.write(turn, Block("advisor_tool_result", result))
    turn.facts.calls.append(Call("advisor", "not_failed", "content_type"))
