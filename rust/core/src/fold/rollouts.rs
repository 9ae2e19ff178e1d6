//! Records of rollouts (rulings 93 to 97).

use xxhash_rust::xxh3::xxh3_64;

use crate::facts::rollouts::{RolloutRecord, TotalsFact};
use crate::fold::{Folder, Recent};
use crate::record::{Record, Str};

impl Folder {
    /// Keeps what tells a record of a rollout from others, and its tokens.
    pub(super) fn rollout(&mut self, sketch: u32, record: &Record<'_>) {
        let Some(rollout) = &record.rollout else { return };
        let fact = RolloutRecord {
            sketch,
            kind: rollout.kind,
            payload: xxh3_64(rollout.payload.as_bytes()),
            effort: self.recall(Recent::Effort, record.string(Str::Effort)),
            forked_from: self.intern(rollout.forked_from),
        };
        self.facts.rollouts.records.push(fact);
        let totals = rollout.totals.map(|counts| TotalsFact { sketch, counts });
        self.facts.rollouts.totals.extend(totals);
    }
}
