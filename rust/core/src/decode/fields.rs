//! The fields of a record, by ruling 19.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64_with_seed};

use crate::decode::content::{bare, block, content};
use crate::decode::further::attachment::attachment;
use crate::decode::further::event::{self, Places};
use crate::decode::keys::{Guess, Keys, ObjectKind};
use crate::decode::members::{Members, number};
use crate::decode::message::message;
use crate::decode::repeats::{Reading, Repeat};
use crate::decode::rollout::rollout;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::decode::tool_use_result::tool_use_result;
use crate::record::further::{Attachment, Further, Progress};
use crate::record::{Content, Flag, Flaws, Inline, Kind, Likeness, Message, Record, Str};

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

const FIRST_FLAG: usize = Str::COUNT;
const FIRST_OTHER: usize = FIRST_FLAG + Flag::COUNT;
const TIMESTAMP: usize = FIRST_OTHER;
const API_BLOCK_INDEX: usize = FIRST_OTHER + 1;
const API_ERROR_STATUS: usize = FIRST_OTHER + 2;
const ORIGIN: usize = FIRST_OTHER + 3;
const FORKED_FROM: usize = FIRST_OTHER + 4;
const MCP_META: usize = FIRST_OTHER + 5;
const MESSAGE: usize = FIRST_OTHER + 6;
const TOOL_USE_RESULT: usize = FIRST_OTHER + 7;
const ATTACHMENT: usize = FIRST_OTHER + 8;
const DATA: usize = FIRST_OTHER + 9;
const CONTENT: usize = FIRST_OTHER + 10;
const PAYLOAD: usize = FIRST_OTHER + 11;

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
    const fn stands(self) -> bool {
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
    const fn bit(self) -> u64 {
        match self {
            Self::Str(field) => 1 << field as usize,
            Self::Flag(field) => 1 << (FIRST_FLAG + field as usize),
            Self::Other(key) => 1 << key,
            Self::Event(_) => 0,
        }
    }

    /// Its number among the keys of any record.
    fn number(self) -> Option<usize> {
        match self {
            Self::Str(field) => Some(field as usize),
            Self::Flag(field) => Some(FIRST_FLAG + field as usize),
            Self::Other(key) => Some(key),
            Self::Event(_) => None,
        }
    }
}

/// What a [`Likeness`] stands for.
const IN_COMMON: u64 = {
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

const COUNT: usize = COMMON.len() + event::NAMES.len();

/// Those, and behind them the keys of events.
const ALL: [(&str, Key); COUNT] = {
    let mut all = [("", Key::Event(0)); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = if number < COMMON.len() {
            COMMON[number]
        } else {
            let event = number - COMMON.len();
            (event::NAMES[event], Key::Event(event as u8))
        };
        number += 1;
    }
    all
};

static KEYS: Keys<COUNT, 512> = {
    let mut names = [""; COUNT];
    let mut number = 0;
    while number < COUNT {
        names[number] = ALL[number].0;
        number += 1;
    }
    Keys::new(ObjectKind::Record, names)
};

fn key(name: Raw<'_>) -> Option<Key> {
    KEYS.number(name).map(|number| ALL[number].1)
}

/// Whether a record stands on its own or inside a progress record's `data`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A record of the file.
    File,
    /// `data.message`: read without content, results and data.
    Inline,
}

type Span = (usize, usize);

/// What a record's members leave to be judged when all of them are known.
#[derive(Default)]
struct Pending<'a> {
    origin: Flaws,
    forked_from: Flaws,
    mcp_meta: Flaws,
    message_string: Option<Raw<'a>>,
    /// Where these values stand in the text, the last of each.
    message: Option<Span>,
    attachment: Option<Span>,
    /// What it says, where it is an object.
    attachment_read: Option<Flaws>,
    data: Option<Span>,
    content: Option<Span>,
    payload: Option<Span>,
    /// Keys that mean something where the record is an event.
    event: Places,
}

