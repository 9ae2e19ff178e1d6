//! Facts for the tables beside the core: what single records say of agents,
//! prompts, hooks, costs and files. `sketch` is the record's place in
//! [`super::Facts::sketches`] everywhere.

use std::ops::Range;

use crate::facts::Identity;
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

/// A task notification (ruling 40).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Notification {
    pub sketch: u32,
    pub file: u32,
    pub task: Symbol,
    pub tool_use: Symbol,
    pub status: Symbol,
    pub total_tokens: Option<i64>,
    pub tool_uses: Option<i64>,
    pub duration_ms: Option<i64>,
}

/// A record of a subagent inside an `agent_progress` record.
#[derive(Clone, Debug, Default)]
pub struct InlineRecord {
    /// The outer record.
    pub sketch: u32,
    /// Its file.
    pub file: u32,
    /// `data.agentId`; an id.
    pub agent: Symbol,
    /// `parentToolUseID`
    pub parent_tool_use: Symbol,
    /// Its own timestamp, else the outer record's.
    pub timestamp: Option<i64>,
}

/// A compact or microcompact boundary.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Boundary {
    pub sketch: u32,
    pub file: u32,
    pub is_micro: bool,
    pub trigger: Symbol,
    pub pre_tokens: Option<i64>,
    pub post_tokens: Option<i64>,
    pub duration_ms: Option<i64>,
    pub cumulative_dropped_tokens: Option<i64>,
    pub preserved_messages: Option<i64>,
}

/// A text that may be a person's (ruling 52).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct PromptFact {
    pub sketch: u32,
    pub file: u32,
    pub is_attachment: bool,
    pub is_sidechain: bool,
    pub is_compact_summary: bool,
    pub is_meta: bool,
    pub origin_kind: Symbol,
    pub prompt_source: Symbol,
    /// Number of its text, uncut, in [`super::Facts::words`].
    pub text: u32,
}

/// A message record of a user or an assistant.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// The record.
    pub sketch: u32,
    /// Its file.
    pub file: u32,
    /// An assistant's (ruling 24), else a user's (ruling 51).
    pub is_assistant: bool,
    /// isSidechain is true.
    pub is_sidechain: bool,
    /// isMeta is true.
    pub is_meta: bool,
    /// `message.id`
    pub message: Symbol,
    /// A user's, with a text block that begins with the interruption marker.
    pub is_interruption: bool,
    /// What its last call or words are.
    pub last: LastBlock,
    /// It has a block of thinking.
    pub has_thinking: bool,
    /// Numbers of an assistant's text blocks that are not blank, untrimmed, in
    /// [`super::Facts::words`].
    pub words: Range<u32>,
}

/// What the last block is that is a call, or a text that is not blank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastBlock {
    /// There is none.
    #[default]
    None,
    /// Words.
    Text,
    /// A call.
    Call,
}

/// A record that names a session (ruling 50).
#[derive(Clone, Debug)]
pub struct Title {
    /// The record.
    pub sketch: u32,
    /// What named it.
    pub source: TitleSource,
    /// Number of the title, trimmed and not blank, in [`super::Facts::words`].
    pub text: u32,
    /// `leafUuid` of a summary.
    pub leaf: Option<Identity>,
}

/// What a title comes from, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TitleSource {
    CustomTitle,
    AiTitle,
    Summary,
}

/// An attachment record.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct AttachmentFact {
    pub sketch: u32,
    pub file: u32,
    pub kind: Symbol,
    pub hook_name: Symbol,
    pub hook_event: Symbol,
    pub exit_code: Option<i64>,
    pub duration_ms: Option<i64>,
    pub tool_use: Symbol,
    pub command_mode: Symbol,
    pub origin_kind: Symbol,
    pub names: Option<i64>,
    pub chars: Option<i64>,
}

/// A record that is neither message nor attachment.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct EventFact {
    pub sketch: u32,
    pub file: u32,
    pub subtype: Symbol,
    pub level: Symbol,
    pub operation: Symbol,
    pub queue_priority: Symbol,
    pub duration_ms: Option<i64>,
    pub retry_in_ms: Option<f64>,
    pub retry_attempt: Option<i64>,
    pub status: Symbol,
    pub hook_count: Option<i64>,
    pub hook_errors: Option<i64>,
    pub content_chars: Option<i64>,
}

/// What a record says if its file is a journal.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct JournalFact {
    pub sketch: u32,
    pub file: u32,
    pub agent: Symbol,
    pub label: Symbol,
    pub phase: Symbol,
    /// Its word in the vocabulary `json_type`.
    pub result_kind: Option<&'static str>,
    pub result_chars: Option<i64>,
}

/// A name of a skill in a record.
#[derive(Clone, Debug, Default)]
pub struct SkillFact {
    /// The record.
    pub sketch: u32,
    /// Its file.
    pub file: u32,
    /// How it is evidence.
    pub evidence: SkillEvidence,
    /// The entry's place in its array.
    pub index: u32,
    /// The name.
    pub name: Symbol,
}

/// What shows a skill, in the order of `vocabularies.skill_evidence`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum SkillEvidence {
    #[default]
    Available,
    Invoked,
    Attributed,
}

/// A tracked path in a snapshot or delta.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct TrackedFact {
    pub sketch: u32,
    pub file: u32,
    /// Place in the snapshot.
    pub index: u32,
    pub path: Symbol,
    pub real_parent: Symbol,
    pub backup: Symbol,
    pub version: Option<i64>,
    pub backup_time: Option<i64>,
    pub snapshot_time: Option<i64>,
    pub is_tombstone: Option<bool>,
}

/// A model in a cost record.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct CostFact {
    pub sketch: u32,
    pub file: u32,
    pub model: Symbol,
    pub cost_usd: Option<f64>,
    pub total_cost_usd: Option<f64>,
    pub input: Option<i64>,
    pub output: Option<i64>,
    pub cache_creation: Option<i64>,
    pub cache_read: Option<i64>,
    pub has_unknown_model_cost: Option<bool>,
}

/// What the input of an `Agent` or `Task` call says of the agent, or that of a
/// `Skill` call of the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LaunchInput {
    pub agent_type: Symbol,
    pub description: Symbol,
    pub model: Symbol,
    pub skill: Symbol,
}

/// What `toolUseResult` says of an agent or workflow that the call started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LaunchResult {
    pub agent_type: Symbol,
    pub worktree_branch: Symbol,
    pub workflow_name: Symbol,
    pub run_id: Symbol,
    pub transcript_dir: Symbol,
    pub is_async: Option<bool>,
    pub total_tokens: Option<i64>,
    pub tool_uses: Option<i64>,
    pub duration_ms: Option<i64>,
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

impl LaunchInput {
    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols =
            [&mut self.agent_type, &mut self.description, &mut self.model, &mut self.skill];
        for symbol in symbols {
            names.apply(symbol);
        }
    }
}

impl LaunchResult {
    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols = [
            &mut self.agent_type,
            &mut self.worktree_branch,
            &mut self.workflow_name,
            &mut self.run_id,
            &mut self.transcript_dir,
        ];
        for symbol in symbols {
            names.apply(symbol);
        }
    }
}
