"""One transcript: turns of prompt, response and results, until the file has its size."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from corpora import hosts, observed, prose, responses, results
from corpora.author import Turn
from corpora.dice import Quantiles, Wheel
from corpora.responses import Block, Response
from corpora.tally import Call

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from corpora.author import Author, Line
    from corpora.budget import Budget
    from corpora.results import Answered, Place
    from corpora.tally import Ledger

_CALLS = Wheel(observed.CALLS)
_MODEL = Wheel(observed.MODELS)
_PROMPT = Quantiles(observed.PROMPT_CHARS)
# A fork repeats at most this many turns; a compaction comes only after them.
PREFIX_TURNS = 12
_REPLAYED_TURNS = 8
_AWAITED = 20
# Variety makes launches more frequent, but most calls must stay other calls.
_BOOST_AT_MOST = {"Agent": 6, "Workflow": 40}


class Launch(NamedTuple):
    """An agent or a workflow that a call started."""

    kind: str
    name: str
    tool_id: str
    model: str


class Asked(NamedTuple):
    """A call of a response, before it is written."""

    tool: str
    tool_id: str
    answered: Answered


class Transcript:
    """A file that is being written: its author, its place and its totals."""

    def __init__(
        self,
        file: BinaryIO,
        author: Author,
        budget: Budget,
        ledger: Ledger,
        *,
        place: Place,
        variety: float,
    ) -> None:
        """Write to `file`; rare things are `variety` times as frequent as observed."""
        self.file, self.author, self.budget, self.ledger = file, author, budget, ledger
        self.place, self.variety = place, variety
        self.bytes = 0
        self.model = author.dice.spin(_MODEL)
        self.prefix: list[Turn] = []
        self.recent: deque[Turn] = deque(maxlen=_REPLAYED_TURNS)
        self.launches: list[Launch] = []
        # What later words may be about: the last agents and workflows that were launched.
        self.awaited: deque[Launch] = deque(maxlen=_AWAITED)
        self.reusable: str | None = None
        self.is_parent = author.agent_id is None
        self.tools = Wheel(
            {
                name: max(int(count * min(max(variety, 1.0), _BOOST_AT_MOST.get(name, 1))), 1)
                for name, count in observed.TOOLS.items()
                if self.is_parent or name not in _BOOST_AT_MOST
            }
        )

    def rarely(self, share: float) -> bool:
        """Return true as often as observed, times the variety."""
        return self.author.dice.chance(min(share * self.variety, 0.5))

    def put(self, line: str) -> None:
        """Write one line."""
        data = line.encode()
        self.file.write(data)
        self.bytes += len(data)
        self.budget.written += len(data)

    def commit(self, turn: Turn, *, copied: bool = False) -> None:
        """Write a turn's lines and count its facts."""
        for line in turn.lines:
            self.put(line.text)
        self.ledger.add(turn.facts, copied=copied)

    def write(self, limit: int, launched: Callable[[Launch], None]) -> None:
        """Write turns up to `limit` bytes, and start what they launch."""
        steps = 0
        while steps == 0 or self.bytes < limit:
            turn = self.turn(first=steps == 0)
            self.commit(turn)
            self.recent.append(turn)
            if len(self.prefix) < PREFIX_TURNS:
                self.prefix.append(turn)
            elif self.rarely(observed.COMPACTION):
                self.compact()
            for launch in self.launches:
                launched(launch)
            self.awaited.extend(self.launches)
            self.launches.clear()
            steps += 1

    def turn(self, *, first: bool) -> Turn:
        """Return the next turn: a prompt at times, a response, what stands around it."""
        turn, dice = Turn(), self.author.dice
        if first or dice.chance(observed.PROMPT):
            prompt(self, turn)
        if self.rarely(observed.API_ERROR):
            responses.api_error(self.author, turn)
        if self.rarely(observed.NO_MESSAGE_ID):
            responses.nameless(self.author, turn, self.model)
        if self.rarely(observed.ADVISOR):
            responses.advised(self.author, turn, self.model)
        if dice.chance(0.001):
            self.model = dice.spin(_MODEL)
        self.respond(turn)
        if self.is_parent:
            if self.rarely(observed.NOTIFICATION / 4):
                notification(self, turn)
            if self.rarely(observed.INTERRUPTION):
                interruption(self, turn)
            for _ in range(dice.count(observed.HOST_RECORDS_PER_RESPONSE)):
                hosts.host(self.author, turn)
        return turn

    def respond(self, turn: Turn) -> None:
        """Write a response, the results of its calls, and the hooks that ran."""
        dice = self.author.dice
        asked = [self.ask(turn) for _ in range(dice.spin(_CALLS))]
        blocks = []
        if dice.chance(observed.THINKING):
            blocks.append(responses.thinking(dice, self.budget.cap))
        if dice.chance(observed.TEXT) or not (asked or blocks):
            blocks.append(responses.words(dice, self.budget.cap))
        repeated = bool(asked) and self.rarely(observed.REPEATED_BLOCK)
        calls = [responses.call(one.tool_id, one.tool, one.answered.input) for one in asked]
        blocks += calls[:1] * repeated + calls
        response = Response(self.author, self.model, len(blocks), ends=not asked)
        late = [one for one in asked if not self._before_call(turn, response, blocks, one)]
        uuid = self._rest_of(turn, response, blocks)
        for one in late:
            self._answer(turn, one, uuid)
        tool_id = asked[-1].tool_id if asked else ""
        for _ in range(dice.count(observed.ATTACHMENTS_PER_RESPONSE)):
            hosts.attachment(self.author, turn, tool_id)

    def ask(self, turn: Turn) -> Asked:
        """Return a call of some tool with the result that it will have."""
        dice = self.author.dice
        tool = dice.spin(self.tools)
        tool_id = dice.token("toolu_01", 22)
        if tool in {"Agent", "Workflow"}:
            answered = self._launch(tool, tool_id)
        else:
            answered = results.answer(dice, tool, self.place)
            if self.reusable is not None and self.rarely(observed.REUSED_TOOL_ID):
                tool_id, self.reusable = self.reusable, None
                turn.facts.diagnostics.append("duplicate_tool_use_id")
        denied = self.rarely(observed.DENIAL)
        if denied or dice.chance(observed.FAILURES.get(tool, 0.0)):
            self.launches = [one for one in self.launches if one.tool_id != tool_id]
            answered = results.failed(dice, answered.input, self.place, denied=denied)
        return Asked(tool, tool_id, answered)

    def _launch(self, tool: str, tool_id: str) -> Answered:
        dice = self.author.dice
        if tool == "Workflow":
            name = dice.token("wf_", 12)
            self.launches.append(Launch("workflow", name, tool_id, self.model))
            return results.workflow(dice, name)
        name, model = dice.token("a", 16), dice.spin(_MODEL)
        if dice.chance(observed.LAUNCHED_WITH_TRANSCRIPT):
            self.launches.append(Launch("subagent", name, tool_id, model))
        return results.launch(dice, name, model, waited=self.rarely(1 / 554))

    def _before_call(self, turn: Turn, response: Response, blocks: list[Block], one: Asked) -> bool:
        """Write a result before its call, as is seen at times; return whether it was."""
        if response.written or not self.rarely(observed.RESULT_BEFORE_CALL):
            return False
        while blocks[response.written].type != "tool_use":
            response.write(turn, blocks[response.written])
        self._answer(turn, one, None)
        return True

    def _rest_of(self, turn: Turn, response: Response, blocks: list[Block]) -> str:
        uuid = ""
        for block in blocks[response.written :]:
            uuid = response.write(turn, block)
        return uuid

    def _answer(self, turn: Turn, one: Asked, uuid: str | None) -> None:
        """Write a call's result, or leave it out, and count the call."""
        if uuid is not None and self.rarely(observed.NO_RESULT):
            turn.facts.calls.append(Call(one.tool, "no_result", "none"))
            return
        answered = one.answered
        error = ""
        if answered.is_error is not None:
            error = f',"is_error":{"true" if answered.is_error else "false"}'
        carrier = "" if answered.carrier is None else f'"toolUseResult":{answered.carrier},'
        source = "" if uuid is None else f'"sourceToolAssistantUUID":"{uuid}",'
        self.author.say(
            turn,
            "user",
            f'"message":{{"role":"user","content":[{{"tool_use_id":"{one.tool_id}",'
            f'"type":"tool_result","content":{answered.content}{error}}}]}},'
            f"{carrier}{source}{answered.extra}",
        )
        turn.facts.blocks.append("tool_result")
        turn.facts.calls.append(Call(one.tool, answered.outcome, answered.evidence))
        self.reusable = one.tool_id

    def compact(self) -> None:
        """Write a compaction; some clients then append recent records again."""
        turn, author = Turn(), self.author
        parent = author.thread
        meta = (
            f'{{"trigger":"auto","preTokens":{author.dice.below(180_000)},'
            f'"postTokens":{author.dice.below(20_000)},"durationMs":{author.dice.below(90_000)}}}'
        )
        author.thread = None
        author.say(
            turn,
            "system",
            f'"logicalParentUuid":"{parent}","content":"Conversation compacted","level":"info",'
            f'"isMeta":false,"compactMetadata":{meta},',
            subtype="compact_boundary",
        )
        summary = prose.talk().cut(author.dice, min(6_000, self.budget.cap))
        author.say(
            turn,
            "user",
            f'"message":{{"role":"user","content":"{summary}"}},"isCompactSummary":true,'
            f'"isVisibleInTranscriptOnly":true,',
        )
        turn.facts.blocks.append("text")
        self.ledger.counts["compactions"] += 1
        self.commit(turn)
        if author.dice.chance(observed.REPLAY_AFTER_COMPACTION):
            for line in [line for turn in self.recent for line in turn.lines]:
                self._replay(line)

    def _replay(self, line: Line) -> None:
        if line.uuid is not None:
            self.put(line.text)
            self.ledger.replay(line.type)


