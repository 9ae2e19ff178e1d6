//! The keys that are read from a record, and what each is.

use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::text::Raw;
use crate::record::{Flag, Str};

/// A key that is read from a record.
#[derive(Clone, Copy, Debug)]
pub enum Key {
    /// A text.
    Str(Str),
    /// A boolean.
    Flag(Flag),
    /// Anything else that every record may have.
    Other(usize),
    /// Read where the record turns out to be an event.
    Event(u8),
}

pub(super) const FIRST_FLAG: usize = Str::COUNT;
const FIRST_OTHER: usize = FIRST_FLAG + Flag::COUNT;
pub(super) const TIMESTAMP: usize = FIRST_OTHER;
pub(super) const API_BLOCK_INDEX: usize = FIRST_OTHER + 1;
pub(super) const API_ERROR_STATUS: usize = FIRST_OTHER + 2;
pub(super) const ORIGIN: usize = FIRST_OTHER + 3;
pub(super) const FORKED_FROM: usize = FIRST_OTHER + 4;
pub(super) const MCP_META: usize = FIRST_OTHER + 5;
pub(super) const MESSAGE: usize = FIRST_OTHER + 6;
pub(super) const TOOL_USE_RESULT: usize = FIRST_OTHER + 7;
pub(super) const ATTACHMENT: usize = FIRST_OTHER + 8;
pub(super) const DATA: usize = FIRST_OTHER + 9;
pub(super) const CONTENT: usize = FIRST_OTHER + 10;
pub(super) const PAYLOAD: usize = FIRST_OTHER + 11;

/// Texts that are another's in nearly every record.
const CHANGING: [Str; 9] = [
    Str::Uuid,
    Str::ParentUuid,
    Str::LogicalParentUuid,
    Str::RequestId,
    Str::PromptId,
    Str::LeafUuid,
    Str::SourceToolAssistantUuid,
    Str::SourceToolUseId,
    Str::InterruptedMessageId,
];

impl Key {
    /// Whether its value mostly stands for many records.
    pub(super) const fn stands(self) -> bool {
        match self {
            Self::Str(field) => {
                let mut index = 0;
                while index < CHANGING.len() {
                    if CHANGING[index] as usize == field as usize {
                        return false;
                    }
                    index += 1;
                }
                true
            }
            Self::Flag(_) => true,
            Self::Other(_) | Self::Event(_) => false,
        }
    }

    /// Its bit among the keys of any record; none where it has no number.
    pub(super) const fn bit(self) -> u64 {
        match self {
            Self::Str(field) => 1 << field as usize,
            Self::Flag(field) => 1 << (FIRST_FLAG + field as usize),
            Self::Other(key) => 1 << key,
            Self::Event(_) => 0,
        }
    }

    /// Its number among the keys of any record.
    pub(super) fn number(self) -> Option<usize> {
        match self {
            Self::Str(field) => Some(field as usize),
            Self::Flag(field) => Some(FIRST_FLAG + field as usize),
            Self::Other(key) => Some(key),
            Self::Event(_) => None,
        }
    }
}

/// What a [`Likeness`] stands for.
pub(super) const IN_COMMON: u64 = {
    use Key::{Flag as F, Str as S};
    let keys = [
        S(Str::Type),
        S(Str::SessionId),
        S(Str::SessionIdAlias),
        S(Str::Version),
        S(Str::Cwd),
        S(Str::GitBranch),
        S(Str::Entrypoint),
        S(Str::AgentId),
        F(Flag::IsApiErrorMessage),
    ];
    let (mut bits, mut index) = (0, 0);
    while index < keys.len() {
        bits |= keys[index].bit();
        index += 1;
    }
    bits
};

