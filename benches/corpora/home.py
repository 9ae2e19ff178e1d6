"""A whole Claude home: sessions with their agents, workflows and forks, and the exact totals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import observed, prose
from corpora.author import Author, stamp
from corpora.budget import Budget
from corpora.dice import Dice
from corpora.results import Place
from corpora.tally import Ledger
from corpora.transcript import Launch, Transcript

if TYPE_CHECKING:
    from typing import BinaryIO

    from corpora.author import Line

_BUFFER = 1 << 20
# 1 July 2026; sessions start within the two months that follow.
_EPOCH = 1_782_864_000_000
_SPAN = 60 * 24 * 3_600_000
_HOME = "/home/ada/work"


def generate(
    out: Path | str, *, size: int, seed: int, files: int | None = None, variety: float = 1.0
) -> dict[str, object]:
    """Write a Claude home of about `size` bytes below `out` and return its exact totals.

    The same arguments make the same bytes. `variety` multiplies how often rare things happen
    (1.0 is as observed): small corpora need more to show everything. The totals are also in
    `expected.json` beside the folder `projects`.
    """
    home = Home(Path(out), Dice(f"home {seed}"), Budget(size, files), variety)
    while home.budget.files_left > 0:
        home.session()
    totals: dict[str, object] = {"seed": seed, "size": size, "variety": variety}
    totals |= home.ledger.as_dict()
    text = json.dumps(totals, indent=1) + "\n"
    (Path(out) / "expected.json").write_text(text, encoding="utf-8")
    return totals


class Home:
    """The home that is being written."""

    def __init__(self, out: Path, dice: Dice, budget: Budget, variety: float) -> None:
        """Write below `out` what `dice` say and `budget` allows."""
        self.out, self.dice, self.budget, self.variety = out, dice, budget, variety
        self.ledger = Ledger()
        names = [prose.words(dice, 2).replace(" ", "-") for _ in range(12)]
        self.folders = [f"{_HOME}/{name}" for name in names]

    def session(self) -> None:
        """Write a session, and at times a fork of it."""
        folder = self.dice.pick(self.folders)
        clock = _EPOCH + self.dice.below(_SPAN)
        parent = self._parent(Author(self.dice, self.dice.uuid(), folder, clock), None)
        share = min(observed.FORK * self.variety, 0.5)
        if self.budget.files_left > 0 and self.dice.chance(share):
            fork = Author(self.dice, self.dice.uuid(), folder, parent.author.clock)
            self._parent(fork, parent)

    def _parent(self, author: Author, ancestor: Transcript | None) -> Transcript:
        slug = author.folder.replace("/", "-").replace(".", "-")
        path = self.out / "projects" / slug / f"{author.session_id}.jsonl"
        self.ledger.counts["sessions"] += 1
        limit = self.budget.open(self.dice, "parent")
        with _created(path) as file:
            transcript = self._transcript(file, author, path.with_suffix(""))
            if ancestor is not None:
                self._repeat(transcript, ancestor)
            transcript.write(limit, lambda launch: self._launched(transcript, path, launch))
        self.ledger.file("parent", transcript.bytes)
        return transcript

    def _transcript(self, file: BinaryIO, author: Author, session_folder: Path) -> Transcript:
        shown = f"/home/ada/.claude/projects/{'/'.join(session_folder.parts[-2:])}"
        place = Place(author.folder, shown, self.budget.cap)
        return Transcript(file, author, self.budget, self.ledger, place=place, variety=self.variety)

    def _repeat(self, fork: Transcript, ancestor: Transcript) -> None:
        """Write the ancestor's first turns again under the fork's session id.

        Half of the forks name their ancestor; the others keep its uuids and say nothing.
        """
        named = self.dice.chance(0.5)
        turns = ancestor.prefix[: self.dice.between(1, len(ancestor.prefix))]
        for turn in turns:
            for line in turn.lines:
                fork.put(_forked(line, ancestor.author.session_id, fork.author, named=named))
            self.ledger.add(turn.facts, copied=True)
        fork.author.thread = next(
            (line.uuid for line in reversed(turns[-1].lines) if line.uuid), None
        )

    def _launched(self, parent: Transcript, path: Path, launch: Launch) -> None:
        folder = path.with_suffix("") / "subagents"
        if launch.kind == "subagent":
            if self.budget.spare():
                self._agent(parent, folder, launch, "subagent")
        elif self.budget.spare() > 1:
            self._workflow(parent, folder / "workflows" / launch.name, launch)

    def _agent(self, parent: Transcript, folder: Path, launch: Launch, kind: str) -> None:
        author = Author(
            self.dice,
            parent.author.session_id,
            parent.author.folder,
            parent.author.clock,
            agent_id=launch.name,
        )
        path = folder / f"agent-{launch.name}.jsonl"
        limit = self.budget.open(self.dice, "agent")
        with _created(path) as file:
            transcript = self._transcript(file, author, path.parent.parent)
            transcript.model = launch.model
            transcript.write(limit, lambda _launch: None)
        self.ledger.file(kind, transcript.bytes)
        meta: dict[str, object] = {
            "agentType": "explorer",
            "description": prose.words(self.dice, 4),
        }
        meta |= {"model": launch.model, "spawnDepth": 1}
        if kind == "subagent":
            meta["toolUseId"] = launch.tool_id
        path.with_suffix(".meta.json").write_text(json.dumps(meta), encoding="utf-8")

    def _workflow(self, parent: Transcript, folder: Path, launch: Launch) -> None:
        """Write a workflow's agents and its journal."""
        agents = self.dice.between(*observed.WORKFLOW_AGENTS)
        agents = max(min(agents, self.budget.spare() // 3), 1)
        self.budget.open(self.dice, "journal")
        journal: list[str] = []
        for _ in range(agents):
            name = self.dice.token("a", 16)
            started = {"type": "started", "agentId": name, "label": prose.words(self.dice, 2)}
            said = {"type": "result", "agentId": name, "result": prose.words(self.dice, 30)}
            journal += [_compact(started), _compact(said)]
            if self.budget.spare():
                agent = Launch("subagent", name, launch.tool_id, launch.model)
                self._agent(parent, folder, agent, "workflow_agent")
        self.ledger.counts["workflows"] += 1
        self._journal(folder / "journal.jsonl", journal)
        run: dict[str, object] = {"runId": launch.name, "status": "completed", "agents": agents}
        run |= {"startedAt": stamp(parent.author.clock)}
        described = folder.parent.parent.parent / "workflows" / f"{launch.name}.json"
        described.parent.mkdir(parents=True, exist_ok=True)
        described.write_text(json.dumps(run), encoding="utf-8")

    def _journal(self, path: Path, lines: list[str]) -> None:
        data = "".join(lines).encode()
        with _created(path) as file:
            file.write(data)
        self.budget.written += len(data)
        self.ledger.file("journal", len(data))
        self.ledger.types.update({"started": len(lines) // 2, "result": len(lines) // 2})


def _created(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("xb", buffering=_BUFFER)


def _compact(record: dict[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _forked(line: Line, ancestor: str, author: Author, *, named: bool) -> str:
    text = line.text.replace(ancestor, author.session_id)
    if not named or line.uuid is None:
        return text
    source = f'"forkedFrom":{{"sessionId":"{ancestor}","messageUuid":"{line.uuid}"}}'
    return f"{text[:-2]},{source}}}\n"
