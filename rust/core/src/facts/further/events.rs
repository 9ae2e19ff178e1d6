//! What records say that are no messages: boundaries, attachments, events,
//! journals, skills, tracked paths and costs.

use crate::decode::json_type::JsonType;
use crate::strings::Symbol;

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
    pub result_kind: Option<JsonType>,
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
