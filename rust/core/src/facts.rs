//! What is kept of a stretch of records: a few per cent of its bytes.
//!
//! Facts of consecutive stretches are put together by [`crate::join`], which
//! alone judges what needs more than one line to be known.

pub mod further;
pub mod kept;
pub mod rollouts;
pub mod sketches;
mod sums;
mod thin;
mod tools;
mod usages;
pub mod uuids;
pub mod words;

use std::ops::Range;

use hashbrown::HashMap;

use crate::arrow::columns::Columns;
use crate::census::Census;
use crate::diagnose::Finding;
use crate::facts::further::Further;
use crate::facts::kept::{Runs, Tally};
use crate::facts::rollouts::Rollouts;
use crate::facts::sketches::Sketches;
use crate::facts::words::Words;
use crate::strings::{Interner, Renaming, Symbol};

pub use self::sketches::{Envelope, Sketch};
pub use self::sums::Sums;
pub use self::tools::{Call, RareOfResult, ToolResult};
pub use self::usages::{Attribution, CacheMiss, IterationFact, UsageCarrier};

/// Facts of one unit of work: some whole files, or one chunk of a large file.
#[derive(Debug)]
pub struct Facts {
    /// The files, or parts of them, in order.
    pub parts: Vec<FilePart>,
    /// The strings that symbols stand for.
    pub strings: Interner,
    /// One for every record.
    pub sketches: Sketches,
    /// Carriers of usage.
    pub usages: Vec<UsageCarrier>,
    /// Entries of `usage.iterations`, by carrier.
    pub iterations: Vec<IterationFact>,
    /// Counts of carriers.
    pub tallies: Runs<Tally>,
    /// What few carriers say of a cache.
    pub misses: Vec<CacheMiss>,
    /// The identities of inline carriers that have one, by carrier.
    pub inline_uuids: Vec<(u32, Identity)>,
    /// What carriers and calls are attributed to.
    pub attributions: Runs<Attribution>,
    /// Blocks that call a tool.
    pub calls: Vec<Call>,
    /// Blocks that hold a result.
    pub results: Vec<ToolResult>,
    /// Text that only `text=True` keeps.
    pub texts: Vec<String>,
    /// Records of rollouts.
    pub rollouts: Rollouts,
    /// Facts for the tables beside the core.
    pub further: Further,
    /// Texts that the join needs whole, kept where it does.
    pub words: Words,
    /// Names of the format, where they were asked for.
    pub census: Option<Census>,
    /// Rows of `records`, where they were asked for, up to what sketches hold of them.
    pub records: Option<Columns>,
    /// Rows of `blocks`, where they were asked for, in as many stretches as their
    /// text needs.
    pub blocks: Vec<BlockRows>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// Some rows of `blocks`, and the sketch of the record of each.
#[derive(Debug)]
pub struct BlockRows {
    /// The rows.
    pub rows: Columns,
    /// Places in [`Facts::sketches`].
    pub sketches: Vec<u32>,
}

/// A file, or a chunk of one.
#[derive(Debug, Default)]
pub struct FilePart {
    /// `files.file_id`
    pub file: u32,
    /// Its sketches in [`Facts::sketches`].
    pub sketches: Range<usize>,
    /// Its calls in [`Facts::calls`].
    pub calls: Range<usize>,
    /// Its results in [`Facts::results`].
    pub results: Range<usize>,
    /// Line feeds in it.
    pub lines: u64,
    /// Bytes in it.
    pub bytes: u64,
    /// Lines of white space.
    pub blank_lines: u64,
    /// Lines lost.
    pub lost_lines: u64,
    /// The file ended early.
    pub truncated: bool,
    /// How often each type of block occurred.
    pub block_types: HashMap<Symbol, u64>,
    /// Some record is of a type that only Codex writes.
    pub has_session_meta: bool,
    /// Some record is of a type that only workflow journals hold.
    pub has_journal_type: bool,
    /// Every record with a session id is of a subagent.
    pub only_subagent: bool,
    /// First agent id in its records.
    pub agent: Symbol,
    /// What is known of its records together, where the sketches of some were
    /// dropped.
    pub sums: Option<Box<Sums>>,
    /// Attachments that list skills.
    pub skill_listings: u64,
    /// Those of them whose list is empty.
    pub skill_listings_empty: u64,
    /// Attachments that name invoked skills.
    pub invoked_skills: u64,
    /// Those of them that name none.
    pub invoked_skills_empty: u64,
}

/// A uuid: its 128 bits where it is written as one in lower case, else a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// 32 hex digits in groups of 8-4-4-4-12.
    Uuid(u128),
    /// Anything else.
    Hash(u128),
}

impl Identity {
    /// The identity of a uuid field; none where it is empty.
    pub fn of(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let hash = || Self::Hash(xxhash_rust::xxh3::xxh3_128(text.as_bytes()));
        Some(canonical_uuid(text).map_or_else(hash, Self::Uuid))
    }
}

fn canonical_uuid(text: &str) -> Option<u128> {
    let bytes: &[u8; 36] = text.as_bytes().try_into().ok()?;
    if [bytes[8], bytes[13], bytes[18], bytes[23]] != *b"----" {
        return None;
    }
    let mut digits = [0; 32];
    digits[..8].copy_from_slice(&bytes[..8]);
    digits[8..12].copy_from_slice(&bytes[9..13]);
    digits[12..16].copy_from_slice(&bytes[14..18]);
    digits[16..20].copy_from_slice(&bytes[19..23]);
    digits[20..].copy_from_slice(&bytes[24..]);
    let (eights, _) = digits.as_chunks::<8>();
    eights.iter().try_fold(0, |bits, eight| Some(bits << 32 | u128::from(hex_of(*eight)?)))
}

