//! Carriers of usage: assistant records, and those inside progress records
//! (SPEC section 4, ruling 24).

use crate::facts::kept::Number;
use crate::facts::{CacheMiss, Envelope, FilePart, Identity, IterationFact, UsageCarrier};
use crate::fold::{Folder, Recent};
use crate::record::{Flag, Inline, Message, Record, Str};

impl Folder {
    /// Keeps the carriers that a record is or holds. `envelope` is the number of
    /// the record's own.
    pub(super) fn usages(
        &mut self,
        part: &FilePart,
        sketch: u32,
        envelope: u32,
        record: &Record<'_>,
    ) {
        if record.is_assistant() {
            self.usage(part, sketch, envelope, record);
        }
        if let Some(inline) = &record.inline {
            self.inline_usage(part, sketch, record, inline);
        }
    }

    fn usage(&mut self, part: &FilePart, sketch: u32, envelope: u32, record: &Record<'_>) -> bool {
        let Some(message) = &record.message else { return false };
        let Some(usage) = &message.usage else { return false };
        let first = self.facts.iterations.len() as u32;
        let wanted = if self.wanted.iterations { &usage.iterations[..] } else { &[] };
        for iteration in wanted {
            let fact = IterationFact {
                index: iteration.index,
                kind: self.intern(iteration.kind),
                model: self.intern(iteration.model),
                counts: (&iteration.counts).into(),
            };
            self.facts.iterations.push(fact);
        }
        let carrier = UsageCarrier {
            sketch,
            file: part.file,
            envelope,
            message: self.recall(Recent::Message, message.id),
            request: self.recall(Recent::Request, record.string(Str::RequestId)),
            agent: self.recall(Recent::Agent, record.string(Str::AgentId)),
            stop_reason: self.recall(Recent::StopReason, message.stop_reason),
            effort: self.recall(Recent::Effort, record.string(Str::Effort)),
            attribution: self.attribution(record),
            counts: self.facts.tallies.keep((&usage.counts).into(), 0),
            miss: self.cache_miss(message),
            iterations: first..self.facts.iterations.len() as u32,
            timestamp: record.timestamp.into(),
            is_sidechain: record.flag(Flag::IsSidechain),
            is_inline: false,
            is_api_error: record.flag(Flag::IsApiErrorMessage),
        };
        self.facts.usages.push(carrier);
        true
    }

    fn cache_miss(&mut self, message: &Message<'_>) -> Option<Number> {
        let missed_input_tokens = message.cache_missed_input_tokens;
        if message.cache_miss_type.is_none() && missed_input_tokens.is_none() {
            return None;
        }
        let kind = self.intern(message.cache_miss_type);
        self.facts.misses.push(CacheMiss { kind, missed_input_tokens });
        Number::new(self.facts.misses.len() as u32 - 1)
    }

    /// What an inline record does not say of itself, the outer record says.
    fn inline_usage(
        &mut self,
        part: &FilePart,
        sketch: u32,
        outer: &Record<'_>,
        inline: &Inline<'_>,
    ) {
        if !self.usage(part, sketch, 0, &inline.record) {
            return;
        }
        let number = self.facts.usages.len() as u32 - 1;
        let uuid = inline.record.string(Str::Uuid);
        let uuid = uuid.and_then(|uuid| Identity::of(&uuid.text()));
        self.facts.inline_uuids.extend(uuid.map(|uuid| (number, uuid)));
        let agent = self.intern(inline.agent_id);
        let envelope = self.inline_envelope(outer, &inline.record);
        let envelope = self.facts.sketches.envelope(envelope);
        let Some(carrier) = self.facts.usages.last_mut() else { return };
        carrier.envelope = envelope;
        carrier.agent = agent.or(carrier.agent);
        carrier.timestamp = carrier.timestamp.get().or(outer.timestamp).into();
        carrier.is_sidechain = carrier.is_sidechain.or(Some(true));
        carrier.is_inline = true;
    }

    fn inline_envelope(&mut self, outer: &Record<'_>, inner: &Record<'_>) -> Envelope {
        let mut either = |field| self.intern(inner.string(field).or(outer.string(field)));
        let [version, cwd, git_branch, entrypoint] =
            [Str::Version, Str::Cwd, Str::GitBranch, Str::Entrypoint].map(&mut either);
        let session = inner.session_id().or(outer.session_id());
        Envelope {
            session: self.intern(session),
            version,
            cwd,
            git_branch,
            entrypoint,
            model: self.intern(inner.message.as_ref().and_then(|message| message.model)),
            is_fork: inner.is_fork,
            ..Envelope::default()
        }
    }
}
