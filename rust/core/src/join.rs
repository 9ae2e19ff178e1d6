//! Facts of all units to the facts of the corpus: what needs more than one
//! line, or more than one file, to be known is judged here and nowhere else.
//! The outcome depends on the order of files and lines alone, never on which
//! thread folded what.

pub mod agents;
pub mod compactions;
pub mod copies;
pub mod endings;
pub mod file_history;
pub mod files;
pub mod links;
#[cfg(test)]
pub(crate) mod made;
pub mod notifications;
pub mod originals;
pub mod places;
pub mod prompts;
pub mod replays;
pub mod rollouts;
pub mod sessions;
pub mod side_paths;
pub mod sidecars;
pub mod skills;
pub mod titles;
pub mod tool_calls;
pub mod usage;
pub mod workflows;

use rayon::prelude::*;

use crate::diagnose::Finding;
use crate::discover::{FileKind, Transcript};
use crate::facts::kept::Tally;
use crate::facts::{Call, Envelope, Facts, FilePart, Identity, Sketch, ToolResult, UsageCarrier};
use crate::record::Counts;
use crate::strings::{Interner, Symbol};
use files::FileFacts;

/// The facts of the corpus, joined.
#[derive(Debug)]
pub struct Corpus {
    /// The strings of every symbol.
    pub strings: Interner,
    /// The units, in order of file and place.
    pub units: Vec<Facts>,
    /// One for each transcript.
    pub files: Vec<FileFacts>,
    /// Which sketches count, by unit; empty where all do.
    pub standing: Vec<Vec<Standing>>,
    /// Files that are read as one: the members of each copy group, or one file.
    pub threads: Vec<Vec<u32>>,
    /// The sessions of records that their files name, by unit; empty where there is
    /// no rollout.
    pub named: Vec<Vec<rollouts::Named>>,
    /// By unit the number of the first carrier that is the growth of a thread; empty
    /// where there is no rollout.
    pub growths_from: Vec<u32>,
    /// What was found while joining.
    pub findings: Vec<Finding>,
}

/// Whether a record counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    #[default]
    Counts,
    /// It repeats an earlier record.
    Replay,
    /// Its file is a copy of another, or could not be read to its end.
    Copied,
}

/// A fact of a unit, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which unit.
    pub unit: u32,
    /// Which of its facts of this kind.
    pub index: u32,
}

/// Where a fact stands: file, line, place on the line.
pub type Position = (u32, u64, u32);

impl Corpus {
    /// Puts the units together: one set of strings, line numbers of the file.
    pub fn new(mut units: Vec<Facts>, transcripts: &[Transcript]) -> Self {
        let mut strings = Interner::of_ids();
        strings.reserve_for(units.iter().map(|unit| &unit.strings));
        let names: Vec<_> = units
            .iter_mut()
            .map(|unit| strings.absorb(&std::mem::take(&mut unit.strings)))
            .collect();
        units.par_iter_mut().zip(&names).for_each(|(unit, names)| unit.rename(names));
        number_lines(&mut units);
        let standing = vec![Vec::new(); units.len()];
        let mut corpus = Self {
            strings,
            units,
            files: Vec::new(),
            standing,
            threads: Vec::new(),
            named: Vec::new(),
            growths_from: Vec::new(),
            findings: Vec::new(),
        };
        corpus.files = files::sum_up(&mut corpus.strings, &corpus.units, transcripts);
        corpus
    }

    /// A sketch.
    #[inline]
    pub fn sketch(&self, unit: u32, sketch: u32) -> Sketch {
        self.units[unit as usize].sketches.get(sketch as usize)
    }

    /// Whether a record counts.
    #[inline]
    pub fn standing(&self, unit: u32, sketch: u32) -> Standing {
        self.standing[unit as usize].get(sketch as usize).copied().unwrap_or_default()
    }

    /// Sets whether a record counts.
    pub fn set_standing(&mut self, unit: u32, sketch: usize, standing: Standing) {
        let count = self.units[unit as usize].sketches.len();
        let all = &mut self.standing[unit as usize];
        if all.is_empty() {
            all.resize(count, Standing::Counts);
        }
        all[sketch] = standing;
    }

