//! What is kept of a record that holds what is looked for.

use std::borrow::Cow;

use super::query::Span;
use super::segments::{Field, Segment};
use crate::decode::text::Raw;
use crate::record::{Block, Record, Str};

/// A text that holds something of what is looked for.
#[derive(Debug)]
pub(super) struct SegmentHit {
    pub(super) field: Field,
    pub(super) key: String,
    pub(super) tool: Option<String>,
    /// The call that it is a result of.
    pub(super) result_of: Option<String>,
    pub(super) snippet: String,
    /// Characters before the snippet.
    pub(super) skipped: i64,
    pub(super) spans: Vec<Span>,
}

/// A record that holds enough of it.
#[derive(Debug)]
pub(super) struct RecordHit {
    pub(super) file: u32,
    pub(super) line: u64,
    pub(super) place: u32,
    pub(super) session: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) timestamp: Option<i64>,
    pub(super) role: Option<String>,
    /// What is the same in records that are identical (ruling 88).
    pub(super) identity: u128,
    pub(super) segments: Vec<SegmentHit>,
}

fn owned(raw: Option<Raw<'_>>) -> Option<String> {
    raw.map(|raw| raw.text().into_owned()).filter(|text| !text.is_empty())
}

pub(super) fn record_hit(record: &Record<'_>, file: u32, line: u64, place: u32) -> RecordHit {
    RecordHit {
        file,
        line,
        place,
        session: owned(record.session_id()),
        cwd: owned(record.string(Str::Cwd)),
        timestamp: record.timestamp,
        role: owned(record.role()).or_else(|| owned(record.string(Str::Type))),
        identity: identity(record),
        segments: Vec::new(),
    }
}

/// By uuid, type and payload, or else by all that it says.
fn identity(record: &Record<'_>) -> u128 {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    match owned(record.string(Str::Uuid)) {
        None => hash.update(record.json.as_bytes()),
        Some(uuid) => {
            let kind = record.string(Str::Type).map(|kind| kind.text());
            hash.update(uuid.as_bytes());
            hash.update(&[0xFF, u8::from(kind.is_some())]);
            hash.update(kind.unwrap_or_default().as_bytes());
            hash.update(&[0xFF]);
            hash.update(&record.payload.to_le_bytes());
        }
    }
    hash.digest128()
}

/// Characters of a snippet, and how many of them stand before the first match.
const SNIPPET: usize = 200;
const BEFORE: usize = 60;

impl SegmentHit {
    pub(super) fn new(segment: &Segment<'_>, spans: Vec<Span>) -> Self {
        let (snippet, skipped) = snippet(segment.text, spans[0].0 as usize);
        Self {
            field: segment.field,
            key: segment.key.to_owned(),
            tool: segment.call.and_then(Block::called).map(Cow::into_owned),
            result_of: owned(segment.result_of),
            snippet,
            skipped: skipped as i64,
            spans,
        }
    }
}

/// What stands around a character of a text, and how many characters before it.
fn snippet(text: &str, at: usize) -> (String, usize) {
    let skipped = at.saturating_sub(BEFORE);
    let from = byte_of(text, skipped);
    let to = from + byte_of(&text[from..], SNIPPET);
    (text[from..to].to_owned(), skipped)
}

/// Where a character stands in the bytes of a text, or the end where it has too few.
fn byte_of(text: &str, character: usize) -> usize {
    let before = &text.as_bytes()[..character.min(text.len())];
    if before.is_ascii() {
        return before.len();
    }
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_cut_between_characters() {
        let long = "é".repeat(70) + "heron" + &"日".repeat(300);
        let (cut, skipped) = snippet(&long, 70);
        assert_eq!((cut.chars().count(), skipped), (SNIPPET, 10));
        assert!(cut.starts_with('é') && cut.ends_with('日'));
        assert_eq!(snippet("heron", 0), ("heron".to_owned(), 0));
        assert_eq!((byte_of("aé日", 2), byte_of("aé日", 3), byte_of("aé日", 9)), (3, 6, 6));
    }
}
