//! One file of the index: facts, and what they were folded from.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_schema::ArrowError;

use super::pieces::Piece;
use super::stamp::Stamp;
use super::{INDEX_VERSION, hash_of};
use crate::discover::Transcript;
use crate::exchange::limits::Limits;
use crate::exchange::rows::rows;
use crate::exchange::sealed::{Seal, open, seal};
use crate::exchange::value::{Reader, Value};
use crate::exchange::{self, Damaged, batch};
use crate::facts::Facts;

const SEAL: Seal = Seal { magic: *b"sssegmnt", version: INDEX_VERSION };

/// A piece as it was when it was folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// The absolute path.
    pub(super) path: Vec<u8>,
    pub(super) start: u64,
    pub(super) end: u64,
    /// How much of the file was looked at.
    pub(super) size: u64,
    /// Of the text that was folded.
    pub(super) text: [u64; 2],
    pub(super) stamp: Stamp,
    /// When the scan began that took the stamp.
    pub(super) seen: i64,
}

rows! {
    Kept { path, start, end, size, text, stamp, seen }
}

impl Kept {
    /// A piece as it is now, with the hash of its text.
    pub(super) fn of(
        piece: &Piece,
        transcript: &Transcript,
        text: u128,
        stamp: Stamp,
        seen: i64,
    ) -> Self {
        Self {
            path: absolute(&transcript.path),
            start: piece.range.start,
            end: piece.range.end,
            size: transcript.size.unwrap_or(0),
            text: [(text >> 64) as u64, text as u64],
            stamp,
            seen,
        }
    }

    /// Whether it is the same part of the same file, whatever that holds now.
    pub(super) fn is_of(&self, piece: &Piece, transcript: &Transcript) -> bool {
        (self.start, self.end) == (piece.range.start, piece.range.end)
            && self.path == absolute(&transcript.path)
    }

    /// Whether the file system says that its bytes are the same.
    pub(super) fn is_unchanged(
        &self,
        transcript: &Transcript,
        stamp: Option<Stamp>,
        tick: i64,
    ) -> bool {
        stamp == Some(self.stamp)
            && self.stamp.is_settled(self.seen, tick)
            && transcript.size == Some(self.size)
    }

    /// Whether this is the hash of its text.
    pub(super) fn has_text(&self, text: u128) -> bool {
        self.text == [(text >> 64) as u64, text as u64]
    }
}

/// The name of the segment that begins with a piece.
pub(super) fn name(of_facts: u128, piece: &Piece, transcript: &Transcript) -> String {
    let path = absolute(&transcript.path);
    let place = format!("{of_facts:x} {} {path:?}", piece.range.start);
    format!("{:032x}", hash_of(&[&place]))
}

/// Paths that name one file from wherever they are looked at. Links stay: what
/// they lead to is in the stamp.
fn absolute(path: &Path) -> Vec<u8> {
    let absolute = std::path::absolute(path);
    absolute.as_deref().unwrap_or(path).as_os_str().as_bytes().to_vec()
}

/// A segment that was read.
pub(super) struct Segment {
    pub(super) kept: Vec<Kept>,
    facts: Vec<Buffer>,
}

impl Segment {
    /// The segment of such bytes.
    pub(super) fn of_bytes(bytes: &Buffer) -> Result<Self, Damaged> {
        let sections = open(SEAL, bytes)?;
        let (head, facts) = sections.split_first().ok_or(Damaged("no sections"))?;
        let head = exchange::batches(std::slice::from_ref(head))?;
        let like = head_batch(&[]).map_err(|_| Damaged("no head"))?;
        if head[0].schema() != like.schema() {
            return Err(Damaged("another head"));
        }
        let kept = Value::read(&mut Reader::of(&head[0], &Limits::default()))?;
        Ok(Self { kept, facts: facts.to_vec() })
    }

    /// Its facts, of files with these numbers.
    pub(super) fn facts(&self, files: &[u32]) -> Result<Facts, Damaged> {
        exchange::facts(&exchange::batches(&self.facts)?, Some(files))
    }

    /// It, with other stamps of the same bytes.
    pub(super) fn with(&self, kept: &[Kept]) -> Result<Vec<u8>, ArrowError> {
        let head = exchange::streams(&[head_batch(kept)?])?.into_iter();
        let facts = self.facts.iter().map(|section| section.as_slice().to_vec());
        Ok(seal(SEAL, &head.chain(facts).collect::<Vec<_>>()))
    }
}

/// A segment as bytes.
pub(super) fn to_bytes(kept: &[Kept], facts: &Facts) -> Result<Vec<u8>, ArrowError> {
    let mut batches = vec![head_batch(kept)?];
    batches.extend(exchange::tables(facts)?);
    Ok(seal(SEAL, &exchange::streams(&batches)?))
}

fn head_batch(kept: &[Kept]) -> Result<RecordBatch, ArrowError> {
    batch(kept)
}