    /// The parts of a file, in order, each with its unit.
    pub fn parts(&self, file: u32) -> impl Iterator<Item = (u32, &FilePart)> {
        let parts = &self.files[file as usize].parts;
        parts
            .iter()
            .map(|place| (place.unit, &self.units[place.unit as usize].parts[place.index as usize]))
    }

    /// A carrier of usage.
    pub fn carrier(&self, place: Place) -> &UsageCarrier {
        &self.units[place.unit as usize].usages[place.index as usize]
    }

    /// What a carrier has in common with its record.
    #[inline]
    pub fn envelope(&self, place: Place) -> &Envelope {
        let unit = &self.units[place.unit as usize];
        unit.sketches.envelope_at(unit.usages[place.index as usize].envelope)
    }

    /// The counts of a carrier.
    pub fn counts(&self, place: Place) -> Counts {
        (*self.tally(place)).into()
    }

    /// The counts of a carrier, as they are kept.
    #[inline]
    pub fn tally(&self, place: Place) -> &Tally {
        let unit = &self.units[place.unit as usize];
        unit.tallies.get(unit.usages[place.index as usize].counts)
    }

    /// The identity of a carrier.
    pub fn uuid(&self, place: Place) -> Option<Identity> {
        let unit = &self.units[place.unit as usize];
        let carrier = &unit.usages[place.index as usize];
        if !carrier.is_inline {
            return unit.sketches.uuid(carrier.sketch as usize);
        }
        let inline = &unit.inline_uuids;
        let found = inline.binary_search_by_key(&place.index, |(carrier, _)| *carrier).ok()?;
        Some(inline[found].1)
    }

    /// A call.
    pub fn call(&self, place: Place) -> &Call {
        &self.units[place.unit as usize].calls[place.index as usize]
    }

    /// A result.
    pub fn result(&self, place: Place) -> &ToolResult {
        &self.units[place.unit as usize].results[place.index as usize]
    }

    /// Every carrier of a record that counts, in order.
    pub fn carriers(&self) -> impl Iterator<Item = (Place, &UsageCarrier)> {
        self.units.iter().zip(0..).flat_map(move |(unit, number)| {
            unit.usages.iter().zip(0..).filter_map(move |(carrier, index)| {
                let counts = self.standing(number, carrier.sketch) == Standing::Counts;
                let place = Place { unit: number, index };
                // Only Claude's files carry usage of another kind.
                let claude = self.files[carrier.file as usize].kind != FileKind::Codex;
                (counts && (claude || self.is_growth(place))).then_some((place, carrier))
            })
        })
    }

    /// Whether a carrier is the growth of a thread's totals (ruling 96).
    #[inline]
    pub fn is_growth(&self, place: Place) -> bool {
        self.growths_from.get(place.unit as usize).is_some_and(|first| place.index >= *first)
    }

    /// The session that a record belongs to in the tables beside the core: its
    /// own, else its file's (ruling 37).
    pub fn session(&self, own: Symbol, file: u32) -> Symbol {
        if own.is_id() { own } else { self.files[file as usize].session }
    }

    /// The agent of a fact: what its record says, else the file's.
    pub fn agent(&self, own: Symbol, file: u32) -> Symbol {
        own.or(self.files[file as usize].agent)
    }
}

/// A chunk counts its lines from 1; those of the chunks before it in the same
/// file are added here. A unit with a chunk holds nothing else.
fn number_lines(units: &mut [Facts]) {
    let mut before = 0;
    let mut file = None;
    for unit in units {
        let Some(first) = unit.parts.first() else { continue };
        if file != Some(first.file) {
            before = 0;
        }
        if before > 0 {
            unit.shift_lines(before);
        }
        let last = unit.parts.last().map_or(0, |part| part.file);
        let single = unit.parts.len() == 1;
        before = if single { before + unit.parts[0].lines } else { 0 };
        file = Some(last);
    }
}