/// Reads the record whose `{` is at the cursor into `record`, which says
/// nothing yet: a record is large, and is not moved about.
pub fn record<'a>(scanner: &mut Scanner<'a>, place: Place, record: &mut Record<'a>) -> Step<()> {
    record.start = scanner.at;
    let mut members = Members::default();
    let mut pending = Pending::default();
    let lone_before = scanner.lone_surrogates;
    // A record inside another has its own order of keys, and few are there.
    let guesses = scanner.guesses().filter(|_| place == Place::File);
    let repeats = guesses.map(|guesses| &guesses.repeats);
    let mut likeness = repeats.map(|_| Likeness::default());
    scanner.enter()?;
    let mut key = Guess::START;
    let mut reading = Reading::behind(key, scanner);
    loop {
        let at_start = repeats.filter(|_| reading.is_empty(scanner));
        let passed = at_start.and_then(|repeats| {
            repeats.pass(key, scanner, |repeat, text| {
                take(repeat, text, record, &mut members);
                if repeat.keys & IN_COMMON != 0 {
                    likeness = likeness.and_then(|others| others.and(repeat.id));
                }
                repeat.next
            })
        });
        let (next, stands) = match passed {
            Some(next) => {
                if next.is_some() {
                    scanner.skip_space()
                } else {
                    scanner.leave()
                }
                (next, false)
            }
            None => {
                let next = scanner.key(&KEYS, key)?;
                let stands =
                    next.and_then(Guess::number).is_some_and(|number| ALL[number].1.stands());
                if let Some(repeats) = repeats.filter(|_| !stands) {
                    repeats.learn(&mut reading, scanner, next);
                }
                (next, stands)
            }
        };
        let Some(next) = next else { break };
        let start = scanner.at;
        let field = next.number().map(|number| ALL[number].1);
        if stands && field.is_some_and(|field| field.bit() & IN_COMMON != 0) {
            likeness = None;
        }
        match field {
            Some(Key::Str(field)) => {
                record.strings[field as usize] = members.string(scanner, field as usize)?;
            }
            Some(Key::Flag(field)) => {
                let key = FIRST_FLAG + field as usize;
                record.flags[field as usize] = members.boolean(scanner, key)?;
            }
            Some(Key::Other(key)) => {
                other(scanner, key, place, record, &mut members, &mut pending)?;
            }
            Some(Key::Event(key)) => {
                if place == Place::File {
                    pending.event.push((key, scanner.at));
                }
                scanner.skip()?;
            }
            None => scanner.skip()?,
        }
        let is_part =
            stands && field.is_some_and(|field| add(&mut reading, field, start, scanner, record));
        if !is_part {
            reading = Reading::behind(next, scanner);
        }
        key = next;
    }
    record.likeness = likeness;
    record.end = scanner.at;
    record.json = scanner.since(record.start);
    record.lone_surrogates = scanner.lone_surrogates - lone_before;
    finish(scanner, place, record, &mut members, &mut pending)
}

/// Takes over what a stretch says.
#[inline]
fn take<'a>(repeat: &Repeat<Key>, text: &'a str, record: &mut Record<'a>, members: &mut Members) {
    for (key, told) in &repeat.members {
        match key {
            Key::Str(field) => {
                let written = told.text().and_then(|place| text.get(place));
                record.strings[*field as usize] = written.map(|written| Raw::new(written, 0));
            }
            Key::Flag(field) => record.flags[*field as usize] = told.bool(),
            Key::Other(_) | Key::Event(_) => {}
        }
    }
    members.note_all(repeat.keys);
}

/// Adds the member whose value was read last to a stretch, where its bytes tell what
/// it says.
fn add(
    reading: &mut Reading<Key>,
    key: Key,
    start: usize,
    scanner: &Scanner<'_>,
    record: &Record<'_>,
) -> bool {
    let told = match key {
        Key::Str(field) => record.strings[field as usize].map(|raw| raw.is_plain()),
        Key::Flag(field) => record.flags[field as usize].map(|_| true),
        Key::Other(_) | Key::Event(_) => Some(false),
    };
    // What is neither there nor null is of the wrong type.
    let told = told.unwrap_or_else(|| scanner.since(start) == "null");
    told && reading.add(key, key.bit(), start, scanner)
}

