//! Rollouts of Codex: what a record is told by those before it, and in a fork by
//! its parent (rulings 93, 96, 97).

mod forks;
mod growth;
mod sessions;

use crate::facts::rollouts::{RolloutRecord, Rollouts};
use crate::join::Corpus;

pub use sessions::{Named, name_again};

/// Names the sessions of records, marks what forks replay, and makes usage of the
/// growth of totals.
pub fn judge(corpus: &mut Corpus) {
    if corpus.units.iter().all(|unit| unit.rollouts.is_empty()) {
        return;
    }
    sessions::name(corpus);
    forks::mark(corpus);
    growth::keep(corpus);
}

impl Corpus {
    /// The records of a rollout in a file, in order, each with its unit.
    fn rollout(&self, file: u32) -> impl Iterator<Item = (u32, &RolloutRecord)> {
        self.parts(file).flat_map(|(unit, part)| {
            let records = self.rollouts(unit).of(part.sketches.clone());
            records.iter().map(move |record| (unit, record))
        })
    }

    fn rollouts(&self, unit: u32) -> &Rollouts {
        &self.units[unit as usize].rollouts
    }
}

#[cfg(test)]
mod tests;
