//! Carriers of usage: assistant records, and those inside progress records
//! (SPEC section 4, ruling 24).

use crate::facts::{FilePart, Identity, IterationFact, UsageCarrier};
use crate::fold::{Folder, Recent};
use crate::record::{Flag, Inline, Record, Str};
use crate::strings::Symbol;

impl Folder {
    /// Keeps the carriers that a record is or holds.
    pub(super) fn usages(&mut self, part: &FilePart, sketch: u32, record: &Record<'_>) {
        if record.is_assistant() {
            let uuid = self.facts.sketches[sketch as usize].uuid;
            self.usage(part, sketch, record, uuid);
        }
        if let Some(inline) = &record.inline {
            self.inline_usage(part, sketch, record, inline);
        }
    }

    fn usage(
        &mut self,
        part: &FilePart,
        sketch: u32,
        record: &Record<'_>,
        uuid: Option<Identity>,
    ) -> bool {
        let Some(message) = &record.message else { return false };
        let Some(usage) = &message.usage else { return false };
        let first = self.facts.iterations.len() as u32;
        for iteration in &usage.iterations {
            let fact = IterationFact {
                index: iteration.index,
                kind: self.intern(iteration.kind),
                model: self.intern(iteration.model),
                counts: iteration.counts,
            };
            self.facts.iterations.push(fact);
        }
        let carrier = UsageCarrier {
            sketch,
            file: part.file,
            session: self.recall(Recent::Session, record.session_id()),
            message: self.recall(Recent::Message, message.id),
            request: self.recall(Recent::Request, record.string(Str::RequestId)),
            uuid,
            model: self.recall(Recent::Model, message.model),
            agent: self.recall(Recent::Agent, record.string(Str::AgentId)),
            is_sidechain: record.flag(Flag::IsSidechain),
            is_inline: false,
            is_fork: record.is_fork,
            timestamp: record.timestamp,
            stop_reason: self.recall(Recent::StopReason, message.stop_reason),
            is_api_error: record.flag(Flag::IsApiErrorMessage),
            counts: usage.counts,
            cache_miss_type: self.intern(message.cache_miss_type),
            cache_missed_input_tokens: message.cache_missed_input_tokens,
            cwd: self.recall(Recent::Cwd, record.string(Str::Cwd)),
            git_branch: self.recall(Recent::GitBranch, record.string(Str::GitBranch)),
            version: self.recall(Recent::Version, record.string(Str::Version)),
            entrypoint: self.recall(Recent::Entrypoint, record.string(Str::Entrypoint)),
            effort: self.recall(Recent::Effort, record.string(Str::Effort)),
            attribution: self.attribution(record),
            iterations: first..self.facts.iterations.len() as u32,
        };
        self.facts.usages.push(carrier);
        true
    }

    /// What an inline record does not say of itself, the outer record says.
    fn inline_usage(
        &mut self,
        part: &FilePart,
        sketch: u32,
        outer: &Record<'_>,
        inline: &Inline<'_>,
    ) {
        let uuid = inline.record.string(Str::Uuid);
        let uuid = uuid.and_then(|uuid| Identity::of(&uuid.text()));
        if !self.usage(part, sketch, &inline.record, uuid) {
            return;
        }
        let agent = self.intern(inline.agent_id);
        let session = self.intern(outer.session_id());
        let version = self.intern(outer.string(Str::Version));
        let cwd = self.intern(outer.string(Str::Cwd));
        let git_branch = self.intern(outer.string(Str::GitBranch));
        let entrypoint = self.intern(outer.string(Str::Entrypoint));
        let Some(carrier) = self.facts.usages.last_mut() else { return };
        let fill = |own: &mut Symbol, other: Symbol| *own = own.or(other);
        carrier.agent = agent.or(carrier.agent);
        fill(&mut carrier.session, session);
        fill(&mut carrier.version, version);
        fill(&mut carrier.cwd, cwd);
        fill(&mut carrier.git_branch, git_branch);
        fill(&mut carrier.entrypoint, entrypoint);
        carrier.timestamp = carrier.timestamp.or(outer.timestamp);
        carrier.is_sidechain = carrier.is_sidechain.or(Some(true));
        carrier.is_inline = true;
    }
}
