//! `attachment` of an attachment record.

use crate::decode::content::texts;
use crate::decode::further::Object;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::Flaws;
use crate::record::further::{Attachment, Carried};

const KEYS: [&str; 12] = [
    "type",
    "hookName",
    "hookEvent",
    "toolUseID",
    "commandMode",
    "exitCode",
    "durationMs",
    "origin",
    "names",
    "skills",
    "prompt",
    "content",
];
const NAMES: usize = 8;
const SKILLS: usize = 9;
const PROMPT: usize = 10;
const CONTENT: usize = 11;

/// Reads the value at `start`, which was scanned before.
pub fn attachment<'a>(
    scanner: &Scanner<'a>,
    (start, end): (usize, usize),
) -> Step<(Attachment<'a>, Flaws)> {
    let json = scanner.between(start, end);
    let text = scanner.between(0, end);
    let mut attachment =
        Attachment { json: Some(json).filter(|json| *json != "null"), ..Attachment::default() };
    if !json.starts_with('{') {
        return Ok((attachment, Flaws::default()));
    }
    // What is read depends on the type, which mostly stands first.
    let first = first_type(&mut Scanner::new(text, start, end))?;
    let flaws = object(&mut Scanner::new(text, start, end), Sort::of(first), &mut attachment)?;
    if Sort::of(attachment.kind) == Sort::of(first) {
        return Ok((attachment, flaws));
    }
    let (json, sort) = (attachment.json, Sort::of(attachment.kind));
    let mut attachment = Attachment { json, ..Attachment::default() };
    let flaws = object(&mut Scanner::new(text, start, end), sort, &mut attachment)?;
    Ok((attachment, flaws))
}

/// The value of `type` where it is the first member of the object at the cursor.
fn first_type<'a>(scanner: &mut Scanner<'a>) -> Step<Option<Raw<'a>>> {
    scanner.at += 1;
    scanner.skip_space();
    if scanner.peek() != Some(b'"') || !scanner.string()?.is("type") {
        return Ok(None);
    }
    scanner.skip_space();
    scanner.at += 1;
    scanner.skip_space();
    Ok(match scanner.value()? {
        Value::String(raw) => Some(raw),
        _ => None,
    })
}

/// Which of the keys that depend on the type are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    SkillListing,
    InvokedSkills,
    QueuedCommand,
    HookContext,
    Other,
}

impl Sort {
    fn of(kind: Option<Raw<'_>>) -> Self {
        match kind.map(|kind| kind.text()).as_deref() {
            Some("skill_listing") => Self::SkillListing,
            Some("invoked_skills") => Self::InvokedSkills,
            Some("queued_command") => Self::QueuedCommand,
            Some("hook_additional_context") => Self::HookContext,
            _ => Self::Other,
        }
    }

    fn keys_read(self) -> u64 {
        let own = match self {
            Self::InvokedSkills => 1 << SKILLS,
            Self::QueuedCommand => 1 << PROMPT,
            Self::HookContext => 1 << CONTENT,
            Self::SkillListing | Self::Other => 0,
        };
        own | ((1 << SKILLS) - 1)
    }
}

fn object<'a>(scanner: &mut Scanner<'a>, sort: Sort, into: &mut Attachment<'a>) -> Step<Flaws> {
    let mut object = Object::at(scanner);
    let mut inside = Flaws::default();
    let mut origin = Flaws::default();
    scanner.object(|scanner, key| {
        let members = &mut object.members;
        match &*key.text() {
            "type" => into.kind = members.string(scanner, 0)?,
            "hookName" => into.hook_name = members.string(scanner, 1)?,
            "hookEvent" => into.hook_event = members.string(scanner, 2)?,
            "toolUseID" => into.tool_use_id = members.string(scanner, 3)?,
            "commandMode" => into.command_mode = members.string(scanner, 4)?,
            "exitCode" => into.exit_code = members.integer(scanner, 5)?,
            "durationMs" => into.duration_ms = members.integer(scanner, 6)?,
            "origin" => {
                let read = members.object(scanner, 7, origin_kind)?;
                (into.origin_kind, origin) = read.unwrap_or_default();
            }
            "names" => {
                inside = Flaws::default();
                let names = members.array(scanner, NAMES, |scanner| names(scanner))?;
                into.names = names.as_ref().map(|(_, entries)| i64::from(*entries));
                if sort == Sort::SkillListing {
                    into.carried = listed(names, &mut inside);
                }
            }
            "skills" if sort == Sort::InvokedSkills => {
                inside = Flaws::default();
                into.carried = Carried::Nothing;
                let read = members.array(scanner, SKILLS, |scanner| invoked(scanner))?;
                if let Some((carried, flaws)) = read {
                    (into.carried, inside) = (carried, flaws);
                }
            }
            "prompt" if sort == Sort::QueuedCommand => {
                let texts = members.texts(scanner, PROMPT, texts)?;
                into.carried = texts.map_or(Carried::Nothing, |texts| {
                    Carried::Queued(texts.iter().map(Raw::text).collect::<Vec<_>>().join("\n"))
                });
            }
            "content" if sort == Sort::HookContext => {
                let texts = members.texts(scanner, CONTENT, texts)?;
                into.carried = texts.map_or(Carried::Nothing, Carried::Contexts);
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let mut flaws = object.flaws(scanner, sort.keys_read(), KEYS);
    flaws += inside;
    flaws += origin;
    Ok(flaws)
}

fn origin_kind<'a>(scanner: &mut Scanner<'a>) -> Step<(Option<Raw<'a>>, Flaws)> {
    let mut object = Object::at(scanner);
    let mut kind = None;
    scanner.object(|scanner, key| {
        if key.is("kind") {
            kind = object.members.string(scanner, 0)?;
            return Ok(());
        }
        scanner.skip()
    })?;
    Ok((kind, object.flaws(scanner, 1, ["kind"])))
}

/// The strings of an array, and how many entries it has.
fn names<'a>(scanner: &mut Scanner<'a>) -> Step<(Vec<Raw<'a>>, u32)> {
    let (mut names, mut entries) = (Vec::new(), 0);
    scanner.array(|scanner| {
        entries += 1;
        if let Value::String(raw) = scanner.value()? {
            names.push(raw);
        }
        Ok(())
    })?;
    Ok((names, entries))
}

fn listed<'a>(names: Option<(Vec<Raw<'a>>, u32)>, inside: &mut Flaws) -> Carried<'a> {
    let Some((names, entries)) = names else { return Carried::Nothing };
    inside.bad_values = entries - names.len() as u32;
    Carried::Listed(names)
}

fn invoked<'a>(scanner: &mut Scanner<'a>) -> Step<(Carried<'a>, Flaws)> {
    let (mut names, mut entries, mut flaws) = (Vec::new(), 0, Flaws::default());
    scanner.array(|scanner| {
        let index = entries;
        entries += 1;
        if scanner.peek() != Some(b'{') {
            flaws.bad_values += 1;
            return scanner.skip();
        }
        let mut object = Object::at(scanner);
        let mut name = None;
        scanner.object(|scanner, key| {
            if key.is("name") {
                name = object.members.string(scanner, 0)?;
                return Ok(());
            }
            scanner.skip()
        })?;
        flaws += object.flaws(scanner, 1, ["name"]);
        names.push((index, name));
        Ok(())
    })?;
    Ok((Carried::Invoked { entries, names }, flaws))
}
