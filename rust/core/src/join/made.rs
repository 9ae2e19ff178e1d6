//! A corpus made by hand, record by record, for tests of what is joined: files
//! in order, each with records, and calls, results, words and so on of the
//! record last made.
//!
//! It may be judged as it stands; [`Made::join`] finds replays and pairs first.

use crate::discover::{FileKind, Found, Named, Transcript};
use crate::facts::further::{
    InlineRecord, LastBlock, LaunchInput, LaunchResult, Notification, PromptFact, Title,
    TitleSource, Turn,
};
use crate::facts::{Call, Facts, FilePart, Identity, Sketch, ToolResult, UsageCarrier};
use crate::join::files::FileFacts;
use crate::join::tool_calls::{Pair, pairs};
use crate::join::usage::{Response, responses};
use crate::join::{Corpus, Standing, copies, files, replays};
use crate::strings::{Interner, Symbol};

/// A corpus in the making, and what is written into its next records.
pub(crate) struct Made {
    pub(crate) corpus: Corpus,
    transcripts: Vec<Transcript>,
    session: Symbol,
    timestamp: Option<i64>,
}

/// A corpus that is made, with what every further join needs.
pub(crate) struct Joined {
    pub(crate) corpus: Corpus,
    pub(super) transcripts: Vec<Transcript>,
    pub(crate) pairs: Vec<Pair>,
    pub(super) responses: Vec<Response>,
}

/// Files.
impl Made {
    /// One unit without files.
    pub(crate) fn new() -> Self {
        let corpus = Corpus {
            strings: Interner::of_ids(),
            units: vec![Facts::new()],
            files: Vec::new(),
            standing: vec![Vec::new()],
            threads: Vec::new(),
            findings: Vec::new(),
        };
        Self { corpus, transcripts: Vec::new(), session: Symbol::NONE, timestamp: None }
    }

    /// Begins a file; its path names what is not empty. Its session is that of
    /// the records to come.
    pub(super) fn file(
        &mut self,
        path: &str,
        kind: FileKind,
        [session, agent, workflow]: [&str; 3],
    ) {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let named = Named {
            kind: Some(kind),
            session_id: said(session),
            agent_id: said(agent),
            workflow_id: said(workflow),
        };
        let file = self.transcripts.len() as u32;
        self.transcripts.push(Transcript {
            path: path.into(),
            shown: path.to_owned(),
            source: "made".to_owned(),
            found: Found::Regular,
            size: None,
            modified: None,
            named,
            compression: None,
        });
        self.session(session);
        let session = self.session;
        self.corpus.files.push(FileFacts { kind, session, ..FileFacts::default() });
        let facts = self.facts();
        let (sketches, calls) = (facts.sketches.len(), facts.calls.len());
        let results = facts.results.len();
        facts.parts.push(FilePart {
            file,
            sketches: sketches..sketches,
            calls: calls..calls,
            results: results..results,
            ..FilePart::default()
        });
    }

    /// Begins a session's file.
    pub(crate) fn parent(&mut self, session: &str) {
        self.file(&format!("p/{session}.jsonl"), FileKind::Parent, [session, "", ""]);
    }

    /// Begins an agent's file.
    pub(super) fn subagent(&mut self, session: &str, agent: &str) {
        let path = format!("p/{session}/subagents/agent-{agent}.jsonl");
        self.file(&path, FileKind::Subagent, [session, agent, ""]);
    }

    /// Begins a file of Codex.
    pub(super) fn codex(&mut self, session: &str) {
        self.file("rollout-1.jsonl", FileKind::Codex, [session, "", ""]);
    }

    /// Begins a unit: what follows is folded apart from what was before.
    pub(super) fn unit(&mut self) {
        self.corpus.units.push(Facts::new());
        self.corpus.standing.push(Vec::new());
    }

    /// The session of the records to come; they have none where it is empty.
    pub(crate) fn session(&mut self, session: &str) {
        self.session = if session.is_empty() { Symbol::NONE } else { self.symbol(session) };
    }

    /// The timestamp of the records to come.
    pub(super) fn at(&mut self, timestamp: Option<i64>) {
        self.timestamp = timestamp;
    }

    pub(crate) fn symbol(&mut self, text: &str) -> Symbol {
        self.corpus.strings.intern(text)
    }

    pub(super) fn facts(&mut self) -> &mut Facts {
        self.corpus.units.last_mut().expect("a unit")
    }

    fn part(&mut self) -> &mut FilePart {
        self.facts().parts.last_mut().expect("a file")
    }

    /// Joins what was made.
    pub(crate) fn join(self) -> Joined {
        let Self { mut corpus, transcripts, .. } = self;
        corpus.files = files::sum_up(&mut corpus.strings, &corpus.units, &transcripts);
        copies::ignore(&mut corpus);
        replays::find(&mut corpus);
        let (pairs, _) = pairs(&corpus);
        let (responses, _) = responses(&corpus);
        Joined { corpus, transcripts, pairs, responses }
    }
}

impl Joined {
    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.corpus.strings.text(symbol).unwrap_or("-")
    }
}

/// Records, each on a line of its own.
impl Made {
    /// A record of the file last begun.
    pub(super) fn record(&mut self) -> &mut Sketch {
        let (session, timestamp) = (self.session, self.timestamp);
        let standing = self.corpus.standing.last_mut().expect("a unit");
        if !standing.is_empty() {
            standing.push(Standing::Counts);
        }
        let part = self.part();
        part.sketches.end += 1;
        let line = part.sketches.len() as u64;
        let facts = self.facts();
        let payload = facts.sketches.len() as u64;
        facts.sketches.push(Sketch { line, payload, session, timestamp, ..Sketch::default() });
        facts.sketches.last_mut().expect("a record")
    }

