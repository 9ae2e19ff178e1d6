//! Records that are neither message nor attachment.

use crate::decode::further::boundary::boundary;
use crate::decode::further::maps::{backup, model_usage, snapshot};
use crate::decode::further::{bits, entries};
use crate::decode::json_type::JsonType;
use crate::decode::members::{Members, number};
use crate::decode::record_keys::OF_EVENTS;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::{Raw, code_points};
use crate::record::further::{Boundary, Costs, Detail, Event, Journal, Tracked};
use crate::record::{Flaws, Record, Str};

const PARENT_TOOL_USE: usize = 9;
const COMPACT: usize = 10;
const MICROCOMPACT: usize = 11;
const SNAPSHOT: usize = 12;
const TRACKING_PATH: usize = 13;
const BACKUP: usize = 14;
const TOTAL_COST: usize = 15;
const UNKNOWN_COST: usize = 16;
const MODEL_USAGE: usize = 17;
const CUSTOM_TITLE: usize = 18;
const TITLE: usize = 19;
const AI_TITLE: usize = 20;
const SUMMARY: usize = 21;
const LABEL: usize = 22;
const PHASE: usize = 23;
const RESULT: usize = 24;

/// Keys that every event may have.
const COMMON: u64 = (1 << PARENT_TOOL_USE) - 1;

/// The keys that are read from a record of this type.
fn keys_read(record: &Record<'_>) -> u64 {
    let kind = record.string(Str::Type).map(|kind| kind.text());
    let own: &[usize] = match kind.as_deref() {
        Some("progress") => &[PARENT_TOOL_USE],
        Some("system") => match record.string(Str::Subtype).map(|kind| kind.text()).as_deref() {
            Some("compact_boundary") => &[COMPACT],
            Some("microcompact_boundary") => &[MICROCOMPACT],
            _ => &[],
        },
        Some("file-history-snapshot") => &[SNAPSHOT],
        Some("file-history-delta") => &[TRACKING_PATH, BACKUP],
        Some("cost-state") => &[TOTAL_COST, UNKNOWN_COST, MODEL_USAGE],
        Some("custom-title") => &[CUSTOM_TITLE, TITLE],
        Some("ai-title") => &[AI_TITLE, TITLE],
        Some("summary") => &[SUMMARY],
        Some("started" | "result") => &[LABEL, PHASE, RESULT],
        _ => &[],
    };
    COMMON | bits(own)
}

