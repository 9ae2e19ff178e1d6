//! The fields of a record, by ruling 19.

use crate::decode::content::{bare, block, content};
use crate::decode::further::attachment::attachment;
use crate::decode::further::event::{self, Places};
use crate::decode::keys::Guess;
use crate::decode::members::{Members, number};
use crate::decode::message::message;
use crate::decode::payload::payload;
use crate::decode::progress::data;
use crate::decode::record_keys::{
    ALL, API_BLOCK_INDEX, API_ERROR_STATUS, ATTACHMENT, CONTENT, DATA, FIRST_FLAG, FORKED_FROM,
    IN_COMMON, KEYS, Key, MCP_META, MESSAGE, ORIGIN, PAYLOAD, TIMESTAMP, TOOL_USE_RESULT, key,
};
use crate::decode::repeats::{Reading, Repeat};
use crate::decode::rollout::rollout;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::decode::tool_use_result::tool_use_result;
use crate::record::further::{Attachment, Further};
use crate::record::{Content, Flaws, Kind, Likeness, Message, Record, Str};

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
    let mut reading = Reading::behind(key, scanner.at);
    loop {
        let at_start = repeats.filter(|_| reading.start == scanner.at);
        let passed = at_start.and_then(|repeats| {
            repeats.find(key, scanner.ahead(), |repeat| {
                let text = scanner.pass(repeat.length(), repeat.quotes);
                take(repeat, text, record, &mut members);
                if repeat.keys & IN_COMMON != 0 {
                    likeness = likeness.and_then(|others| others.and(repeat.id));
                }
                repeat.next
            })
        });
        let (next, stands) = if let Some(next) = passed {
            match next {
                Some(_) => scanner.skip_space(),
                None => scanner.leave(),
            }
            (next, false)
        } else {
            let next = scanner.key(&KEYS, key)?;
            let stands = next.and_then(Guess::number).is_some_and(|number| ALL[number].1.stands());
            if let Some(repeats) = repeats.filter(|_| !stands) {
                let text = scanner.since(reading.start);
                repeats.learn(&mut reading, text, next);
            }
            (next, stands)
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
            reading = Reading::behind(next, scanner.at);
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
fn take<'a>(repeat: &Repeat, text: &'a str, record: &mut Record<'a>, members: &mut Members) {
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
    reading: &mut Reading,
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
    told && reading.add(key, start, scanner.since(start))
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
        record.payload = payload(scanner, record, [pending.message, pending.attachment])?;
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
