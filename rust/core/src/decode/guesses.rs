//! Guesses at what comes next in a text, from what stood there before: writers of
//! transcripts keep to an order, and repeat themselves. A guess is compared with what
//! stands there before it is believed.

use crate::decode::keys::{OBJECT_KINDS, ObjectKind, Successors};
use crate::decode::repeats::Repeats;
use crate::decode::usage_shapes::UsageShapes;
use crate::time::Clock;

/// All that is guessed at.
#[derive(Debug)]
pub struct Guesses {
    successors: [Successors; OBJECT_KINDS],
    /// Stretches of records that were read before.
    pub repeats: Repeats,
    /// Shapes of usage objects that were read before.
    pub usage: UsageShapes,
    /// The minute that was read last.
    pub clock: Clock,
}

impl Default for Guesses {
    fn default() -> Self {
        Self {
            successors: std::array::from_fn(|_| Successors::default()),
            repeats: Repeats::default(),
            usage: UsageShapes::default(),
            clock: Clock::default(),
        }
    }
}

impl Guesses {
    /// Those for a kind of object.
    #[inline]
    pub fn of(&self, kind: ObjectKind) -> &Successors {
        &self.successors[kind as usize]
    }
}
