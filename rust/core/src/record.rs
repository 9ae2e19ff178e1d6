//! A record as one line holds it: borrowed from the line, nothing judged yet.

pub mod further;
pub mod rollout;

use std::borrow::Cow;

use crate::decode::text::Raw;
use further::{CallInput, Further, Launched, Progress};
use rollout::{Made, Part, Rollout};

/// The string fields of a record, in the order of [`Record::strings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Str {
    Type,
    Subtype,
    Uuid,
    ParentUuid,
    LogicalParentUuid,
    SessionId,
    SessionIdAlias,
    Version,
    Cwd,
    GitBranch,
    Entrypoint,
    UserType,
    AgentId,
    Role,
    RequestId,
    Effort,
    PerTurnEffort,
    PromptId,
    PromptSource,
    PermissionMode,
    LeafUuid,
    SourceToolAssistantUuid,
    SourceToolUseId,
    InterruptedMessageId,
    ToolDenialKind,
    AttributionAgent,
    AttributionSkill,
    AttributionPlugin,
    AttributionMcpServer,
    AttributionMcpTool,
    AdvisorModel,
    ScheduledTaskId,
    Slug,
}

impl Str {
    /// How many there are.
    pub const COUNT: usize = Self::Slug as usize + 1;

    /// The attribution fields, in the order of the tables that have them.
    pub const ATTRIBUTION: [Self; 5] = [
        Self::AttributionAgent,
        Self::AttributionSkill,
        Self::AttributionPlugin,
        Self::AttributionMcpServer,
        Self::AttributionMcpTool,
    ];
}

/// The boolean fields of a record, in the order of [`Record::flags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Flag {
    IsSidechain,
    IsMeta,
    IsCompactSummary,
    IsVisibleInTranscriptOnly,
    IsApiErrorMessage,
    IsAbortedMidStream,
    TruncatedAfterOutput,
}

impl Flag {
    /// How many there are.
    pub const COUNT: usize = Self::TruncatedAfterOutput as usize + 1;
}

/// The types of records that a scan tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    User,
    Assistant,
    Attachment,
    Progress,
    SessionMeta,
    /// `started` or `result`.
    OfJournal,
    /// Another type.
    Other,
    /// It has none.
    #[default]
    Untyped,
}

impl Kind {
    /// The kind of this type.
    pub fn of(name: Option<Raw<'_>>) -> Self {
        let Some(name) = name else { return Self::Untyped };
        match &*name.text() {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "attachment" => Self::Attachment,
            "progress" => Self::Progress,
            "session_meta" => Self::SessionMeta,
            "started" | "result" => Self::OfJournal,
            _ => Self::Other,
        }
    }
}

/// How many findings of two kinds an object holds (rulings 16, 18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// Values of the wrong type.
    pub bad_values: u32,
    /// Keys that stand twice with different values.
    pub duplicate_keys: u32,
}

impl std::ops::AddAssign for Flaws {
    fn add_assign(&mut self, other: Self) {
        self.bad_values += other.bad_values;
        self.duplicate_keys += other.duplicate_keys;
    }
}

/// A record of a transcript, fields read by ruling 19.
#[derive(Debug)]
pub struct Record<'a> {
    /// Offset of its `{` in the line's text.
    pub start: usize,
    /// Offset behind its `}`.
    pub end: usize,
    /// Its text.
    pub json: &'a str,
    /// Of which kind its type is.
    pub kind: Kind,
    /// By [`Str`].
    pub strings: [Option<Raw<'a>>; Str::COUNT],
    /// By [`Flag`].
    pub flags: [Option<bool>; Flag::COUNT],
    /// `timestamp` in microseconds since the epoch.
    pub timestamp: Option<i64>,
    /// `apiBlockIndex`
    pub api_block_index: Option<i64>,
    /// `apiErrorStatus`
    pub api_error_status: Option<i64>,
    /// `origin.kind`
    pub origin_kind: Option<Raw<'a>>,
    /// Whether it has `forkedFrom`.
    pub is_fork: bool,
    /// `forkedFrom.sessionId`
    pub forked_from_session_id: Option<Raw<'a>>,
    /// `forkedFrom.messageUuid`
    pub forked_from_message_uuid: Option<Raw<'a>>,
    /// Whether `mcpMeta` has `structuredContent`; none without `mcpMeta`.
    pub has_structured_content: Option<bool>,
    /// `message` where it is an object.
    pub message: Option<Message<'a>>,
    /// Content, wherever this record keeps it (ruling 20).
    pub content: Option<Content<'a>>,
    /// `toolUseResult`
    pub tool_use_result: ToolUseResult<'a>,
    /// The record inside an `agent_progress` record, where it carries usage.
    pub inline: Option<Inline<'a>>,
    /// `data` of a progress record.
    pub progress: Option<Progress<'a>>,
    /// What it says besides, where it is no message.
    pub further: Further<'a>,
    /// What it says besides, where it is one of a rollout.
    pub rollout: Option<Box<Rollout<'a>>>,
    /// Hash of what makes two records with one uuid the same (ruling 23).
    pub payload: u64,
    /// Flaws in all that was read, lost objects left out.
    pub flaws: Flaws,
    /// Unpaired surrogate escapes in any of its strings.
    pub lone_surrogates: u32,
    /// Where all that it has in common with others was read before.
    pub likeness: Option<Likeness>,
}

