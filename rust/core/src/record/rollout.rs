//! What a record of a rollout of Codex says besides what every record does
//! (rulings 93 to 97).

use crate::decode::text::Raw;

/// The types of records of which rollouts are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RolloutKind {
    SessionMeta,
    ResponseItem,
    EventMsg,
    TurnContext,
    Compacted,
    #[default]
    WorldState,
}

impl RolloutKind {
    const ALL: [(&'static str, Self); 6] = [
        ("session_meta", Self::SessionMeta),
        ("response_item", Self::ResponseItem),
        ("event_msg", Self::EventMsg),
        ("turn_context", Self::TurnContext),
        ("compacted", Self::Compacted),
        ("world_state", Self::WorldState),
    ];

    /// The kind of records of this type, where rollouts have such.
    pub fn of(name: Raw<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| name.is(known)).map(|(_, kind)| kind)
    }
}

/// A record of a rollout.
#[derive(Debug)]
pub struct Rollout<'a> {
    /// Its type.
    pub kind: RolloutKind,
    /// The JSON text of its payload.
    pub payload: &'a str,
    /// `forked_from_id` of a `session_meta`.
    pub forked_from: Option<Raw<'a>>,
    /// What it tells of tokens.
    pub totals: Option<Totals>,
}

/// The tokens of a thread so far, none of them negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// `input_tokens`, those of the cache among them.
    pub input: Option<i64>,
    /// `cached_input_tokens`
    pub cached: Option<i64>,
    /// `output_tokens`, those of reasoning among them.
    pub output: Option<i64>,
    /// `reasoning_output_tokens`
    pub reasoning: Option<i64>,
}

/// What a call of a rollout says otherwise than the record writes it.
#[derive(Debug, Default)]
pub struct Made {
    /// Its name, of several parts or without one of its own.
    pub name: Option<String>,
    /// Its input, which is the text of a string.
    pub input: Option<String>,
}

/// What a block of a rollout is; its type alone does not say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text of a message, or of a summary.
    Words,
    /// A payload that calls a tool.
    Call,
    /// A payload that holds a result.
    Result,
    /// An entry of which only the type is read.
    Other,
}
