//! What a record that is no message says (ruling 39).

use crate::decode::json_type::JsonType;
use crate::decode::text::Raw;

/// The further fields of a record, by what it is.
#[derive(Debug, Default)]
#[allow(clippy::large_enum_variant)] // It is part of a record, which is made once a line.
pub enum Further<'a> {
    /// A message: all it says stands in the record itself.
    #[default]
    None,
    /// Neither message nor attachment.
    Event(Event<'a>),
    /// Of type `attachment`.
    Attachment(Attachment<'a>),
}

/// A record that is neither message nor attachment.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Event<'a> {
    pub level: Option<Raw<'a>>,
    pub operation: Option<Raw<'a>>,
    pub queue_priority: Option<Raw<'a>>,
    pub status: Option<Raw<'a>>,
    pub duration_ms: Option<i64>,
    pub retry_attempt: Option<i64>,
    pub retry_in_ms: Option<f64>,
    pub hook_count: Option<i64>,
    /// Entries of `hookErrors`.
    pub hook_errors: Option<i64>,
    /// `content` where it is a string.
    pub content: Option<Raw<'a>>,
    /// `parentToolUseID` of a progress record.
    pub parent_tool_use_id: Option<Raw<'a>>,
    pub detail: Detail<'a>,
}

/// What only some types of event say.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub enum Detail<'a> {
    #[default]
    None,
    Boundary(Boundary<'a>),
    Tracked(Vec<Tracked<'a>>),
    Costs(Costs<'a>),
    /// A title, or a summary.
    Title(Raw<'a>),
    Journal(Journal<'a>),
}

/// The metadata of a compaction boundary.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Boundary<'a> {
    pub trigger: Option<Raw<'a>>,
    pub pre_tokens: Option<i64>,
    pub post_tokens: Option<i64>,
    pub duration_ms: Option<i64>,
    pub cumulative_dropped_tokens: Option<i64>,
    /// The number, or how many there are.
    pub preserved_messages: Option<i64>,
}

/// A tracked path and its backup.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Tracked<'a> {
    pub path: String,
    pub backup_file_name: Option<Raw<'a>>,
    /// Whether `backupFileName` is null; none where it is absent or no string.
    pub is_tombstone: Option<bool>,
    pub version: Option<i64>,
    pub backup_time: Option<i64>,
    pub real_parent_dir: Option<Raw<'a>>,
    /// `snapshot.timestamp`
    pub snapshot_time: Option<i64>,
}

/// A client's own cost record.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Costs<'a> {
    pub total_cost_usd: Option<f64>,
    pub has_unknown_model_cost: Option<bool>,
    pub models: Vec<ModelCost<'a>>,
}

/// A model in a cost record.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct ModelCost<'a> {
    pub model: std::borrow::Cow<'a, str>,
    pub cost_usd: Option<f64>,
    pub input: Option<i64>,
    pub output: Option<i64>,
    pub cache_creation: Option<i64>,
    pub cache_read: Option<i64>,
}

/// A record of a workflow journal.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Journal<'a> {
    pub label: Option<Raw<'a>>,
    pub phase: Option<Raw<'a>>,
    /// JSON type of `result`; none where it is null or absent.
    pub result_kind: Option<JsonType>,
    pub result_chars: Option<i64>,
}

/// An attachment record.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Attachment<'a> {
    /// Its JSON text; none where it is null or absent.
    pub json: Option<&'a str>,
    pub kind: Option<Raw<'a>>,
    pub hook_name: Option<Raw<'a>>,
    pub hook_event: Option<Raw<'a>>,
    pub tool_use_id: Option<Raw<'a>>,
    pub command_mode: Option<Raw<'a>>,
    pub origin_kind: Option<Raw<'a>>,
    pub exit_code: Option<i64>,
    pub duration_ms: Option<i64>,
    /// Entries of `names`.
    pub names: Option<i64>,
    pub carried: Carried<'a>,
}

/// What only some types of attachment carry.
#[derive(Debug, Default)]
pub enum Carried<'a> {
    /// Nothing that is read.
    #[default]
    Nothing,
    /// `names` of a skill listing.
    Listed(Vec<Raw<'a>>),
    /// `skills` of invoked skills, each with its place in the array.
    Invoked {
        /// How many entries the array has.
        entries: u32,
        /// The names of those that are objects.
        names: Vec<(u32, Option<Raw<'a>>)>,
    },
    /// The prompt of a queued command.
    Queued(String),
    /// What a hook put into the context.
    Contexts(Vec<Raw<'a>>),
}

/// `data` of a progress record.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Progress<'a> {
    pub kind: Option<Raw<'a>>,
    pub status: Option<Raw<'a>>,
    pub agent_id: Option<Raw<'a>>,
    /// `data.message.timestamp` of an `agent_progress` record.
    pub inline_timestamp: Option<i64>,
}

/// What a call's input says of the agent or skill that it starts.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct CallInput<'a> {
    pub subagent_type: Option<Raw<'a>>,
    pub description: Option<Raw<'a>>,
    pub model: Option<Raw<'a>>,
    pub skill: Option<Raw<'a>>,
}

/// What `toolUseResult` says of what the call started.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Launched<'a> {
    pub agent_type: Option<Raw<'a>>,
    pub worktree_branch: Option<Raw<'a>>,
    pub workflow_name: Option<Raw<'a>>,
    pub run_id: Option<Raw<'a>>,
    pub transcript_dir: Option<Raw<'a>>,
    pub is_async: Option<bool>,
    pub total_tokens: Option<i64>,
    pub total_tool_use_count: Option<i64>,
    pub total_duration_ms: Option<i64>,
}
