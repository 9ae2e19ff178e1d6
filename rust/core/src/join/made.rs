//! A corpus made by hand, for tests of what is joined: files in order, each
//! with records, and calls, results and so on of the record last made.

use crate::discover::{FileKind, Found, Named, Transcript};
use crate::facts::further::{InlineRecord, LaunchInput, LaunchResult, Notification};
use crate::facts::{Call, Facts, FilePart, Identity, Sketch, ToolResult, UsageCarrier};
use crate::join::tool_calls::{Pair, pairs};
use crate::join::usage::{Response, responses};
use crate::join::{Corpus, copies, replays};
use crate::strings::Symbol;

/// A corpus in the making.
pub(super) struct Made {
    pub(super) facts: Facts,
    pub(super) transcripts: Vec<Transcript>,
}

/// A corpus that is made, with what every further join needs.
pub(super) struct Joined {
    pub(super) corpus: Corpus,
    pub(super) transcripts: Vec<Transcript>,
    pub(super) pairs: Vec<Pair>,
    pub(super) responses: Vec<Response>,
}

impl Made {
    pub(super) fn new() -> Self {
        Self { facts: Facts::new(), transcripts: Vec::new() }
    }

    pub(super) fn symbol(&mut self, text: &str) -> Symbol {
        self.facts.strings.intern(text)
    }

    /// Begins a file; its path names what is not empty.
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
        let facts = &self.facts;
        self.facts.parts.push(FilePart {
            file,
            sketches: facts.sketches.len()..facts.sketches.len(),
            calls: facts.calls.len()..facts.calls.len(),
            results: facts.results.len()..facts.results.len(),
            ..FilePart::default()
        });
    }

    pub(super) fn parent(&mut self, session: &str) {
        self.file(&format!("p/{session}.jsonl"), FileKind::Parent, [session, "", ""]);
    }

    pub(super) fn subagent(&mut self, session: &str, agent: &str) {
        let path = format!("p/{session}/subagents/agent-{agent}.jsonl");
        self.file(&path, FileKind::Subagent, [session, agent, ""]);
    }

    /// A record of the file last begun; without session where that is empty.
    pub(super) fn record(&mut self, session: &str) -> &mut Sketch {
        let session = if session.is_empty() { Symbol::NONE } else { self.symbol(session) };
        let number = self.facts.sketches.len();
        let part = self.facts.parts.last_mut().expect("a file");
        part.sketches.end = number + 1;
        let line = (number - part.sketches.start) as u64 + 1;
        let payload = number as u64;
        self.facts.sketches.push(Sketch { line, payload, session, ..Sketch::default() });
        &mut self.facts.sketches[number]
    }

    /// A record with a uuid, at a time.
    pub(super) fn dated(&mut self, session: &str, uuid: &str, timestamp: i64) {
        let record = self.record(session);
        record.uuid = Identity::of(uuid);
        record.timestamp = Some(timestamp);
        let sketch = self.facts.sketches.len() as u32 - 1;
        if let Some(Identity::Hash(_)) = Identity::of(uuid) {
            let uuid = self.symbol(uuid);
            self.facts.further.odd_uuids.push((sketch, uuid));
        }
    }

    fn last(&mut self) -> (u32, u32) {
        let file = self.transcripts.len() as u32 - 1;
        (file, self.facts.sketches.len() as u32 - 1)
    }

    /// A record that calls a tool.
    pub(super) fn call(&mut self, session: &str, id: &str, name: &str) -> &mut Call {
        self.record(session);
        let (file, sketch) = self.last();
        let (id, name) = (self.symbol(id), self.symbol(name));
        self.facts.calls.push(Call { sketch, file, id, name, ..Call::default() });
        let number = self.facts.calls.len() - 1;
        self.facts.parts.last_mut().expect("a file").calls.end = number + 1;
        &mut self.facts.calls[number]
    }

    /// A record with the result of a call, which launched an agent if one is named.
    pub(super) fn result(&mut self, session: &str, id: &str, agent: &str) -> &mut ToolResult {
        self.record(session);
        let (file, sketch) = self.last();
        let (id, agent) = (self.symbol(id), self.symbol(agent));
        let result =
            ToolResult { file, sketch, id, launched_agent: agent, ..ToolResult::default() };
        self.facts.results.push(result);
        let number = self.facts.results.len() - 1;
        self.facts.parts.last_mut().expect("a file").results.end = number + 1;
        &mut self.facts.results[number]
    }

    /// A launching call and its result.
    pub(super) fn launch(&mut self, session: &str, id: &str, agent: &str) {
        let [kind, description] = ["explorer", "looks around"].map(|text| self.symbol(text));
        let input = LaunchInput { agent_type: kind, description, ..LaunchInput::default() };
        self.call(session, id, "Task").launch = Some(Box::new(input));
        let said = LaunchResult { total_tokens: Some(70), ..LaunchResult::default() };
        self.result(session, id, agent).launch = Some(Box::new(said));
    }

    /// A record that holds one of an agent.
    pub(super) fn inline(&mut self, session: &str, agent: &str, call: &str) -> &mut InlineRecord {
        self.record(session);
        let (file, sketch) = self.last();
        let (agent, parent_tool_use) = (self.symbol(agent), self.symbol(call));
        let fact = InlineRecord { sketch, file, agent, parent_tool_use, timestamp: None };
        let all = &mut self.facts.further.inline_records;
        all.push(fact);
        let number = all.len() - 1;
        &mut all[number]
    }

    /// A record with a task notification.
    pub(super) fn notification(&mut self, session: &str, [task, tool_use, status]: [&str; 3]) {
        self.record(session);
        let (file, sketch) = self.last();
        let [task, tool_use, status] = [task, tool_use, status]
            .map(|text| if text.is_empty() { Symbol::NONE } else { self.symbol(text) });
        let total_tokens = Some(i64::from(sketch));
        let fact = Notification {
            sketch,
            file,
            task,
            tool_use,
            status,
            total_tokens,
            ..Default::default()
        };
        self.facts.further.notifications.push(fact);
    }

    /// A record with usage.
    pub(super) fn usage(
        &mut self,
        session: &str,
        message: &str,
        request: &str,
    ) -> &mut UsageCarrier {
        self.record(session);
        let (file, sketch) = self.last();
        let [session, message, request] = [session, message, request].map(|text| self.symbol(text));
        let carrier =
            UsageCarrier { sketch, file, session, message, request, ..Default::default() };
        self.facts.usages.push(carrier);
        let number = self.facts.usages.len() - 1;
        &mut self.facts.usages[number]
    }

    /// Joins what was made.
    pub(super) fn join(self) -> Joined {
        let mut corpus = Corpus::new(vec![self.facts], &self.transcripts);
        copies::ignore(&mut corpus);
        replays::find(&mut corpus);
        let (pairs, _) = pairs(&corpus);
        let (responses, _) = responses(&corpus);
        Joined { corpus, transcripts: self.transcripts, pairs, responses }
    }
}

impl Joined {
    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.corpus.strings.text(symbol).unwrap_or("-")
    }
}