/// The value of eight hex digits in lower case, all at once.
fn hex_of(digits: [u8; 8]) -> Option<u32> {
    /// The same byte in all eight.
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    let written = u64::from_be_bytes(digits);
    // A letter has bit 6, and stands nine behind its low four bits.
    let worth = (written & each(0x0F)) + ((written >> 6) & each(1)) * 9;
    // What the digits of that worth are written as: the same, if they are digits.
    let letters = ((worth + each(6)) >> 4) & each(1);
    let again = worth + each(b'0') + letters * u64::from(b'a' - b'0' - 10);
    if again != written || worth & each(0xF0) != 0 {
        return None;
    }
    let pairs = (worth | worth >> 4) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF;
    Some((fours | fours >> 16) as u32)
}

impl Default for Facts {
    fn default() -> Self {
        Self::new()
    }
}

impl Facts {
    /// Facts of nothing.
    pub fn new() -> Self {
        Self {
            parts: Vec::new(),
            strings: Interner::of_ids(),
            sketches: Sketches::default(),
            usages: Vec::new(),
            iterations: Vec::new(),
            tallies: Runs::default(),
            misses: Vec::new(),
            inline_uuids: Vec::new(),
            attributions: Runs::default(),
            calls: Vec::new(),
            results: Vec::new(),
            texts: Vec::new(),
            rollouts: Rollouts::default(),
            further: Further::default(),
            words: Words::default(),
            census: None,
            records: None,
            blocks: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Facts of nothing, with room for those of so many records.
    pub fn with_room(records: usize) -> Self {
        // As many as assistants and tools have of them.
        let some = records / 2;
        Self {
            sketches: Sketches::with_room(records),
            usages: Vec::with_capacity(some),
            calls: Vec::with_capacity(some / 2),
            results: Vec::with_capacity(some / 2),
            ..Self::new()
        }
    }

    /// Gives back the room that it will not need any more.
    pub fn shrink(&mut self) {
        self.strings.seal();
        self.sketches.shrink();
        repack(&mut self.usages);
        repack(&mut self.iterations);
        self.tallies.shrink();
        self.attributions.shrink();
        repack(&mut self.calls);
        repack(&mut self.results);
        repack(&mut self.rollouts.records);
    }

    /// Renames every symbol, so that they stand for another interner's strings.
    pub fn rename(&mut self, names: &Renaming) {
        for part in &mut self.parts {
            names.apply(&mut part.agent);
            let counts = std::mem::take(&mut part.block_types).into_iter();
            let renamed = counts.map(|(mut kind, count)| {
                names.apply(&mut kind);
                (kind, count)
            });
            part.block_types = renamed.collect();
            part.sums.iter_mut().for_each(|sums| sums.rename(names));
        }
        self.sketches.rename(names);
        self.usages.iter_mut().for_each(|carrier| carrier.rename(names));
        for iteration in &mut self.iterations {
            names.apply(&mut iteration.kind);
            names.apply(&mut iteration.model);
        }
        self.misses.iter_mut().for_each(|miss| names.apply(&mut miss.kind));
        self.attributions.change(|Attribution(fields)| {
            for symbol in fields {
                names.apply(symbol);
            }
        });
        self.calls.iter_mut().for_each(|call| call.rename(names));
        self.results.iter_mut().for_each(|result| result.rename(names));
        self.rollouts.rename(names);
        self.further.rename(names);
    }
}

/// Moves what stays to a place of its own size. A vector that only shrinks stays where
/// it grew, in the middle of what the next unit could grow in.
pub(crate) fn repack<T>(values: &mut Vec<T>) {
    if values.len() == values.capacity() {
        return;
    }
    let mut packed = Vec::with_capacity(values.len());
    packed.append(values);
    *values = packed;
}

impl Facts {
    /// Adds the lines of earlier chunks of the same file.
    pub fn shift_lines(&mut self, lines: u64) {
        const LINE: usize = 1;
        self.sketches.shift_lines(lines);
        self.findings.iter_mut().for_each(|finding| finding.line += lines);
        self.census.iter_mut().for_each(|census| census.shift_lines(lines));
        let blocks = self.blocks.iter_mut();
        blocks.for_each(|blocks| blocks.rows.add_to_ints(LINE, lines as i64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_the_bits_of_a_uuid_in_lower_case_or_a_hash() {
        let uuid = "0123abcd-0000-4000-8000-00000000000f";
        let bits = 0x0123_abcd_0000_4000_8000_0000_0000_000f;
        assert_eq!(Identity::of(uuid), Some(Identity::Uuid(bits)));
        for other in [
            "0123ABCD-0000-4000-8000-00000000000f",
            "0123abcd00004000-8000-00000000000f00",
            "0123abcd-0000-4000-8000-0000000000-f",
            "u1",
        ] {
            assert!(matches!(Identity::of(other), Some(Identity::Hash(_))), "{other}");
        }
        assert_ne!(Identity::of("u1"), Identity::of("u2"));
        assert_eq!(Identity::of(""), None);
    }
}
