//! The payload of a record of a rollout (rulings 93 to 96). It is read when the
//! record has been walked to its end: only then is it known that the record is one,
//! and which of the payload's keys mean something depends on the payload's type.

mod content;
mod totals;

use crate::decode::content::{bare, content};
use crate::decode::fields::strings;
use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::members::Members;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::further::Further;
use crate::record::rollout::{Rollout, RolloutKind};
use crate::record::{Content, Flaws, Record, Str, ToolUseResult};
use content::{call, entry, result};
use totals::totals;

const TYPE: usize = 0;
const ID: usize = 1;
const CWD: usize = 2;
const CLI_VERSION: usize = 3;
const GIT: usize = 4;
const ORIGINATOR: usize = 5;
const FORKED_FROM_ID: usize = 6;
const MODEL: usize = 7;
const EFFORT: usize = 8;
const ROLE: usize = 9;
const CONTENT: usize = 10;
const SUMMARY: usize = 11;
const CALL_ID: usize = 12;
const NAME: usize = 13;
const NAMESPACE: usize = 14;
const ARGUMENTS: usize = 15;
const INPUT: usize = 16;
const ACTION: usize = 17;
const OUTPUT: usize = 18;
const INFO: usize = 19;
const MESSAGE: usize = 20;
const COUNT: usize = MESSAGE + 1;

static KEYS: Keys<COUNT, 64> = Keys::new(
    ObjectKind::Payload,
    [
        "type",
        "id",
        "cwd",
        "cli_version",
        "git",
        "originator",
        "forked_from_id",
        "model",
        "effort",
        "role",
        "content",
        "summary",
        "call_id",
        "name",
        "namespace",
        "arguments",
        "input",
        "action",
        "output",
        "info",
        "message",
    ],
);

/// Reads the payload between two places of a record's text, where it and the record's
/// type make one of a rollout; gives its flaws then.
pub fn rollout<'a>(
    scanner: &Scanner<'a>,
    (start, end): (usize, usize),
    record: &mut Record<'a>,
) -> Step<Option<Flaws>> {
    let kind = record.string(Str::Type).and_then(RolloutKind::of);
    let Some(kind) = kind.filter(|_| scanner.between(start, end).starts_with('{')) else {
        return Ok(None);
    };
    let mut payload = Payload::of(scanner, start, end)?;
    let subtype = payload.string(TYPE)?;
    fill(record, Str::Subtype, subtype);
    let (mut told, mut forked_from) = (None, None);
    match kind {
        RolloutKind::SessionMeta => forked_from = session_meta(&mut payload, record)?,
        RolloutKind::TurnContext => turn_context(&mut payload, record)?,
        RolloutKind::ResponseItem => response_item(&mut payload, record, subtype)?,
        RolloutKind::EventMsg if subtype.is_some_and(|kind| kind.is("token_count")) => {
            told = payload.nested(INFO, totals)?.flatten();
        }
        RolloutKind::Compacted => {
            let text = payload.string(MESSAGE)?;
            fill_content(record, text.map(bare));
        }
        RolloutKind::EventMsg | RolloutKind::WorldState => {}
    }
    // What other records say besides their fields is nothing to one of a rollout.
    record.further = Further::None;
    let flaws = payload.all_flaws();
    let payload = scanner.between(start, end);
    record.rollout = Some(Box::new(Rollout { kind, payload, forked_from, totals: told }));
    Ok(Some(flaws))
}

/// Places the payload's content where the envelope has none. What the envelope says
/// of a result is not about the payload's.
fn fill_content<'a>(record: &mut Record<'a>, content: Option<Content<'a>>) {
    if record.content.is_none() && content.is_some() {
        record.content = content;
        record.tool_use_result = ToolUseResult::default();
    }
}

/// Fills a field that the envelope leaves null.
fn fill<'a>(record: &mut Record<'a>, field: Str, value: Option<Raw<'a>>) {
    let own = &mut record.strings[field as usize];
    *own = own.or(value);
}

/// Gives the thread that it was forked from.
fn session_meta<'a>(
    payload: &mut Payload<'_, 'a>,
    record: &mut Record<'a>,
) -> Step<Option<Raw<'a>>> {
    let id = payload.string(ID)?;
    if record.session_id().is_none() {
        fill(record, Str::SessionId, id);
    }
    let fields =
        [(CWD, Str::Cwd), (CLI_VERSION, Str::Version), (ORIGINATOR, Str::Entrypoint)].into_iter();
    for (key, field) in fields {
        let value = payload.string(key)?;
        fill(record, field, value);
    }
    let branch = payload.nested(GIT, |git| strings(git, ["branch"]))?;
    fill(record, Str::GitBranch, branch.and_then(|[branch]| branch));
    let forked_from = payload.string(FORKED_FROM_ID)?;
    record.forked_from_session_id = record.forked_from_session_id.or(forked_from);
    Ok(forked_from)
}