/// The stretches of text from which a record has type, session, agent, version, folder,
/// branch, entrypoint and whether it is an error of the API: records of one likeness
/// have the same of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Likeness(u128);

impl Likeness {
    /// Bits that tell one stretch.
    const BITS: u32 = 24;

    /// With one stretch more, whose number is not 0, if there is room to tell it.
    #[inline]
    #[must_use]
    pub fn and(self, stretch: u32) -> Option<Self> {
        let has_room = self.0 >> (u128::BITS - Self::BITS) == 0 && stretch >> Self::BITS == 0;
        has_room.then_some(Self(self.0 << Self::BITS | u128::from(stretch)))
    }

    /// A number that differs between most likenesses.
    #[inline]
    pub fn hint(self) -> usize {
        let bits = self.0 as u64 ^ (self.0 >> u64::BITS) as u64;
        (bits ^ bits >> Self::BITS) as usize
    }
}

impl<'a> Record<'a> {
    /// A record that begins at `start` and says nothing yet.
    pub fn at(start: usize) -> Self {
        Self {
            start,
            end: start,
            json: "",
            kind: Kind::default(),
            strings: [None; Str::COUNT],
            flags: [None; Flag::COUNT],
            timestamp: None,
            api_block_index: None,
            api_error_status: None,
            origin_kind: None,
            is_fork: false,
            forked_from_session_id: None,
            forked_from_message_uuid: None,
            has_structured_content: None,
            message: None,
            content: None,
            tool_use_result: ToolUseResult::default(),
            inline: None,
            progress: None,
            further: Further::None,
            rollout: None,
            payload: 0,
            flaws: Flaws::default(),
            lone_surrogates: 0,
            likeness: None,
        }
    }

    /// A string field.
    #[inline]
    pub fn string(&self, field: Str) -> Option<Raw<'a>> {
        self.strings[field as usize]
    }

    /// A boolean field.
    #[inline]
    pub fn flag(&self, field: Flag) -> Option<bool> {
        self.flags[field as usize]
    }

    /// `sessionId`, else `session_id`.
    pub fn session_id(&self) -> Option<Raw<'a>> {
        self.string(Str::SessionId).or(self.string(Str::SessionIdAlias))
    }

    /// `role`, else `message.role`.
    pub fn role(&self) -> Option<Raw<'a>> {
        self.string(Str::Role).or(self.message.as_ref().and_then(|message| message.role))
    }

    /// Its content blocks.
    pub fn blocks(&self) -> &[Block<'a>] {
        self.content.as_ref().map_or(&[], |content| &content.blocks)
    }

    /// Whether its type is `name`.
    pub fn is_type(&self, name: &str) -> bool {
        self.string(Str::Type).is_some_and(|text| text.is(name))
    }

    /// Whether an assistant wrote it (ruling 24).
    pub fn is_assistant(&self) -> bool {
        match self.kind {
            Kind::Untyped => self.role().is_some_and(|role| role.is("assistant")),
            kind => kind == Kind::Assistant,
        }
    }

    /// Whether a user's side wrote it (ruling 51).
    pub fn is_user(&self) -> bool {
        match self.kind {
            Kind::Untyped => self.role().is_some_and(|role| role.is("user")),
            kind => kind == Kind::User,
        }
    }

    /// Whether it may hold content at its top (ruling 20).
    pub fn is_message(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Assistant) || self.string(Str::Role).is_some()
    }
}

