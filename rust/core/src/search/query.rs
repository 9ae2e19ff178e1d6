//! What is looked for: patterns, over folded text where case does not matter.

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};

use super::fold_case::fold_text;
use super::prefilter::Prefilter;

/// One thing to look for.
#[derive(Clone, Debug)]
pub struct Term {
    /// The pattern of what is found; where case does not matter it is one over folded
    /// text. It never matches nothing at all.
    pub pattern: String,
    /// Texts that stand in everything that it matches, folded likewise.
    pub contains: Vec<String>,
}

/// A pattern that cannot be searched for.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadPattern(#[from] regex::Error);

/// What to look for.
#[derive(Debug)]
pub struct Query {
    patterns: Vec<Regex>,
    is_any_enough: bool,
    folds: bool,
    prefilter: Prefilter,
}

/// Where something was found in a text, in characters: start and end.
pub(super) type Span = (i64, i64);

impl Query {
    /// Looks for all terms, or for any. `folds` where case does not matter.
    pub fn new(terms: &[Term], is_any_enough: bool, folds: bool) -> Result<Self, BadPattern> {
        let compiled = |term: &Term| RegexBuilder::new(&term.pattern).build();
        let patterns = terms.iter().map(compiled).collect::<Result<_, _>>()?;
        let prefilter = Prefilter::of(terms, is_any_enough, folds);
        Ok(Self { patterns, is_any_enough, folds, prefilter })
    }

    pub(super) fn prefilter(&self) -> &Prefilter {
        &self.prefilter
    }

    /// How many things are looked for.
    pub(super) fn terms(&self) -> usize {
        self.patterns.len()
    }

    /// Whether it is enough to have found these.
    pub(super) fn is_met(&self, found: &[bool]) -> bool {
        if self.is_any_enough { found.contains(&true) } else { !found.contains(&false) }
    }

    /// Everything found in a text, in order; marks in `found` what it was.
    pub(super) fn spans(&self, text: &str, found: &mut [bool]) -> Vec<Span> {
        let text = if self.folds { fold_text(text) } else { Cow::Borrowed(text) };
        let mut spans = Vec::new();
        for (pattern, found) in self.patterns.iter().zip(found) {
            let before = spans.len();
            // Bytes and characters up to the end of the match before.
            let (mut bytes, mut chars) = (0, 0);
            for matched in pattern.find_iter(&text) {
                let start = chars + code_points(&text[bytes..matched.start()]);
                chars = start + code_points(matched.as_str());
                bytes = matched.end();
                spans.push((start, chars));
            }
            *found |= spans.len() > before;
        }
        spans.sort_unstable();
        spans
    }

    /// Whether a text alone holds enough.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut found = vec![false; self.terms()];
        self.spans(text, &mut found);
        self.is_met(&found)
    }
}

fn code_points(text: &str) -> i64 {
    crate::decode::text::code_points(text) as i64
}
