//! What a response item holds: entries of text, a call, or a result (rulings 94, 95).

use std::borrow::Cow;

use super::{ACTION, ARGUMENTS, CALL_ID, INPUT, NAME, NAMESPACE, OUTPUT, Payload};
use crate::decode::content::result_content;
use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::rollout::{Made, Part};
use crate::record::{Block, Entries, Flaws};

/// Types of entries that have text.
const WORDS: [&str; 4] = ["input_text", "output_text", "summary_text", "text"];

/// Reads an entry of a message or of a summary.
pub(super) fn entry<'a>(scanner: &mut Scanner<'a>, block: &mut Block<'a>) -> Step<Flaws> {
    let start = scanner.at;
    let mut members = Members::default();
    let (mut kind, mut text) = (None, None);
    scanner.object(|scanner, key| {
        if key.is("type") {
            kind = members.string(scanner, 0)?;
        } else if key.is("text") {
            text = members.string(scanner, 1)?;
        } else {
            scanner.skip()?;
        }
        Ok(())
    })?;
    let has_words = kind.is_some_and(|kind: Raw<'_>| WORDS.iter().any(|word| kind.is(word)));
    let (part, read) = if has_words { (Part::Words, 0b11) } else { (Part::Other, 0b01) };
    let flaws = members.flaws(read, scanner.since(start), number(["type", "text"]));
    block.kind = kind;
    block.text = text.filter(|_| has_words);
    block.of_rollout = Some(part);
    Ok(flaws)
}

/// The prefix of the namespaces that servers of tools have.
const OF_SERVER: &str = "mcp__";

/// Reads a payload that is a call.
pub(super) fn call<'a>(payload: &mut Payload<'_, 'a>, kind: Raw<'a>) -> Step<Block<'a>> {
    let id = payload.string(CALL_ID)?;
    let mut name = payload.string(NAME)?;
    let namespace = payload.string(NAMESPACE)?.map(|namespace| namespace.text());
    let namespace = namespace.filter(|namespace| namespace.starts_with(OF_SERVER));
    let mut made = Made::default();
    if name.is_none() || namespace.is_some() {
        let own = name.take().map_or_else(|| without_call(kind), |name| name.text());
        made.name = Some(match namespace {
            Some(namespace) => format!("{namespace}__{own}"),
            None => own.into_owned(),
        });
    }
    let mut input = None;
    for key in [ARGUMENTS, INPUT, ACTION] {
        let value = payload.anything(key)?;
        if let Some((value, json)) = value.filter(|_| input.is_none()) {
            input = Some(json);
            if let Value::String(raw) = value
                && key == ARGUMENTS
            {
                made.input = Some(raw.text().into_owned());
            }
        }
    }
    let made = (made.name.is_some() || made.input.is_some()).then(|| Box::new(made));
    let of_rollout = Some(Part::Call);
    Ok(Block { kind: Some(kind), id, name, input, made, of_rollout, ..Block::default() })
}

/// What a type says that its calls do.
fn without_call(kind: Raw<'_>) -> Cow<'_, str> {
    let text = kind.text();
    match text.strip_suffix("_call") {
        Some(rest) => Cow::Owned(rest.to_owned()),
        None => text,
    }
}

/// Reads a payload that is a result.
pub(super) fn result<'a>(payload: &mut Payload<'_, 'a>, kind: Raw<'a>) -> Step<Block<'a>> {
    let tool_use_id = payload.string(CALL_ID)?;
    let of_rollout = Some(Part::Result);
    let mut block = Block { kind: Some(kind), tool_use_id, of_rollout, ..Block::default() };
    if let Some(mut value) = payload.at(OUTPUT) {
        let (content, is_bad) = result_content(&mut value, Entries::OfRollout)?;
        if is_bad {
            payload.values.mark_bad(OUTPUT);
        }
        block.result = content;
    }
    Ok(block)
}
