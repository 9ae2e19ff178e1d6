//! `attachment` of an attachment record.

use crate::decode::content::texts;
use crate::decode::further::Object;
use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::Flaws;
use crate::record::further::{Attachment, Carried};

static KEYS: Keys<12, 64> = Keys::new(
    ObjectKind::Attachment,
    [
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
    ],
);
const NAMES: usize = 8;
const SKILLS: usize = 9;
const PROMPT: usize = 10;
const CONTENT: usize = 11;

/// Reads the object at the cursor into `attachment`, which says nothing yet; its JSON
/// text is the caller's to keep.
pub fn attachment<'a>(scanner: &mut Scanner<'a>, attachment: &mut Attachment<'a>) -> Step<Flaws> {
    let start = scanner.at;
    let (flaws, known) = object(scanner, None, attachment)?;
    if known {
        return Ok(flaws);
    }
    // Something that depends on the type stood before it.
    let sort = Sort::of(attachment.kind);
    *attachment = Attachment::default();
    let mut again = scanner.within(start, scanner.at);
    let (flaws, _) = object(&mut again, Some(sort), attachment)?;
    Ok(flaws)
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

/// Reads an object of this sort, or of the one that its `type` says. The boolean is
/// false where something was read that a later `type` shows to be of another sort.
fn object<'a>(
    scanner: &mut Scanner<'a>,
    told: Option<Sort>,
    into: &mut Attachment<'a>,
) -> Step<(Flaws, bool)> {
    let mut sort = told.unwrap_or(Sort::Other);
    let (mut has_dependent, mut known) = (false, true);
    let mut object = Object::at(scanner);
    let mut inside = Flaws::default();
    let mut origin = Flaws::default();
    scanner.members(&KEYS, |scanner, number| {
        let members = &mut object.members;
        match number {
            Some(0) => {
                into.kind = members.string(scanner, 0)?;
                let says = Sort::of(into.kind);
                if told.is_none() && says != sort {
                    known &= !has_dependent;
                    sort = says;
                }
            }
            Some(1) => into.hook_name = members.string(scanner, 1)?,
            Some(2) => into.hook_event = members.string(scanner, 2)?,
            Some(3) => into.tool_use_id = members.string(scanner, 3)?,
            Some(4) => into.command_mode = members.string(scanner, 4)?,
            Some(5) => into.exit_code = members.integer(scanner, 5)?,
            Some(6) => into.duration_ms = members.integer(scanner, 6)?,
            Some(7) => {
                let read = members.object(scanner, 7, origin_kind)?;
                (into.origin_kind, origin) = read.unwrap_or_default();
            }
            Some(NAMES) => {
                has_dependent = true;
                let names = members.array(scanner, NAMES, |scanner| names(scanner))?;
                into.names = names.as_ref().map(|(_, entries)| i64::from(*entries));
                if sort == Sort::SkillListing {
                    inside = Flaws::default();
                    into.carried = listed(names, &mut inside);
                }
            }
            Some(SKILLS) if sort == Sort::InvokedSkills => {
                has_dependent = true;
                inside = Flaws::default();
                into.carried = Carried::Nothing;
                let read = members.array(scanner, SKILLS, |scanner| invoked(scanner))?;
                if let Some((carried, flaws)) = read {
                    (into.carried, inside) = (carried, flaws);
                }
            }
            Some(PROMPT) if sort == Sort::QueuedCommand => {
                has_dependent = true;
                let texts = members.texts(scanner, PROMPT, texts)?;
                into.carried = texts.map_or(Carried::Nothing, |texts| {
                    Carried::Queued(texts.iter().map(Raw::text).collect::<Vec<_>>().join("\n"))
                });
            }
            Some(CONTENT) if sort == Sort::HookContext => {
                has_dependent = true;
                let texts = members.texts(scanner, CONTENT, texts)?;
                into.carried = texts.map_or(Carried::Nothing, Carried::Contexts);
            }
            _ => {
                has_dependent |= number.is_some_and(|number| number >= SKILLS);
                scanner.skip()?;
            }
        }
        Ok(())
    })?;
    let mut flaws = object.flaws(scanner, sort.keys_read(), KEYS.names());
    flaws += inside;
    flaws += origin;
    Ok((flaws, known))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> (Attachment<'_>, Flaws) {
        let mut read = Attachment::default();
        let mut scanner = Scanner::new(json, 0, json.len());
        let flaws = attachment(&mut scanner, &mut read).expect("an object");
        (read, flaws)
    }

    #[test]
    fn what_depends_on_the_type_goes_by_the_last_one_wherever_it_stands() {
        for json in [
            r#"{"type":"skill_listing","names":["a",1]}"#,
            r#"{"names":["a",1],"type":"skill_listing"}"#,
            r#"{"type":"model","names":["a",1],"skills":3,"type":"skill_listing"}"#,
        ] {
            let (attachment, flaws) = read(json);
            let Carried::Listed(names) = attachment.carried else { panic!("{json}") };
            assert_eq!((names.len(), attachment.names, flaws.bad_values), (1, Some(2), 1));
        }
        let (attachment, flaws) = read(r#"{"type":"skill_listing","names":[1],"type":"model"}"#);
        assert!(matches!(attachment.carried, Carried::Nothing));
        assert_eq!((attachment.names, flaws.bad_values), (Some(1), 0));
    }

    #[test]
    fn a_text_that_stops_being_json_stops_where_it_does() {
        for (json, at) in
            [(r#"{"type""names":[]}"#, 7), (r#"{"names":["#, 10), (r#"{"type":"x",}"#, 12)]
        {
            let mut scanner = Scanner::new(json, 0, json.len());
            let stop = attachment(&mut scanner, &mut Attachment::default()).expect_err("no object");
            assert_eq!(stop.at, at, "{json}");
        }
    }
}
