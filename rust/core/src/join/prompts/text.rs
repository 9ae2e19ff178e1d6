//! What one text is, as far as it and its record alone can tell (ruling 52).

use std::borrow::Cow;

use super::{Kind, Reason};
use crate::facts::words::{INTERRUPTION, NOTIFICATION, WHITE_SPACE, trim};

const CONTINUATION: &str = "This session is being continued from a previous conversation";

/// Elements that hooks and clients put behind a person's words: opening and closing tag.
const TAILS: [(&str, &str); 2] = [
    ("<system-reminder>", "</system-reminder>"),
    ("<user-prompt-submit-hook>", "</user-prompt-submit-hook>"),
];

const COMMAND_TAGS: [&str; 3] = ["<command-name>", "<command-message>", "<command-args>"];

const INJECTED_TAGS: [&str; 7] = [
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<system-reminder>",
    "<user-prompt-submit-hook>",
];

/// What a candidate's record says of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said<'a> {
    pub(super) is_attachment: bool,
    pub(super) is_sidechain: bool,
    pub(super) is_compact_summary: bool,
    pub(super) is_meta: bool,
    pub(super) origin_kind: Option<&'a str>,
    pub(super) prompt_source: Option<&'a str>,
}

/// A candidate, read. Kind `prompt` is as yet undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading<'t> {
    pub(super) kind: Kind,
    pub(super) reason: Option<Reason>,
    pub(super) text: Cow<'t, str>,
    pub(super) n_images: i64,
}

/// Reads a candidate's text.
pub(super) fn read<'t>(said: Said<'_>, written: &'t str) -> Reading<'t> {
    let (text, n_images) = cut_placeholders(written);
    let (kind, reason, text) = match text {
        Cow::Borrowed(text) => judge(said, trim(text)),
        Cow::Owned(text) => {
            let (kind, reason, text) = judge(said, trim(&text));
            (kind, reason, Cow::Owned(text.into_owned()))
        }
    };
    Reading { kind, reason, text, n_images }
}

type Judged<'t> = (Kind, Option<Reason>, Cow<'t, str>);

fn judge<'t>(said: Said<'_>, text: &'t str) -> Judged<'t> {
    if let Some((kind, reason)) = by_record(said, text) {
        return (kind, Some(reason), text.into());
    }
    let (words, is_tail) = cut_tails(text);
    if is_tail {
        return (Kind::Injected, Some(Reason::Tag), words.into());
    }
    if let Some(command) = command(words) {
        return (Kind::Command, Some(Reason::Tag), command);
    }
    if INJECTED_TAGS.iter().any(|tag| words.starts_with(tag)) {
        return (Kind::Injected, Some(Reason::Tag), words.into());
    }
    if is_slash_command(words) {
        return (Kind::Command, Some(Reason::Slash), words.into());
    }
    let is_cut = words.len() < text.len();
    (Kind::Prompt, is_cut.then_some(Reason::TailCut), words.into())
}

/// What the record's fields say, and the beginnings that stand beside them.
fn by_record(said: Said<'_>, text: &str) -> Option<(Kind, Reason)> {
    if said.is_sidechain {
        return Some((Kind::Sidechain, Reason::IsSidechain));
    }
    if said.is_compact_summary {
        return Some((Kind::CompactSummary, Reason::IsCompactSummary));
    }
    if text.starts_with(CONTINUATION) {
        return Some((Kind::CompactSummary, Reason::Continuation));
    }
    if said.origin_kind == Some("task-notification") {
        return Some((Kind::Notification, Reason::Origin));
    }
    if text.starts_with(NOTIFICATION) {
        return Some((Kind::Notification, Reason::Tag));
    }
    if text.starts_with(INTERRUPTION) {
        return Some((Kind::Interruption, Reason::Marker));
    }
    if said.is_meta {
        return Some((Kind::Meta, Reason::IsMeta));
    }
    let from_elsewhere = said.origin_kind.map_or(said.is_attachment, |kind| kind != "human");
    if from_elsewhere {
        return Some((Kind::Injected, Reason::Origin));
    }
    let by_program = matches!(said.prompt_source, Some("system" | "sdk"));
    by_program.then_some((Kind::Injected, Reason::PromptSource))
}

/// Cuts `[Image #N]` placeholders; gives how many there were.
fn cut_placeholders(text: &str) -> (Cow<'_, str>, i64) {
    const START: &str = "[Image #";
    let (mut kept, mut from, mut count) = (String::new(), 0, 0);
    for (at, _) in text.match_indices(START) {
        let number = &text[at + START.len()..];
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && number[digits..].starts_with(']') {
            kept.push_str(&text[from..at]);
            from = at + START.len() + digits + 1;
            count += 1;
        }
    }
    if count == 0 {
        return (text.into(), 0);
    }
    kept.push_str(&text[from..]);
    (kept.into(), count)
}

/// Where the last element of a reminder or hook starts that a text ends with.
fn tail(text: &str) -> Option<usize> {
    let (opening, _) = TAILS.iter().find(|(_, closing)| text.ends_with(closing))?;
    text.rfind(opening)
}

/// Cuts what hooks and clients appended; says whether one of it is all that is left.
fn cut_tails(text: &str) -> (&str, bool) {
    let mut words = text;
    loop {
        match tail(words) {
            None => return (words, false),
            Some(0) => return (words, true),
            Some(start) => words = trim(&words[..start]),
        }
    }
}

/// The words of a command's envelope, where the text begins with one.
fn command(text: &str) -> Option<Cow<'_, str>> {
    if COMMAND_TAGS.iter().any(|tag| text.starts_with(tag)) {
        let Some(name) = inside(text, "<command-name>", "</command-name>") else {
            return Some(text.into());
        };
        return Some(match inside(text, "<command-args>", "</command-args>") {
            Some(args) => format!("{name} {args}").into(),
            None => name.into(),
        });
    }
    let is_bash = text.starts_with("<bash-input>");
    is_bash.then(|| inside(text, "<bash-input>", "</bash-input>").unwrap_or(text).into())
}

/// What the first of these elements holds, trimmed, where that is not blank.
fn inside<'t>(text: &'t str, opening: &str, closing: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(opening)?;
    let (inside, _) = rest.split_once(closing)?;
    Some(trim(inside)).filter(|inside| !inside.is_empty())
}

/// Whether a text begins as `/command` does.
fn is_slash_command(text: &str) -> bool {
    let Some(name) = text.strip_prefix('/') else { return false };
    let name = name.split(WHITE_SPACE).next().unwrap_or_default();
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(word)
}

#[cfg(test)]
mod tests;