fn other<'a>(
    scanner: &mut Scanner<'a>,
    key: usize,
    place: Place,
    record: &mut Record<'a>,
    members: &mut Members,
    pending: &mut Pending<'a>,
) -> Step<()> {
    let start = scanner.at;
    match key {
        TIMESTAMP => record.timestamp = members.timestamp(scanner, key)?,
        API_BLOCK_INDEX => record.api_block_index = members.integer(scanner, key)?,
        API_ERROR_STATUS => record.api_error_status = members.integer(scanner, key)?,
        ORIGIN => {
            let read = members.object(scanner, key, |scanner| strings(scanner, ["kind"]))?;
            let ([kind], flaws) = read.unwrap_or_default();
            (record.origin_kind, pending.origin) = (kind, flaws);
        }
        FORKED_FROM => {
            let names = ["sessionId", "messageUuid"];
            let read = members.object(scanner, key, |scanner| strings(scanner, names))?;
            record.is_fork = read.is_some();
            let ([session, uuid], flaws) = read.unwrap_or_default();
            record.forked_from_session_id = session;
            record.forked_from_message_uuid = uuid;
            pending.forked_from = flaws;
        }
        MESSAGE => {
            let mut bad = false;
            pending.message_string = None;
            record.message = None;
            match scanner.peek() {
                Some(b'{') => {
                    let read = record.message.insert(Message::default());
                    message(scanner, place == Place::File, read)?;
                }
                _ => match scanner.value()? {
                    Value::String(raw) => pending.message_string = Some(raw),
                    Value::Null => {}
                    _ => bad = true,
                },
            }
            pending.message = Some((start, scanner.at));
            members.note(key);
            if bad {
                members.mark_bad(key);
            }
        }
        MCP_META if place == Place::File => {
            let read = members.object(scanner, key, structured_content)?;
            record.has_structured_content = read.map(|(has, _)| has);
            pending.mcp_meta = read.map_or(Flaws::default(), |(_, flaws)| flaws);
        }
        TOOL_USE_RESULT if place == Place::File => {
            record.tool_use_result = tool_use_result(scanner)?;
            members.note(key);
        }
        // Whether the rest is read depends on members that may come later.
        ATTACHMENT if place == Place::File && scanner.peek() == Some(b'{') => {
            record.further = Further::Attachment(Attachment::default());
            if let Further::Attachment(read) = &mut record.further {
                pending.attachment_read = Some(attachment(scanner, read)?);
            }
            members.note(key);
            pending.attachment = Some((start, scanner.at));
        }
        ATTACHMENT | DATA | CONTENT | PAYLOAD if place == Place::File => {
            members.anything(scanner, key)?;
            let span = Some((start, scanner.at));
            match key {
                ATTACHMENT => (pending.attachment, pending.attachment_read) = (span, None),
                DATA => pending.data = span,
                PAYLOAD => pending.payload = span,
                _ => pending.content = span,
            }
        }
        _ => scanner.skip()?,
    }
    Ok(())
}

