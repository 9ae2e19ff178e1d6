//! The usage that was read last: the records of one response repeat it.

use std::cell::RefCell;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::decode::text::Raw;
use crate::record::{Counts, Flaws, Iteration, Usage};

/// That usage, and its text.
#[derive(Debug, Default)]
pub struct LastUsage(RefCell<Option<Known>>);

#[derive(Debug)]
struct Known {
    text: String,
    quotes: usize,
    counts: Counts,
    iterations: Vec<Entry>,
    flaws: Flaws,
}

/// An iteration, with the places of its type and model in the text.
#[derive(Debug)]
struct Entry {
    index: u32,
    kind: Option<Range<usize>>,
    model: Option<Range<usize>>,
    counts: Counts,
}

impl LastUsage {
    /// The usage with which `text` begins, where it is the same; with its bytes and quotes.
    pub fn find<'a>(&self, text: &'a str) -> Option<(Usage<'a>, usize, usize)> {
        let known = self.0.borrow();
        let known = known.as_ref()?;
        if !text.as_bytes().starts_with(known.text.as_bytes()) {
            return None;
        }
        let raw = |place: &Option<Range<usize>>| Some(Raw::new(text.get(place.clone()?)?, 0));
        let iterations = known.iterations.iter().map(|entry| Iteration {
            index: entry.index,
            kind: raw(&entry.kind),
            model: raw(&entry.model),
            counts: entry.counts,
        });
        let iterations = iterations.collect();
        let usage = Usage { counts: known.counts, iterations, flaws: known.flaws };
        Some((usage, known.text.len(), known.quotes))
    }

    /// Remembers a usage and its text.
    pub fn learn(&self, text: &str, usage: &Usage<'_>) {
        if memchr(b'\\', text.as_bytes()).is_some() {
            return;
        }
        let place = |raw: Option<Raw<'_>>| {
            let start = raw?.written().as_ptr() as usize - text.as_ptr() as usize;
            Some(start..start + raw?.written().len())
        };
        let iterations = usage.iterations.iter().map(|entry| Entry {
            index: entry.index,
            kind: place(entry.kind),
            model: place(entry.model),
            counts: entry.counts,
        });
        *self.0.borrow_mut() = Some(Known {
            text: text.to_owned(),
            quotes: memchr_iter(b'"', text.as_bytes()).count(),
            counts: usage.counts,
            iterations: iterations.collect(),
            flaws: usage.flaws,
        });
    }
}