    /// A record; gives its sketch's number and its file.
    fn placed(&mut self) -> (u32, u32) {
        self.record();
        (self.facts().sketches.len() as u32 - 1, self.part().file)
    }

    /// The record that was added last does not count.
    pub(super) fn stands(&mut self, standing: Standing) {
        let unit = self.corpus.units.len() as u32 - 1;
        let sketch = self.facts().sketches.len() - 1;
        self.corpus.set_standing(unit, sketch, standing);
    }

    /// The record that was added last is one of the API's errors.
    pub(super) fn api_error(&mut self) {
        self.facts().sketches.last_mut().expect("a record").is_api_error = true;
    }

    /// A record with a uuid, at a time.
    pub(super) fn dated(&mut self, uuid: &str, timestamp: i64) {
        let identity = Identity::of(uuid);
        let record = self.record();
        (record.uuid, record.timestamp) = (identity, Some(timestamp));
        if let Some(Identity::Hash(_)) = identity {
            let uuid = self.symbol(uuid);
            let sketch = self.facts().sketches.len() as u32 - 1;
            self.facts().further.odd_uuids.push((sketch, uuid));
        }
    }

    /// A record that names another as its origin.
    pub(super) fn fork(&mut self, session: &str, uuid: &str) {
        let [session, uuid] = [session, uuid].map(|text| self.symbol(text));
        self.record().forked_from = session;
        let sketch = self.facts().sketches.len() as u32 - 1;
        self.facts().further.forks.push((sketch, uuid));
    }

    /// A record that calls a tool.
    pub(crate) fn call(&mut self, id: &str, name: &str) -> &mut Call {
        let (sketch, file) = self.placed();
        let (id, name) = (self.symbol(id), self.symbol(name));
        let facts = self.facts();
        facts.calls.push(Call { sketch, file, id, name, ..Call::default() });
        self.part().calls.end += 1;
        self.facts().calls.last_mut().expect("a call")
    }

    /// A record with the result of a call, which launched an agent if one is named.
    pub(super) fn result(&mut self, id: &str, agent: &str) -> &mut ToolResult {
        let (sketch, file) = self.placed();
        let (id, launched_agent) = (self.symbol(id), self.symbol(agent));
        let facts = self.facts();
        facts.results.push(ToolResult { file, sketch, id, launched_agent, ..Default::default() });
        self.part().results.end += 1;
        self.facts().results.last_mut().expect("a result")
    }

    /// A launching call and its result.
    pub(super) fn launch(&mut self, id: &str, agent: &str) {
        let [kind, description] = ["explorer", "looks around"].map(|text| self.symbol(text));
        let input = LaunchInput { agent_type: kind, description, ..LaunchInput::default() };
        self.call(id, "Task").launch = Some(Box::new(input));
        let said = LaunchResult { total_tokens: Some(70), ..LaunchResult::default() };
        self.result(id, agent).launch = Some(Box::new(said));
    }

    /// A record that holds one of an agent.
    pub(super) fn inline(&mut self, agent: &str, call: &str) -> &mut InlineRecord {
        let (sketch, file) = self.placed();
        let (agent, parent_tool_use) = (self.symbol(agent), self.symbol(call));
        let all = &mut self.facts().further.inline_records;
        all.push(InlineRecord { sketch, file, agent, parent_tool_use, timestamp: None });
        all.last_mut().expect("a record")
    }

    /// A record with a task notification.
    pub(super) fn notification(&mut self, [task, tool_use, status]: [&str; 3]) {
        let (sketch, file) = self.placed();
        let [task, tool_use, status] = [task, tool_use, status]
            .map(|text| if text.is_empty() { Symbol::NONE } else { self.symbol(text) });
        let total_tokens = Some(i64::from(sketch));
        let fact = Notification { sketch, file, task, tool_use, status, ..Default::default() };
        self.facts().further.notifications.push(Notification { total_tokens, ..fact });
    }

    /// A record with usage.
    pub(super) fn usage(&mut self, message: &str, request: &str) -> &mut UsageCarrier {
        let (sketch, file) = self.placed();
        let session = self.session;
        let [message, request] = [message, request].map(|text| self.symbol(text));
        let fact = UsageCarrier { sketch, file, session, message, request, ..Default::default() };
        self.facts().usages.push(fact);
        self.facts().usages.last_mut().expect("usage")
    }
}

/// Words.
impl Made {
    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// A record with a candidate for words of a person.
    pub(crate) fn prompt(&mut self, text: &str, prompt: PromptFact) {
        let (sketch, file) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.prompts.push(PromptFact { sketch, file, text, ..prompt });
    }

    /// A message of a user.
    pub(super) fn user(&mut self, turn: Turn) {
        let (sketch, file) = self.placed();
        self.facts().further.turns.push(Turn { sketch, file, ..turn });
    }

    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// A message of an assistant with these words.
    pub(crate) fn assistant(&mut self, words: &[&str], turn: Turn) {
        let (sketch, file) = self.placed();
        let facts = self.facts();
        let start = facts.words.len() as u32;
        for text in words {
            facts.words.keep(text);
        }
        let words = start..facts.words.len() as u32;
        let last = if words.is_empty() { turn.last } else { LastBlock::Text };
        let turn = Turn { sketch, file, is_assistant: true, words, last, ..turn };
        facts.further.turns.push(turn);
    }

    /// A record with a context of a hook.
    pub(super) fn context(&mut self, text: &str) {
        let (sketch, _) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.contexts.push((sketch, text));
    }

    /// A record that names a session.
    pub(super) fn title(&mut self, source: TitleSource, text: &str, leaf: Option<&str>) {
        let (sketch, _) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        let leaf = leaf.and_then(Identity::of);
        facts.further.titles.push(Title { sketch, source, text, leaf });
    }
}