/// Reads the named string members of an object.
pub(super) fn strings<'a, const N: usize>(
    scanner: &mut Scanner<'a>,
    names: [&str; N],
) -> Step<([Option<Raw<'a>>; N], Flaws)>
where
    [Option<Raw<'a>>; N]: Default,
{
    let start = scanner.at;
    let mut members = Members::default();
    let mut values: [Option<Raw<'a>>; N] = Default::default();
    scanner.object(|scanner, key| {
        match names.iter().position(|name| key.is(name)) {
            Some(index) => values[index] = members.string(scanner, index)?,
            None => scanner.skip()?,
        }
        Ok(())
    })?;
    Ok((values, members.flaws(u64::MAX, scanner.since(start), number(names))))
}

fn structured_content(scanner: &mut Scanner<'_>) -> Step<(bool, Flaws)> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut has = false;
    scanner.object(|scanner, key| {
        if key.is("structuredContent") {
            has = members.anything(scanner, 0)?;
            return Ok(());
        }
        scanner.skip()
    })?;
    let keys = ["structuredContent"];
    Ok((has, members.flaws(u64::MAX, scanner.since(start), number(keys))))
}

fn finish<'a>(
    scanner: &mut Scanner<'a>,
    place: Place,
    record: &mut Record<'a>,
    members: &mut Members,
    pending: &mut Pending<'a>,
) -> Step<()> {
    record.kind = Kind::of(record.string(Str::Type));
    let mut read = !(1 << DATA | 1 << CONTENT | 1 << PAYLOAD);
    let mut flaws = Flaws::default();
    if place == Place::Inline {
        read &= !(1 << MCP_META | 1 << TOOL_USE_RESULT | 1 << ATTACHMENT);
    } else {
        if record.kind == Kind::Progress {
            read |= 1 << DATA;
            if let Some((start, end)) = pending.data {
                flaws += data(scanner, start, end, record, members)?;
            }
        }
        // An attachment's own content means nothing.
        if record.is_message() || record.kind != Kind::Attachment {
            read |= 1 << CONTENT;
        }
        flaws += place_content(scanner, record, members, pending)?;
        flaws += further(scanner, record, pending)?;
        flaws += record.tool_use_result.flaws;
        record.payload = payload(scanner, record, pending)?;
        // Behind all else: what the envelope says goes before what the payload does.
        if let Some(span) = pending.payload
            && let Some(found) = rollout(scanner, span, record)?
        {
            read |= 1 << PAYLOAD;
            flaws += found;
            // Its payload says some of it.
            record.likeness = None;
        }
    }
    flaws += pending.origin;
    flaws += pending.forked_from;
    flaws += pending.mcp_meta;
    flaws += record.message.as_ref().map_or(Flaws::default(), |message| message.flaws);
    let object = scanner.between(record.start, record.end);
    flaws += members.flaws(read, object, |name| key(name)?.number());
    let ids = (record.string(Str::SessionId), record.string(Str::SessionIdAlias));
    if let (Some(first), Some(second)) = ids {
        flaws.bad_values += u32::from(first.text() != second.text());
    }
    record.flaws = flaws;
    Ok(())
}

/// Reads what a record says that is no message (ruling 39).
fn further<'a>(
    scanner: &Scanner<'a>,
    record: &mut Record<'a>,
    pending: &mut Pending<'a>,
) -> Step<Flaws> {
    if record.kind == Kind::Attachment {
        if pending.attachment_read.is_none() {
            record.further = Further::Attachment(Attachment::default());
        }
        if let Further::Attachment(attachment) = &mut record.further {
            let json = pending.attachment.map(|(start, end)| scanner.between(start, end));
            attachment.json = json.filter(|json| *json != "null");
        }
        return Ok(pending.attachment_read.unwrap_or_default());
    }
    record.further = Further::None;
    if record.is_message() {
        return Ok(Flaws::default());
    }
    let (mut event, flaws) = event::event(scanner, record, &pending.event)?;
    if let Some((start, end)) = pending.content
        && let Value::String(raw) = scanner.within(start, end).value()?
    {
        event.content = Some(raw);
    }
    record.further = Further::Event(event);
    Ok(flaws)
}

/// Finds the content by ruling 20 and gives its flaws.
fn place_content<'a>(
    scanner: &Scanner<'a>,
    record: &mut Record<'a>,
    members: &mut Members,
    pending: &Pending<'a>,
) -> Step<Flaws> {
    let own = match pending.content {
        Some((start, end)) if record.is_message() => {
            let mut inner = scanner.within(start, end);
            let (own, bad) = content(&mut inner, block)?;
            if bad {
                members.mark_bad(CONTENT);
            }
            own
        }
        _ => None,
    };
    let of_message = record.message.as_mut().and_then(|message| message.content.take());
    let found: Option<Content<'a>> = of_message.or(pending.message_string.map(bare)).or(own);
    let flaws = found.as_ref().map_or(Flaws::default(), |found| found.flaws);
    record.content = found;
    Ok(flaws)
}

const DATA_KEYS: [&str; 4] = ["type", "agentId", "message", "status"];

/// Reads `data` of a progress record; what is inside an `agent_progress` is a
/// record of its own.
fn data<'a>(
    scanner: &Scanner<'a>,
    start: usize,
    end: usize,
    record: &mut Record<'a>,
    members: &mut Members,
) -> Step<Flaws> {
    let mut inner = scanner.within(start, end);
    if inner.peek() != Some(b'{') {
        if !matches!(inner.value()?, Value::Null) {
            members.mark_bad(DATA);
        }
        return Ok(Flaws::default());
    }
    let mut own = Members::default();
    let mut progress = Progress::default();
    let mut message = None;
    inner.object(|inner, key| {
        match &*key.text() {
            "type" => progress.kind = own.string(inner, 0)?,
            "agentId" => progress.agent_id = own.string(inner, 1)?,
            "message" => {
                let start = inner.at;
                own.anything(inner, 2)?;
                message = Some((start, inner.at));
            }
            "status" => progress.status = own.string(inner, 3)?,
            _ => inner.skip()?,
        }
        Ok(())
    })?;
    let progress = record.progress.insert(progress);
    if !progress.kind.is_some_and(|kind| kind.is("agent_progress")) {
        return Ok(own.flaws(0b1011, inner.since(start), number(DATA_KEYS)));
    }
    let mut flaws = Flaws::default();
    let object = inner.since(start);
    if let Some((start, end)) = message {
        let mut inner = scanner.within(start, end);
        if inner.peek() == Some(b'{') {
            let mut inside = Box::new(Record::at(start));
            self::record(&mut inner, Place::Inline, &mut inside)?;
            progress.inline_timestamp = inside.timestamp;
            let is_carrier = inside.is_assistant()
                && inside.message.as_ref().is_some_and(|message| message.usage.is_some());
            if is_carrier {
                flaws = inside.flaws;
                record.inline = Some(Inline { agent_id: progress.agent_id, record: inside });
            }
        } else if !matches!(inner.value()?, Value::Null) {
            own.mark_bad(2);
        }
    }
    flaws += own.flaws(0b1111, object, number(DATA_KEYS));
    Ok(flaws)
}

