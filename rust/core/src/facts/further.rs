//! Facts for the tables beside the core: what single records say of agents,
//! prompts, hooks, costs and files. `sketch` is the record's place in
//! [`super::Facts::sketches`] everywhere.

mod events;
mod lineage;
mod speech;

pub use self::events::{
    AttachmentFact, Boundary, CostFact, EventFact, JournalFact, SkillEvidence, SkillFact,
    TrackedFact,
};
pub use self::lineage::{InlineRecord, LaunchInput, LaunchResult, Notification};
pub use self::speech::{LastBlock, PromptFact, Title, TitleSource, Turn};
use crate::strings::{Renaming, Symbol};

/// All of them, of one unit, each in the order of the records.
#[derive(Debug, Default)]
pub struct Further {
    /// Task notifications.
    pub notifications: Vec<Notification>,
    /// Records of subagents inside progress records.
    pub inline_records: Vec<InlineRecord>,
    /// `forkedFrom.messageUuid` of the records that have a `forkedFrom.sessionId`.
    pub forks: Vec<(u32, Symbol)>,
    /// Uuids that [`Identity`] holds the hash of only.
    pub odd_uuids: Vec<(u32, Symbol)>,
    /// Compaction boundaries.
    pub boundaries: Vec<Boundary>,
    /// Records with isCompactSummary.
    pub summaries: Vec<u32>,
    /// Candidates for words of a person.
    pub prompts: Vec<PromptFact>,
    /// Messages, in order: who spoke, and how.
    pub turns: Vec<Turn>,
    /// Texts that hooks put into the context, as numbers of [`super::Facts::words`].
    pub contexts: Vec<(u32, u32)>,
    /// Records that name a session.
    pub titles: Vec<Title>,
    /// Attachments.
    pub attachments: Vec<AttachmentFact>,
    /// Records that are neither message nor attachment.
    pub events: Vec<EventFact>,
    /// Records of a workflow's journal.
    pub journal: Vec<JournalFact>,
    /// Names of skills.
    pub skills: Vec<SkillFact>,
    /// Tracked paths.
    pub tracked: Vec<TrackedFact>,
    /// Models in cost records.
    pub costs: Vec<CostFact>,
}

impl Further {
    /// Renames every symbol; see [`super::Facts::rename`].
    pub fn rename(&mut self, names: &Renaming) {
        let apply = |symbols: &mut [&mut Symbol]| {
            for symbol in symbols {
                names.apply(symbol);
            }
        };
        for fact in &mut self.notifications {
            apply(&mut [&mut fact.task, &mut fact.tool_use, &mut fact.status]);
        }
        for fact in &mut self.inline_records {
            apply(&mut [&mut fact.agent, &mut fact.parent_tool_use]);
        }
        for (_, symbol) in self.forks.iter_mut().chain(&mut self.odd_uuids) {
            names.apply(symbol);
        }
        self.boundaries.iter_mut().for_each(|fact| names.apply(&mut fact.trigger));
        for fact in &mut self.prompts {
            apply(&mut [&mut fact.origin_kind, &mut fact.prompt_source]);
        }
        self.turns.iter_mut().for_each(|fact| names.apply(&mut fact.message));
        for fact in &mut self.attachments {
            apply(&mut [
                &mut fact.kind,
                &mut fact.hook_name,
                &mut fact.hook_event,
                &mut fact.tool_use,
                &mut fact.command_mode,
                &mut fact.origin_kind,
            ]);
        }
        for fact in &mut self.events {
            apply(&mut [
                &mut fact.subtype,
                &mut fact.level,
                &mut fact.operation,
                &mut fact.queue_priority,
                &mut fact.status,
            ]);
        }
        for fact in &mut self.journal {
            apply(&mut [&mut fact.agent, &mut fact.label, &mut fact.phase]);
        }
        self.skills.iter_mut().for_each(|fact| names.apply(&mut fact.name));
        for fact in &mut self.tracked {
            apply(&mut [&mut fact.path, &mut fact.real_parent, &mut fact.backup]);
        }
        self.costs.iter_mut().for_each(|fact| names.apply(&mut fact.model));
    }
}
