//! Sketches with every number in a place of its own, as they travel.

use super::{HASH, KIND_SHIFT, NO_UUID, Packed, Sketches, UUID, uuid};
use crate::facts::Identity;
use crate::facts::kept::{Maybe, Runs};
use crate::facts::sketches::Envelope;
use crate::strings::Symbol;

/// What a record has for itself; the rest is in its envelope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose {
    pub(crate) line: u64,
    pub(crate) place: u32,
    pub(crate) span: (u64, u64),
    pub(crate) uuid: Option<Identity>,
    pub(crate) payload: u64,
    pub(crate) timestamp: Maybe,
    /// Number of its envelope.
    pub(crate) envelope: u32,
}

impl Sketches {
    /// All of them.
    pub(crate) fn loose(&self) -> Vec<Loose> {
        let loose = |(index, packed): (usize, &Packed)| {
            let (line, place, span) = self.site_of(index, *packed);
            Loose {
                line,
                place,
                span,
                uuid: uuid(*packed),
                payload: packed.payload,
                timestamp: packed.timestamp,
                envelope: packed.envelope & !(u32::MAX << KIND_SHIFT),
            }
        };
        self.packed.iter().enumerate().map(loose).collect()
    }

    /// What the numbers of envelopes stand for.
    pub(crate) fn envelopes(&self) -> &[Envelope] {
        self.envelopes.values()
    }

    /// `leafUuid` of the records that have one, by number.
    pub(crate) fn leaves(&self) -> &[(u32, Symbol)] {
        &self.leaves
    }

    /// The sketches of such parts; none where there are more envelopes than a
    /// sketch can name.
    pub(crate) fn of_loose(
        loose: &[Loose],
        envelopes: Vec<Envelope>,
        leaves: Vec<(u32, Symbol)>,
    ) -> Option<Self> {
        if envelopes.len() > 1 << KIND_SHIFT {
            return None;
        }
        let envelopes = Runs::of(envelopes);
        let mut sketches = Self { envelopes, leaves, ..Self::default() };
        sketches.packed.reserve_exact(loose.len());
        for (index, own) in loose.iter().enumerate() {
            let (kind, uuid) = match own.uuid {
                None => (NO_UUID, 0),
                Some(Identity::Uuid(bits)) => (UUID, bits),
                Some(Identity::Hash(bits)) => (HASH, bits),
            };
            let (at, span) = sketches.site(index, (own.line, own.place, own.span));
            sketches.packed.push(Packed {
                uuid,
                payload: own.payload,
                at,
                span,
                timestamp: own.timestamp,
                envelope: own.envelope | kind << KIND_SHIFT,
            });
        }
        Some(sketches)
    }
}