def prompt(transcript: Transcript, turn: Turn) -> None:
    """Write a prompt: a string mostly, blocks at times."""
    author = transcript.author
    text = prose.talk().cut(author.dice, author.dice.size(_PROMPT, transcript.budget.cap))
    content = f'"{text}"'
    if author.dice.chance(0.2):
        content = f'[{{"type":"text","text":"{text}"}}]'
    source = author.dice.pick(("typed", "typed", "system", "queued", "sdk"))
    author.say(
        turn,
        "user",
        f'"promptId":"{author.dice.uuid()}","message":{{"role":"user","content":{content}}},'
        f'"promptSource":"{source}","permissionMode":"default",',
    )
    turn.facts.blocks.append("text")


def notification(transcript: Transcript, turn: Turn) -> None:
    """Write the later word on an agent that was launched: queued, then delivered."""
    author, dice = transcript.author, transcript.author.dice
    about = dice.pick(transcript.awaited) if transcript.awaited else None
    task = dice.token("a", 16) if about is None else about.name
    tool = "" if about is None else f"<tool-use-id>{about.tool_id}</tool-use-id>\\n"
    text = (
        f"<task-notification>\\n<task-id>{task}</task-id>\\n{tool}<status>completed</status>\\n"
        f"<result>{prose.talk().cut(dice, 300)}</result>\\n<usage>"
        f"<total_tokens>{dice.below(90_000)}</total_tokens><tool_uses>{dice.below(60)}</tool_uses>"
        f"<duration_ms>{dice.below(900_000)}</duration_ms></usage>\\n</task-notification>"
    )
    queued = f'"operation":"enqueue","timestamp":"{author.tick(900)}","content":"{text}",'
    author.note(turn, "queue-operation", f'{queued}"sessionId":"{author.session_id}"')
    author.say(
        turn,
        "user",
        f'"message":{{"role":"user","content":"{text}"}},"origin":{{"kind":"task-notification"}},',
    )
    turn.facts.blocks.append("text")


def interruption(transcript: Transcript, turn: Turn) -> None:
    """Write the marker of a turn that its user stopped."""
    block = '{"type":"text","text":"[Request interrupted by user]"}'
    members = f'"message":{{"role":"user","content":[{block}]}},'
    marker = f'"interruptedMessageId":"{transcript.author.dice.token("msg_01", 22)}",'
    transcript.author.say(turn, "user", members + marker)
    turn.facts.blocks.append("text")
