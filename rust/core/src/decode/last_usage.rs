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
    /// With the places of type and model in the text.
    iterations: Vec<(u32, [Option<Range<usize>>; 2], Counts)>,
    flaws: Flaws,
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
        let iterations = known.iterations.iter().map(|(index, [kind, model], counts)| Iteration {
            index: *index,
            kind: raw(kind),
            model: raw(model),
            counts: *counts,
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
        let iterations = usage
            .iterations
            .iter()
            .map(|entry| (entry.index, [place(entry.kind), place(entry.model)], entry.counts));
        *self.0.borrow_mut() = Some(Known {
            text: text.to_owned(),
            quotes: memchr_iter(b'"', text.as_bytes()).count(),
            counts: usage.counts,
            iterations: iterations.collect(),
            flaws: usage.flaws,
        });
    }
}
