//! Records of rollouts, and what they tell of tokens (rulings 93 to 97). What one
//! says depends on those before it, and in a fork on its parent: the join judges it.

use crate::record::rollout::{RolloutKind, Totals};
use crate::strings::{Renaming, Symbol};

/// A record of a rollout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RolloutRecord {
    /// Its sketch in [`super::Facts::sketches`].
    pub sketch: u32,
    pub kind: RolloutKind,
    /// Hash of the payload's JSON text.
    pub payload: u64,
    pub effort: Symbol,
    /// `forked_from_id` of a `session_meta`.
    pub forked_from: Symbol,
}

/// What a record of a rollout tells of the tokens of its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalsFact {
    /// Its sketch in [`super::Facts::sketches`].
    pub sketch: u32,
    /// All tokens so far.
    pub counts: Totals,
}

/// The records of rollouts among those of a unit, in order.
#[derive(Clone, Debug, Default)]
pub struct Rollouts {
    /// The records.
    pub records: Vec<RolloutRecord>,
    /// Those of them that tell of tokens.
    pub totals: Vec<TotalsFact>,
}

impl Rollouts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Those whose sketches are in a range.
    pub fn of(&self, sketches: std::ops::Range<usize>) -> &[RolloutRecord] {
        let place = |sketch: usize| {
            self.records.partition_point(|record| (record.sketch as usize) < sketch)
        };
        self.records.get(place(sketches.start)..place(sketches.end)).unwrap_or_default()
    }

    /// Whether the record of this sketch is one of a rollout.
    pub fn has(&self, sketch: u32) -> bool {
        self.records.binary_search_by_key(&sketch, |record| record.sketch).is_ok()
    }

    /// What a record tells of tokens.
    pub fn totals(&self, sketch: u32) -> Option<Totals> {
        let place = self.totals.binary_search_by_key(&sketch, |fact| fact.sketch).ok()?;
        Some(self.totals[place].counts)
    }

    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        for record in &mut self.records {
            names.apply(&mut record.effort);
            names.apply(&mut record.forked_from);
        }
    }
}
