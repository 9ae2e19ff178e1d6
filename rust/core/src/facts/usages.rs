//! Carriers of usage. What a carrier has in common with its record, or with the
//! carriers before it, it names by number.

use std::ops::Range;

use crate::facts::kept::{Maybe, Number, Tally};
use crate::strings::{Renaming, Symbol};

/// A record, or an inline one, that carries usage.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct UsageCarrier {
    /// Its sketch in [`super::Facts::sketches`].
    pub sketch: u32,
    pub file: u32,
    /// Number of its envelope in [`super::Facts::sketches`].
    pub envelope: u32,
    pub message: Symbol,
    pub request: Symbol,
    pub agent: Symbol,
    pub stop_reason: Symbol,
    pub effort: Symbol,
    /// Number in [`super::Facts::attributions`].
    pub attribution: u32,
    /// Number in [`super::Facts::tallies`].
    pub counts: u32,
    /// Number in [`super::Facts::misses`].
    pub miss: Option<Number>,
    /// Its entries in [`super::Facts::iterations`].
    pub iterations: Range<u32>,
    pub timestamp: Maybe,
    pub is_sidechain: Option<bool>,
    pub is_inline: bool,
    pub is_api_error: Option<bool>,
}

/// Why a cache was missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct CacheMiss {
    pub kind: Symbol,
    pub missed_input_tokens: Option<i64>,
}

/// An entry of `usage.iterations`.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct IterationFact {
    pub index: u32,
    pub kind: Symbol,
    pub model: Symbol,
    pub counts: Tally,
}

/// The attribution fields, in the order of [`crate::record::Str::ATTRIBUTION`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attribution(pub [Symbol; 5]);

impl UsageCarrier {
    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols = [
            &mut self.message,
            &mut self.request,
            &mut self.agent,
            &mut self.stop_reason,
            &mut self.effort,
        ];
        for symbol in symbols {
            names.apply(symbol);
        }
    }
}
