//! What a scan saw, in a few numbers: files, bytes, records by type, lines
//! lost, and the names that the schema does not know (SPEC section 3).

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::{Beside, BesideCounts};
use crate::join::Corpus;
use crate::join::files::Status;
use crate::schema::vocabulary;
use crate::strings::Symbol;

/// The coverage statement of a scan (ruling 36).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Coverage {
    pub files_found: u64,
    pub files_read: u64,
    pub files_partial: u64,
    pub files_unreadable: u64,
    pub files_copied: u64,
    pub bytes: u64,
    pub records: u64,
    pub lines_lost: u64,
    pub blank_lines: u64,
    pub records_by_type: BTreeMap<String, u64>,
    pub unknown_types: BTreeMap<String, u64>,
    pub unknown_blocks: BTreeMap<String, u64>,
    pub skill_listings: u64,
    pub skill_listings_empty: u64,
    pub invoked_skills: u64,
    pub invoked_skills_empty: u64,
    pub beside: BesideCounts,
}

/// Name of a record that has no type.
const NO_TYPE: &str = "(none)";

/// Counts what the corpus holds, and what stands beside it.
pub fn coverage(corpus: &Corpus, beside: &Beside) -> Coverage {
    let mut coverage = Coverage { beside: beside.counts, ..Coverage::default() };
    let mut types = vec![0_u64; corpus.strings.len()];
    let mut blocks = vec![0_u64; corpus.strings.len()];
    let mut untyped = 0;
    for (file, number) in corpus.files.iter().zip(0..) {
        coverage.files_found += 1;
        match file.status {
            Status::Ok => coverage.files_read += 1,
            Status::Partial => {
                coverage.files_read += 1;
                coverage.files_partial += 1;
            }
            Status::Unreadable => coverage.files_unreadable += 1,
            Status::Copy => coverage.files_copied += 1,
        }
        coverage.bytes += file.bytes;
        coverage.records += file.records;
        coverage.lines_lost += file.lost_lines;
        coverage.blank_lines += file.blank_lines;
        if file.status == Status::Copy {
            continue;
        }
        for (unit, part) in corpus.parts(number) {
            coverage.skill_listings += part.skill_listings;
            coverage.skill_listings_empty += part.skill_listings_empty;
            coverage.invoked_skills += part.invoked_skills;
            coverage.invoked_skills_empty += part.invoked_skills_empty;
            let mut add = |kind: Symbol, count| match kind {
                Symbol::NONE => untyped += count,
                kind => types[kind.index()] += count,
            };
            if let Some(sums) = &part.sums {
                sums.types.iter().for_each(|(kind, count)| add(*kind, *count));
            } else {
                let sketches = &corpus.units[unit as usize].sketches;
                let records = sketches.range(part.sketches.clone());
                records.for_each(|sketch| add(sketch.kind, 1));
            }
            for (kind, count) in part.block_types.iter().filter(|(kind, _)| kind.is_some()) {
                blocks[kind.index()] += count;
            }
        }
    }
    coverage.records_by_type = named(corpus, &types);
    coverage.unknown_types = unknown(&coverage.records_by_type, "known_record_types");
    coverage.unknown_blocks = unknown(&named(corpus, &blocks), "known_block_types");
    if untyped > 0 {
        *coverage.records_by_type.entry(NO_TYPE.to_owned()).or_default() += untyped;
    }
    coverage
}

impl Coverage {
    /// Adds what was seen of other files.
    pub fn add(&mut self, other: Self) {
        for (own, other) in [
            (&mut self.files_found, other.files_found),
            (&mut self.files_read, other.files_read),
            (&mut self.files_partial, other.files_partial),
            (&mut self.files_unreadable, other.files_unreadable),
            (&mut self.files_copied, other.files_copied),
            (&mut self.bytes, other.bytes),
            (&mut self.records, other.records),
            (&mut self.lines_lost, other.lines_lost),
            (&mut self.blank_lines, other.blank_lines),
            (&mut self.skill_listings, other.skill_listings),
            (&mut self.skill_listings_empty, other.skill_listings_empty),
            (&mut self.invoked_skills, other.invoked_skills),
            (&mut self.invoked_skills_empty, other.invoked_skills_empty),
            (&mut self.beside.meta, other.beside.meta),
            (&mut self.beside.workflow, other.beside.workflow),
            (&mut self.beside.memory, other.beside.memory),
            (&mut self.beside.script, other.beside.script),
            (&mut self.beside.tool_result, other.beside.tool_result),
        ] {
            *own += other;
        }
        for (own, other) in [
            (&mut self.records_by_type, other.records_by_type),
            (&mut self.unknown_types, other.unknown_types),
            (&mut self.unknown_blocks, other.unknown_blocks),
        ] {
            for (name, count) in other {
                *own.entry(name).or_default() += count;
            }
        }
    }
}

fn named(corpus: &Corpus, counts: &[u64]) -> BTreeMap<String, u64> {
    let counted = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    counted.map(|(index, count)| (corpus.strings.text_of_index(index).to_owned(), *count)).collect()
}

fn unknown(counts: &BTreeMap<String, u64>, list: &str) -> BTreeMap<String, u64> {
    let known: BTreeSet<&str> = vocabulary(list).collect();
    let unknown = counts.iter().filter(|(name, _)| !known.contains(name.as_str()));
    unknown.map(|(name, count)| (name.clone(), *count)).collect()
}
