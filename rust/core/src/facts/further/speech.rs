//! Who spoke, and what sessions are called.

use std::ops::Range;

use crate::facts::Identity;
use crate::strings::Symbol;

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
    /// Number of its text, uncut, in [`crate::facts::Facts::words`].
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
    /// [`crate::facts::Facts::words`].
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
    /// Number of the title, trimmed and not blank, in [`crate::facts::Facts::words`].
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