fn turn_context<'a>(payload: &mut Payload<'_, 'a>, record: &mut Record<'a>) -> Step<()> {
    let (cwd, model, effort) =
        (payload.string(CWD)?, payload.string(MODEL)?, payload.string(EFFORT)?);
    fill(record, Str::Cwd, cwd);
    fill(record, Str::Effort, effort);
    if model.is_some() {
        let message = record.message.get_or_insert_default();
        message.model = message.model.or(model);
    }
    Ok(())
}

fn response_item<'a>(
    payload: &mut Payload<'_, 'a>,
    record: &mut Record<'a>,
    kind: Option<Raw<'a>>,
) -> Step<()> {
    let role = payload.string(ROLE)?;
    if record.role().is_none() {
        fill(record, Str::Role, role);
    }
    let Some(kind) = kind else { return Ok(()) };
    let block = match &*kind.text() {
        "message" => {
            let content = payload.entries(CONTENT)?;
            fill_content(record, content);
            return Ok(());
        }
        "reasoning" => {
            let content = payload.entries(SUMMARY)?;
            fill_content(record, content);
            return Ok(());
        }
        "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
            call(payload, kind)?
        }
        "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
            result(payload, kind)?
        }
        _ => return Ok(()),
    };
    let content = Content { blocks: vec![block], entries: 1, flaws: Flaws::default() };
    fill_content(record, Some(content));
    Ok(())
}

/// A payload whose members were found, and not yet read.
struct Payload<'s, 'a> {
    scanner: &'s Scanner<'a>,
    start: usize,
    end: usize,
    /// Where the last value of each key begins.
    places: [Option<usize>; COUNT],
    /// Which keys stood, and how often.
    found: Members,
    /// The types of values that were read.
    values: Members,
    /// Bits of the keys that were read.
    read: u64,
    /// Of what is below the members that were read.
    flaws: Flaws,
}

impl<'s, 'a> Payload<'s, 'a> {
    fn of(scanner: &'s Scanner<'a>, start: usize, end: usize) -> Step<Self> {
        let (mut places, mut found) = ([None; COUNT], Members::default());
        scanner.within(start, end).members(&KEYS, |scanner, number| {
            if let Some(key) = number {
                found.note(key);
                places[key] = Some(scanner.at);
            }
            scanner.skip()
        })?;
        let (values, flaws) = (Members::default(), Flaws::default());
        Ok(Self { scanner, start, end, places, found, values, read: 0, flaws })
    }

    /// A scanner at the value of a key, which is read from now on.
    fn at(&mut self, key: usize) -> Option<Scanner<'a>> {
        self.read |= 1 << key;
        self.places[key].map(|at| self.scanner.within(at, self.end))
    }

    fn string(&mut self, key: usize) -> Step<Option<Raw<'a>>> {
        let Some(mut value) = self.at(key) else { return Ok(None) };
        self.values.string(&mut value, key)
    }

    /// Reads an object, whose own flaws `read` tells.
    fn nested<T>(
        &mut self,
        key: usize,
        read: impl FnOnce(&mut Scanner<'a>) -> Step<(T, Flaws)>,
    ) -> Step<Option<T>> {
        let Some(mut value) = self.at(key) else { return Ok(None) };
        let Some((inside, flaws)) = self.values.object(&mut value, key, read)? else {
            return Ok(None);
        };
        self.flaws += flaws;
        Ok(Some(inside))
    }

    /// Reads content: a string, or an array of entries.
    fn entries(&mut self, key: usize) -> Step<Option<Content<'a>>> {
        let Some(mut value) = self.at(key) else { return Ok(None) };
        let (read, is_bad) = content(&mut value, entry)?;
        if is_bad {
            self.values.mark_bad(key);
        }
        self.flaws += read.as_ref().map_or(Flaws::default(), |content| content.flaws);
        Ok(read)
    }

    /// Reads a value of any type that is not null.
    fn anything(&mut self, key: usize) -> Step<Option<(Value<'a>, &'a str)>> {
        let Some(mut scanner) = self.at(key) else { return Ok(None) };
        let start = scanner.at;
        let value = scanner.value()?;
        Ok(Some((value, scanner.since(start))).filter(|(value, _)| !matches!(value, Value::Null)))
    }

    /// Flaws of what was read, and below.
    fn all_flaws(&self) -> Flaws {
        let object = self.scanner.between(self.start, self.end);
        let mut flaws = self.flaws;
        flaws += self.found.flaws(self.read, object, |key| KEYS.number(key));
        flaws += self.values.flaws(self.read, object, |key| KEYS.number(key));
        flaws
    }
}

#[cfg(test)]
mod tests;
