//! Records made by hand, each on a line of its own, and what they say of agents,
//! calls and usage.

use super::Made;
use crate::facts::further::{InlineRecord, LaunchInput, LaunchResult, Notification};
use crate::facts::kept::Tally;
use crate::facts::{Call, Envelope, Identity, Sketch, ToolResult, UsageCarrier};
use crate::join::Standing;
use crate::record::Counts;
use crate::strings::Symbol;

impl Made {
    /// A record of the file last begun, with what `say` adds to it.
    pub(in crate::join) fn record_of(&mut self, say: impl FnOnce(&mut Sketch)) {
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
        let mut sketch = Sketch { line, payload, timestamp, session, ..Sketch::default() };
        say(&mut sketch);
        facts.sketches.push(&sketch, None);
    }

    /// A record that says nothing of itself.
    pub(in crate::join) fn record(&mut self) {
        self.record_of(|_| ());
    }

    /// A record; gives its sketch's number and its file.
    pub(super) fn placed(&mut self) -> (u32, u32) {
        self.record();
        (self.facts().sketches.len() as u32 - 1, self.part().file)
    }

    /// The record that was added last does not count.
    pub(in crate::join) fn stands(&mut self, standing: Standing) {
        let unit = self.corpus.units.len() as u32 - 1;
        let sketch = self.facts().sketches.len() - 1;
        self.corpus.set_standing(unit, sketch, standing);
    }

    /// The record that was added last is one of the API's errors.
    pub(in crate::join) fn api_error(&mut self) {
        let sketches = &mut self.facts().sketches;
        let last = sketches.len() - 1;
        let sketch = Sketch { is_api_error: true, ..sketches.get(last) };
        sketches.set(last, &sketch);
    }

    /// A record with a uuid, at a time.
    pub(in crate::join) fn dated(&mut self, uuid: &str, timestamp: i64) {
        let identity = Identity::of(uuid);
        self.record_of(|record| {
            (record.uuid, record.timestamp) = (identity, Some(timestamp));
        });
        if let Some(Identity::Hash(_)) = identity {
            let uuid = self.symbol(uuid);
            let sketch = self.facts().sketches.len() as u32 - 1;
            self.facts().further.odd_uuids.push((sketch, uuid));
        }
    }

    /// A record that names another as its origin.
    pub(in crate::join) fn fork(&mut self, session: &str, uuid: &str) {
        let [session, uuid] = [session, uuid].map(|text| self.symbol(text));
        self.record_of(|record| record.forked_from = session);
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
    pub(in crate::join) fn result(&mut self, id: &str, agent: &str) -> &mut ToolResult {
        let (sketch, file) = self.placed();
        let (id, launched_agent) = (self.symbol(id), self.symbol(agent));
        let facts = self.facts();
        facts.results.push(ToolResult { sketch, file, id, ..Default::default() });
        let result = facts.results.last_mut().expect("a result");
        result.rare_mut().launched_agent = launched_agent;
        self.part().results.end += 1;
        self.facts().results.last_mut().expect("a result")
    }

    /// A launching call and its result.
    pub(in crate::join) fn launch(&mut self, id: &str, agent: &str) {
        let [kind, description] = ["explorer", "looks around"].map(|text| self.symbol(text));
        let input = LaunchInput { agent_type: kind, description, ..LaunchInput::default() };
        self.call(id, "Task").launch = Some(Box::new(input));
        let said = LaunchResult { total_tokens: Some(70), ..LaunchResult::default() };
        self.result(id, agent).launch = Some(Box::new(said));
    }

    /// A record that holds one of an agent.
    pub(in crate::join) fn inline(&mut self, agent: &str, call: &str) -> &mut InlineRecord {
        let (sketch, file) = self.placed();
        let (agent, parent_tool_use) = (self.symbol(agent), self.symbol(call));
        let all = &mut self.facts().further.inline_records;
        all.push(InlineRecord { sketch, file, agent, parent_tool_use, timestamp: None });
        all.last_mut().expect("a record")
    }

    /// A record with a task notification.
    pub(in crate::join) fn notification(&mut self, [task, tool_use, status]: [&str; 3]) {
        let (sketch, file) = self.placed();
        let [task, tool_use, status] = [task, tool_use, status]
            .map(|text| if text.is_empty() { Symbol::NONE } else { self.symbol(text) });
        let total_tokens = Some(i64::from(sketch));
        let fact = Notification { sketch, file, task, tool_use, status, ..Default::default() };
        self.facts().further.notifications.push(Notification { total_tokens, ..fact });
    }

    /// A record with usage of so many output tokens.
    pub(in crate::join) fn counted_usage(&mut self, message: &str, request: &str, output: i64) {
        self.usage(message, request);
        let counts = Counts { output: Some(output), ..Counts::default() };
        let facts = self.facts();
        let counts = facts.tallies.keep((&counts).into(), 0);
        facts.usages.last_mut().expect("usage").counts = counts;
    }

    /// A record with usage.
    pub(in crate::join) fn usage(&mut self, message: &str, request: &str) -> &mut UsageCarrier {
        let (sketch, file) = self.placed();
        let session = self.session;
        let [message, request] = [message, request].map(|text| self.symbol(text));
        let facts = self.facts();
        let envelope = facts.sketches.envelope(Envelope { session, ..Envelope::default() });
        let counts = facts.tallies.keep(Tally::default(), 0);
        let fact =
            UsageCarrier { sketch, file, envelope, message, request, counts, ..Default::default() };
        self.facts().usages.push(fact);
        self.facts().usages.last_mut().expect("usage")
    }
}