/// Members that two copies of one record may differ in.
const NOT_PAYLOAD: [&str; 8] =
    ["uuid", "parentUuid", "timestamp", "version", "gitBranch", "cwd", "promptId", "slug"];

/// Hash of the payload (ruling 23). It only ever tells records of one uuid
/// apart, so 64 bits are ample.
fn payload<'a>(scanner: &Scanner<'a>, record: &Record<'a>, pending: &Pending<'a>) -> Step<u64> {
    if record.string(Str::Uuid).is_none_or(|uuid| uuid.is_empty()) {
        return Ok(0);
    }
    let whole = [pending.message, pending.attachment].into_iter().zip(0..);
    for (span, seed) in whole {
        let json = span.map_or("null", |(start, end)| scanner.between(start, end));
        if json != "null" {
            return Ok(xxh3_64_with_seed(json.as_bytes(), seed));
        }
    }
    let mut hash = Xxh3Default::new();
    let mut inner = scanner.within(record.start, record.end);
    inner.object(|inner, key| {
        let start = inner.at;
        inner.skip()?;
        if !NOT_PAYLOAD.contains(&&*key.text()) {
            let value = inner.since(start);
            hash.update(&(key.written().len() as u64).to_le_bytes());
            hash.update(key.written().as_bytes());
            hash.update(&(value.len() as u64).to_le_bytes());
            hash.update(value.as_bytes());
        }
        Ok(())
    })?;
    Ok(hash.digest())
}
