//! What records say for the tables beside the core (ruling 39).

use crate::facts::further::{SkillEvidence, SkillFact};
use crate::facts::{FilePart, Identity};
use crate::fold::Folder;
use crate::record::further::Further;
use crate::record::{Flag, Record, Str};
use crate::strings::Symbol;

impl Folder {
    /// Keeps what a record says besides its message.
    pub(super) fn further(&mut self, part: &mut FilePart, sketch: u32, record: &Record<'_>) {
        self.identity(sketch, record);
        // One of a rollout has no rows in the further tables.
        if record.rollout.is_some() {
            return;
        }
        if record.flag(Flag::IsCompactSummary) == Some(true) {
            self.facts.further.summaries.push(sketch);
        }
        if self.wanted.further && record.string(Str::AttributionSkill).is_some() {
            let name = self.intern(record.string(Str::AttributionSkill));
            self.skill(part.file, sketch, SkillEvidence::Attributed, 0, name);
        }
        if self.wanted.journal {
            self.journal_row(part.file, sketch, record);
        }
        self.inline_record(part.file, sketch, record);
        match &record.further {
            Further::None => {}
            Further::Attachment(attachment) => self.attachment(part, sketch, record, attachment),
            Further::Event(event) => self.event(part.file, sketch, record, event),
        }
    }

    /// What links sessions: forks, and uuids in full where the sketch has a hash.
    fn identity(&mut self, sketch: u32, record: &Record<'_>) {
        if record.forked_from_session_id.is_some() && record.rollout.is_none() {
            let uuid = self.intern(record.forked_from_message_uuid);
            self.facts.further.forks.push((sketch, uuid));
        }
        if let Some(Identity::Hash(_)) = self.facts.sketches.uuid(sketch as usize) {
            let uuid = self.intern(record.string(Str::Uuid));
            self.facts.further.odd_uuids.push((sketch, uuid));
        }
    }

    pub(super) fn skill(
        &mut self,
        file: u32,
        sketch: u32,
        by: SkillEvidence,
        index: u32,
        name: Symbol,
    ) {
        let fact = SkillFact { sketch, file, evidence: by, index, name };
        self.facts.further.skills.push(fact);
    }
}