/// `message` of a record.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Message<'a> {
    pub id: Option<Raw<'a>>,
    pub role: Option<Raw<'a>>,
    pub model: Option<Raw<'a>>,
    pub stop_reason: Option<Raw<'a>>,
    /// Where `content` was neither null nor absent.
    pub content: Option<Content<'a>>,
    pub usage: Option<Usage<'a>>,
    pub cache_miss_type: Option<Raw<'a>>,
    pub cache_missed_input_tokens: Option<i64>,
    pub flaws: Flaws,
}

/// The counts of a usage object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Counts {
    pub input: Option<i64>,
    pub output: Option<i64>,
    pub cache_creation: Option<i64>,
    pub cache_read: Option<i64>,
    pub cache_creation_5m: Option<i64>,
    pub cache_creation_1h: Option<i64>,
    pub thinking: Option<i64>,
}

impl Counts {
    /// How many there are.
    const LEN: usize = 7;

    /// The count of a number below [`LEN`](Self::LEN).
    #[inline]
    pub fn slot(&mut self, number: usize) -> &mut Option<i64> {
        match number {
            0 => &mut self.input,
            1 => &mut self.output,
            2 => &mut self.cache_creation,
            3 => &mut self.cache_read,
            4 => &mut self.cache_creation_5m,
            5 => &mut self.cache_creation_1h,
            _ => &mut self.thinking,
        }
    }

    /// All of them, by number.
    pub fn slots(mut self) -> [Option<i64>; Self::LEN] {
        std::array::from_fn(|number| *self.slot(number))
    }

    /// Flat cache creation minus its 5m and 1h parts; a missing part counts 0.
    /// Counts are not negative, so two of them subtract without overflow.
    pub fn cache_creation_unattributed(&self) -> Option<i64> {
        let rest = self.cache_creation? - self.cache_creation_5m.unwrap_or(0);
        rest.checked_sub(self.cache_creation_1h.unwrap_or(0))
    }

    /// The token columns in the schema's order.
    pub fn columns(&self) -> [Option<i64>; 8] {
        [
            self.input,
            self.output,
            self.cache_creation,
            self.cache_read,
            self.cache_creation_5m,
            self.cache_creation_1h,
            self.cache_creation_unattributed(),
            self.thinking,
        ]
    }
}

/// `message.usage`.
#[derive(Debug, Default)]
pub struct Usage<'a> {
    /// Its counts.
    pub counts: Counts,
    /// Entries of `iterations` that are objects.
    pub iterations: Vec<Iteration<'a>>,
    /// Flaws in it and below.
    pub flaws: Flaws,
}

/// An entry of `usage.iterations`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Iteration<'a> {
    pub index: u32,
    pub kind: Option<Raw<'a>>,
    pub model: Option<Raw<'a>>,
    pub counts: Counts,
}

/// The content of a record.
#[derive(Debug, Default)]
pub struct Content<'a> {
    /// Blocks that are objects or strings.
    pub blocks: Vec<Block<'a>>,
    /// Entries, those that are no block included.
    pub entries: u32,
    /// Flaws in it and below.
    pub flaws: Flaws,
}

/// A content block; which fields mean something depends on its type.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Block<'a> {
    pub index: u32,
    /// None where the block is a bare string (then it is text).
    pub kind: Option<Raw<'a>>,
    pub is_bare: bool,
    pub text: Option<Raw<'a>>,
    pub thinking: Option<Raw<'a>>,
    pub has_signature: bool,
    pub id: Option<Raw<'a>>,
    pub name: Option<Raw<'a>>,
    pub tool_use_id: Option<Raw<'a>>,
    pub tool_name: Option<Raw<'a>>,
    pub is_error: Option<bool>,
    /// JSON text of `input`.
    pub input: Option<&'a str>,
    /// What is not written as it is meant.
    pub made: Option<Box<Made>>,
    pub file_path: Option<Raw<'a>>,
    pub notebook_path: Option<Raw<'a>>,
    pub command: Option<Raw<'a>>,
    /// Of a call that starts an agent or a skill.
    pub names: Option<Box<CallInput<'a>>>,
    pub result: ResultContent<'a>,
    pub media_type: Option<Raw<'a>>,
    pub media_bytes: Option<i64>,
    /// What it is, where it is a block of a rollout.
    pub of_rollout: Option<Part>,
}