/// The keys that every record may have, and what they are.
const COMMON: [(&str, Key); 52] = {
    use Key::{Flag as F, Other as O, Str as S};
    [
        ("type", S(Str::Type)),
        ("subtype", S(Str::Subtype)),
        ("uuid", S(Str::Uuid)),
        ("parentUuid", S(Str::ParentUuid)),
        ("logicalParentUuid", S(Str::LogicalParentUuid)),
        ("sessionId", S(Str::SessionId)),
        ("session_id", S(Str::SessionIdAlias)),
        ("version", S(Str::Version)),
        ("cwd", S(Str::Cwd)),
        ("gitBranch", S(Str::GitBranch)),
        ("entrypoint", S(Str::Entrypoint)),
        ("userType", S(Str::UserType)),
        ("agentId", S(Str::AgentId)),
        ("role", S(Str::Role)),
        ("requestId", S(Str::RequestId)),
        ("effort", S(Str::Effort)),
        ("perTurnEffort", S(Str::PerTurnEffort)),
        ("promptId", S(Str::PromptId)),
        ("promptSource", S(Str::PromptSource)),
        ("permissionMode", S(Str::PermissionMode)),
        ("leafUuid", S(Str::LeafUuid)),
        ("sourceToolAssistantUUID", S(Str::SourceToolAssistantUuid)),
        ("sourceToolUseID", S(Str::SourceToolUseId)),
        ("interruptedMessageId", S(Str::InterruptedMessageId)),
        ("toolDenialKind", S(Str::ToolDenialKind)),
        ("attributionAgent", S(Str::AttributionAgent)),
        ("attributionSkill", S(Str::AttributionSkill)),
        ("attributionPlugin", S(Str::AttributionPlugin)),
        ("attributionMcpServer", S(Str::AttributionMcpServer)),
        ("attributionMcpTool", S(Str::AttributionMcpTool)),
        ("advisorModel", S(Str::AdvisorModel)),
        ("scheduledTaskId", S(Str::ScheduledTaskId)),
        ("slug", S(Str::Slug)),
        ("isSidechain", F(Flag::IsSidechain)),
        ("isMeta", F(Flag::IsMeta)),
        ("isCompactSummary", F(Flag::IsCompactSummary)),
        ("isVisibleInTranscriptOnly", F(Flag::IsVisibleInTranscriptOnly)),
        ("isApiErrorMessage", F(Flag::IsApiErrorMessage)),
        ("isAbortedMidStream", F(Flag::IsAbortedMidStream)),
        ("truncatedAfterOutput", F(Flag::TruncatedAfterOutput)),
        ("timestamp", O(TIMESTAMP)),
        ("apiBlockIndex", O(API_BLOCK_INDEX)),
        ("apiErrorStatus", O(API_ERROR_STATUS)),
        ("origin", O(ORIGIN)),
        ("forkedFrom", O(FORKED_FROM)),
        ("mcpMeta", O(MCP_META)),
        ("message", O(MESSAGE)),
        ("toolUseResult", O(TOOL_USE_RESULT)),
        ("attachment", O(ATTACHMENT)),
        ("data", O(DATA)),
        ("content", O(CONTENT)),
        ("payload", O(PAYLOAD)),
    ]
};

/// The keys that an event may have, `content` aside, by number.
pub(super) const OF_EVENTS: [&str; 25] = [
    "level",
    "operation",
    "queuePriority",
    "status",
    "durationMs",
    "retryAttempt",
    "hookCount",
    "retryInMs",
    "hookErrors",
    "parentToolUseID",
    "compactMetadata",
    "microcompactMetadata",
    "snapshot",
    "trackingPath",
    "backup",
    "totalCostUSD",
    "hasUnknownModelCost",
    "modelUsage",
    "customTitle",
    "title",
    "aiTitle",
    "summary",
    "label",
    "phase",
    "result",
];

const COUNT: usize = COMMON.len() + OF_EVENTS.len();

/// Those, and behind them the keys of events.
pub(super) const ALL: [(&str, Key); COUNT] = {
    let mut all = [("", Key::Event(0)); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = if number < COMMON.len() {
            COMMON[number]
        } else {
            let event = number - COMMON.len();
            (OF_EVENTS[event], Key::Event(event as u8))
        };
        number += 1;
    }
    all
};

pub(super) static KEYS: Keys<COUNT, 512> = {
    let mut names = [""; COUNT];
    let mut number = 0;
    while number < COUNT {
        names[number] = ALL[number].0;
        number += 1;
    }
    Keys::new(ObjectKind::Record, names)
};

/// The key of this name, if it is read.
pub(super) fn key(name: Raw<'_>) -> Option<Key> {
    KEYS.number(name).map(|number| ALL[number].1)
}