/// What the members of an event give, before its type says what they mean.
#[derive(Default)]
struct Found<'a> {
    boundary: Option<(Boundary<'a>, Flaws)>,
    tracked: Option<(Vec<Tracked<'a>>, Flaws)>,
    tracking_path: Option<Raw<'a>>,
    costs: Costs<'a>,
    in_models: Flaws,
    titles: [Option<Raw<'a>>; 4],
    journal: Journal<'a>,
}

/// Where the values of such keys stand in a record's text, in order, by number.
pub type Places = Vec<(u8, usize)>;

/// Reads the values at these places of the record, which were scanned before.
pub fn event<'a>(
    scanner: &Scanner<'a>,
    record: &Record<'a>,
    places: &Places,
) -> Step<(Event<'a>, Flaws)> {
    let read = keys_read(record);
    // Most events have no key that means something for more than their type.
    if places.is_empty() && read == COMMON {
        return Ok(<(Event<'_>, Flaws)>::default());
    }
    let text = scanner.between(0, record.end);
    let mut members = Members::default();
    let (mut event, mut found) = (Event::default(), Found::default());
    for (key, start) in places {
        let key = usize::from(*key);
        let mut value = scanner.within(*start, record.end);
        match key {
            _ if read >> key & 1 == 0 => {}
            0..=PARENT_TOOL_USE => common(&mut value, key, &mut members, &mut event)?,
            _ => special(&mut value, key, &mut members, &mut found)?,
        }
    }
    let object = &text[record.start..];
    let mut flaws = members.flaws(read, object, number(OF_EVENTS));
    flaws += found.in_models;
    flaws += found.boundary.as_ref().map_or(Flaws::default(), |(_, flaws)| *flaws);
    flaws += found.tracked.as_ref().map_or(Flaws::default(), |(_, flaws)| *flaws);
    event.detail = found.detail(read);
    Ok((event, flaws))
}

fn common<'a>(
    scanner: &mut Scanner<'a>,
    key: usize,
    members: &mut Members,
    event: &mut Event<'a>,
) -> Step<()> {
    match key {
        0 => event.level = members.string(scanner, key)?,
        1 => event.operation = members.string(scanner, key)?,
        2 => event.queue_priority = members.string(scanner, key)?,
        3 => event.status = members.string(scanner, key)?,
        4 => event.duration_ms = members.integer(scanner, key)?,
        5 => event.retry_attempt = members.integer(scanner, key)?,
        6 => event.hook_count = members.integer(scanner, key)?,
        7 => event.retry_in_ms = members.double(scanner, key)?,
        8 => event.hook_errors = members.array(scanner, key, |scanner| entries(scanner))?,
        _ => event.parent_tool_use_id = members.string(scanner, key)?,
    }
    Ok(())
}

fn special<'a>(
    scanner: &mut Scanner<'a>,
    key: usize,
    members: &mut Members,
    found: &mut Found<'a>,
) -> Step<()> {
    match key {
        COMPACT | MICROCOMPACT => found.boundary = members.object(scanner, key, boundary)?,
        SNAPSHOT => found.tracked = members.object(scanner, key, snapshot)?,
        TRACKING_PATH => found.tracking_path = members.string(scanner, key)?,
        BACKUP => {
            let read = members.object(scanner, key, backup)?;
            found.tracked = read.map(|(tracked, flaws)| (vec![tracked], flaws));
        }
        TOTAL_COST => found.costs.total_cost_usd = members.double(scanner, key)?,
        UNKNOWN_COST => found.costs.has_unknown_model_cost = members.boolean(scanner, key)?,
        MODEL_USAGE => {
            let read = members.object(scanner, key, model_usage)?;
            (found.costs.models, found.in_models) = read.unwrap_or_default();
        }
        LABEL => found.journal.label = members.string(scanner, key)?,
        PHASE => found.journal.phase = members.string(scanner, key)?,
        RESULT => {
            let start = scanner.at;
            members.note(key);
            let value = scanner.value()?;
            let json = scanner.since(start);
            let kind = Some(JsonType::of(value)).filter(|kind| *kind != JsonType::Null);
            found.journal.result_kind = kind;
            found.journal.result_chars = kind.map(|_| match value {
                Value::String(raw) => raw.chars() as i64,
                _ => code_points(json) as i64,
            });
        }
        _ => found.titles[key - CUSTOM_TITLE] = members.string(scanner, key)?,
    }
    Ok(())
}

impl<'a> Found<'a> {
    /// What the keys that are read mean together.
    fn detail(self, read: u64) -> Detail<'a> {
        let has = |key: usize| read >> key & 1 == 1;
        let [custom_title, title, ai_title, summary] = self.titles;
        if has(COMPACT) || has(MICROCOMPACT) {
            Detail::Boundary(self.boundary.unwrap_or_default().0)
        } else if has(SNAPSHOT) {
            Detail::Tracked(self.tracked.unwrap_or_default().0)
        } else if has(BACKUP) {
            let mut tracked = self.tracked.unwrap_or_default().0;
            match (self.tracking_path, tracked.first_mut()) {
                (Some(path), Some(only)) => only.path = path.text().into_owned(),
                _ => tracked.clear(),
            }
            Detail::Tracked(tracked)
        } else if has(MODEL_USAGE) {
            Detail::Costs(self.costs)
        } else if has(RESULT) {
            Detail::Journal(self.journal)
        } else {
            custom_title.or(ai_title).or(title).or(summary).map_or(Detail::None, Detail::Title)
        }
    }
}