impl<'a> Block<'a> {
    /// Its text, where it is a block of text.
    pub fn words(&self) -> Option<Raw<'a>> {
        self.text.filter(|_| self.is_bare || self.kind.is_some_and(|kind| kind.is("text")))
    }
}

impl Block<'_> {
    /// The name of a call, where it is put together.
    pub fn made_name(&self) -> Option<&str> {
        self.made.as_deref()?.name.as_deref()
    }

    /// The JSON text of the input of a call.
    pub fn input_json(&self) -> Option<&str> {
        self.made.as_deref().and_then(|made| made.input.as_deref()).or(self.input)
    }

    /// Whether it calls a tool (ruling 28).
    pub fn is_call(&self) -> bool {
        if let Some(part) = self.of_rollout {
            return part == Part::Call;
        }
        self.kind.is_some_and(|kind| kind.is("tool_use") || kind.text().ends_with("_tool_use"))
    }

    /// The tool that it calls.
    pub fn called(&self) -> Option<Cow<'_, str>> {
        let written = || self.name.map(|name| name.text());
        self.made_name().map(Cow::Borrowed).or_else(written)
    }

    /// Whether it calls a tool that the API itself runs.
    pub fn is_server_call(&self) -> bool {
        let is_server = self.is_call() && !self.kind.is_some_and(|kind| kind.is("tool_use"));
        is_server && self.of_rollout.is_none()
    }

    /// Whether it is a tool's result (ruling 28).
    pub fn is_result(&self) -> bool {
        if let Some(part) = self.of_rollout {
            return part == Part::Result;
        }
        self.kind
            .is_some_and(|kind| kind.is("tool_result") || kind.text().ends_with("_tool_result"))
    }
}

/// What a result's content is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ResultKind {
    String,
    Blocks,
    #[default]
    Absent,
}

impl ResultKind {
    /// Its word in the vocabulary `result_kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Blocks => "blocks",
            Self::Absent => "absent",
        }
    }
}

/// Whose types the entries of a result's content have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entries {
    /// Those of messages.
    #[default]
    OfMessages,
    /// Also those of rollouts.
    OfRollout,
}

/// `content` of a result block, summed up (ruling 21).
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultContent<'a> {
    /// What it is.
    pub kind: ResultKind,
    /// Characters of its text.
    pub chars: i64,
    /// Image entries.
    pub images: i64,
    /// `type` where it is an object.
    pub content_type: Option<Raw<'a>>,
    /// Its JSON text.
    pub json: &'a str,
    /// It, where it is a string.
    pub string: Option<Raw<'a>>,
    /// Whose types its entries have.
    pub entries: Entries,
}

/// What `toolUseResult` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Carrier {
    Object,
    String,
    JsonString,
    Array,
    Other,
    #[default]
    Absent,
}

impl Carrier {
    /// Its word in the vocabulary `carrier`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::String => "string",
            Self::JsonString => "json_string",
            Self::Array => "array",
            Self::Other => "other",
            Self::Absent => "absent",
        }
    }
}

/// `toolUseResult`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct ToolUseResult<'a> {
    pub carrier: Carrier,
    pub status: Option<Raw<'a>>,
    pub agent_id: Option<Raw<'a>>,
    pub resolved_model: Option<Raw<'a>>,
    pub background_task_id: Option<Raw<'a>>,
    pub persisted_output_path: Option<Raw<'a>>,
    pub persisted_output_size: Option<i64>,
    pub stdout_chars: Option<i64>,
    pub stderr_chars: Option<i64>,
    pub interrupted: Option<bool>,
    pub exit_code: Option<i64>,
    pub return_code: Option<i64>,
    pub timed_out_after_ms: Option<i64>,
    pub git_operation: Option<String>,
    /// Where it says any of that.
    pub launched: Option<Box<Launched<'a>>>,
    pub flaws: Flaws,
}

/// `data` of an `agent_progress` record: a subagent's record inside its parent.
#[derive(Debug)]
pub struct Inline<'a> {
    /// `data.agentId`
    pub agent_id: Option<Raw<'a>>,
    /// `data.message`
    pub record: Box<Record<'a>>,
}
