//! What numbers in facts may point at, and what files are called where the
//! facts are read.

use std::ops::Range;

/// What a number of a fact counts.
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)] // They are named in the lists of fields.
pub(crate) enum Of {
    /// A file, which may have another number where the facts are read.
    files,
    parts,
    sketches,
    envelopes,
    usages,
    tallies,
    misses,
    attributions,
    calls,
    results,
    iterations,
    texts,
    words,
}

/// How many there are of each.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    /// Numbers of files, ascending, each with its new one.
    pub(crate) files: Vec<(u32, u32)>,
    pub(crate) strings: usize,
    pub(crate) parts: usize,
    pub(crate) sketches: usize,
    pub(crate) envelopes: usize,
    pub(crate) usages: usize,
    pub(crate) tallies: usize,
    pub(crate) misses: usize,
    pub(crate) attributions: usize,
    pub(crate) calls: usize,
    pub(crate) results: usize,
    pub(crate) iterations: usize,
    pub(crate) texts: usize,
    pub(crate) words: usize,
}

impl Limits {
    fn of(&self, what: Of) -> usize {
        match what {
            Of::files => self.files.len(),
            Of::parts => self.parts,
            Of::sketches => self.sketches,
            Of::envelopes => self.envelopes,
            Of::usages => self.usages,
            Of::tallies => self.tallies,
            Of::misses => self.misses,
            Of::attributions => self.attributions,
            Of::calls => self.calls,
            Of::results => self.results,
            Of::iterations => self.iterations,
            Of::texts => self.texts,
            Of::words => self.words,
        }
    }

    /// What a file is called here; none where it is none of these.
    pub(crate) fn file(&self, number: u32) -> Option<u32> {
        let place = self.files.binary_search_by_key(&number, |(old, _)| *old).ok()?;
        Some(self.files[place].1)
    }
}

/// A number, or several, that point at something.
pub(crate) trait Confined {
    /// Whether all is there that is pointed at; files get their new numbers.
    fn confine(&mut self, what: Of, limits: &Limits) -> bool;
}

impl Confined for u32 {
    fn confine(&mut self, what: Of, limits: &Limits) -> bool {
        if let Of::files = what {
            return limits.file(*self).map(|number| *self = number).is_some();
        }
        (*self as usize) < limits.of(what)
    }
}

impl Confined for Range<usize> {
    fn confine(&mut self, what: Of, limits: &Limits) -> bool {
        self.start <= self.end && self.end <= limits.of(what)
    }
}

impl Confined for Range<u32> {
    fn confine(&mut self, what: Of, limits: &Limits) -> bool {
        (self.start as usize..self.end as usize).confine(what, limits)
    }
}
