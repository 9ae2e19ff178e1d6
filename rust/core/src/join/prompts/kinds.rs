//! What candidates for words of a person turn out to be, and by what.

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Prompt,
    Command,
    Injected,
    Paste,
    Echo,
    Interruption,
    Notification,
    CompactSummary,
    Meta,
    Sidechain,
}

impl Kind {
    /// Its word in the vocabulary `prompt_kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Command => "command",
            Self::Injected => "injected",
            Self::Paste => "paste",
            Self::Echo => "echo",
            Self::Interruption => "interruption",
            Self::Notification => "notification",
            Self::CompactSummary => "compact_summary",
            Self::Meta => "meta",
            Self::Sidechain => "sidechain",
        }
    }
}

/// What decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    IsSidechain,
    IsCompactSummary,
    Continuation,
    Origin,
    Tag,
    Marker,
    IsMeta,
    PromptSource,
    Slash,
    KnownBlock,
    TailCut,
    Equal,
    Contained,
    Ascii,
    Lines,
}

impl Reason {
    /// Its word in the vocabulary `prompt_reason`.
    pub fn name(self) -> &'static str {
        match self {
            Self::IsSidechain => "isSidechain",
            Self::IsCompactSummary => "isCompactSummary",
            Self::Continuation => "continuation",
            Self::Origin => "origin",
            Self::Tag => "tag",
            Self::Marker => "marker",
            Self::IsMeta => "isMeta",
            Self::PromptSource => "promptSource",
            Self::Slash => "slash",
            Self::KnownBlock => "known_block",
            Self::TailCut => "tail_cut",
            Self::Equal => "equal",
            Self::Contained => "contained",
            Self::Ascii => "ascii",
            Self::Lines => "lines",
        }
    }
}
