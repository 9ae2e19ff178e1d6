//! What is looked for: patterns, over folded text where case does not matter.

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
    /// Whether it matches these texts, white space between them, and nothing else.
    pub is_literal: bool,
}

impl Term {
    /// Whether the crate `regex` finds it in text as it stands, letters of any case,
    /// where it is to be found in folded text: what folds into ASCII is the same.
    fn needs_no_folding(&self) -> bool {
        self.is_literal && self.contains.iter().all(|text| text.is_ascii())
    }
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
    /// Whether texts are folded before they are searched.
    folds: bool,
    prefilter: Prefilter,
}

/// Where something was found in a text, in characters: start and end.
pub(super) type Span = (i64, i64);

impl Query {
    /// Looks for all terms, or for any. `folds` where case does not matter.
    pub fn new(terms: &[Term], is_any_enough: bool, folds: bool) -> Result<Self, BadPattern> {
        let as_it_stands = folds && terms.iter().all(Term::needs_no_folding);
        let compiled =
            |term: &Term| RegexBuilder::new(&term.pattern).case_insensitive(as_it_stands).build();
        let patterns = terms.iter().map(compiled).collect::<Result<_, _>>()?;
        let prefilter = Prefilter::of(terms, is_any_enough, folds);
        Ok(Self { patterns, is_any_enough, folds: folds && !as_it_stands, prefilter })
    }

    pub(super) fn prefilter(&self) -> &Prefilter {
        &self.prefilter
    }

    /// A searcher of one text after the other.
    pub(super) fn searcher(&self) -> Searcher<'_> {
        Searcher { query: self, found: vec![false; self.patterns.len()], folded: String::new() }
    }

    /// Whether a text alone holds enough.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut searcher = self.searcher();
        searcher.spans(text);
        searcher.is_met()
    }
}

/// Searches the texts of a record.
#[derive(Debug)]
pub(super) struct Searcher<'q> {
    query: &'q Query,
    /// Which patterns were found in any of the texts.
    found: Vec<bool>,
    folded: String,
}

impl Searcher<'_> {
    /// Begins another record.
    pub(super) fn begin(&mut self) {
        self.found.fill(false);
    }

    /// Whether what was found is enough.
    pub(super) fn is_met(&self) -> bool {
        let found = &self.found;
        if self.query.is_any_enough { found.contains(&true) } else { !found.contains(&false) }
    }

    /// Everything found in a text, in order.
    pub(super) fn spans(&mut self, text: &str) -> Vec<Span> {
        let text = if self.query.folds { fold_text(text, &mut self.folded) } else { text };
        let mut spans = Vec::new();
        for (pattern, found) in self.query.patterns.iter().zip(&mut self.found) {
            let before = spans.len();
            // Bytes and characters up to the end of the match before.
            let (mut bytes, mut chars) = (0, 0);
            for matched in pattern.find_iter(text) {
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
}

fn code_points(text: &str) -> i64 {
    crate::decode::text::code_points(text) as i64
}
