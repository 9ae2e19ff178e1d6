//! The lines whose bytes may hold what is looked for. It may let too much through, and
//! never too little (ruling 87): JSON writes one text in many ways.
//!
//! Of everything that a match must contain, one run of characters is looked for that
//! JSON can only write as they are or as `\u` escapes: what needs a backslash of its
//! own, and U+FFFD, which damage becomes, is in no run. So a line that holds the run has
//! it as bytes, some letters in another case, or a `\u` escape of one of its characters.

use std::cmp::Reverse;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};
use regex::bytes::{Regex, RegexBuilder};

use super::fold_case::{fold, may_be_folded_to};
use super::query::Term;
use crate::split::lines;

/// Finds lines; every line where it holds no run.
#[derive(Debug)]
pub(super) struct Prefilter {
    runs: Vec<Run>,
    escape: Finder<'static>,
}

#[derive(Debug)]
struct Run {
    /// The run as bytes, in whatever case.
    plain: Regex,
    /// Its characters, folded.
    letters: Vec<char>,
    folds: bool,
}

/// Where a line starts in some bytes, and where it ends before its line feed.
pub(super) type Candidate = (usize, usize);

impl Prefilter {
    pub(super) fn of(terms: &[Term], is_any_enough: bool, folds: bool) -> Self {
        let best: Vec<_> = terms.iter().map(|term| longest_run(&term.contains, folds)).collect();
        let runs = if is_any_enough {
            // A term without a run may be anywhere.
            best.into_iter().collect::<Option<Vec<_>>>().unwrap_or_default()
        } else {
            best.into_iter().flatten().max_by_key(String::len).into_iter().collect()
        };
        Self::of_runs(&runs, folds)
    }

    /// Lines that hold one of some texts which no escape but `\u` can write otherwise.
    pub(super) fn of_texts(texts: &[&str]) -> Self {
        Self::of_runs(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), false)
    }

    fn of_runs(runs: &[String], folds: bool) -> Self {
        let made: Option<Vec<Run>> = runs.iter().map(|run| Run::new(run, folds)).collect();
        Self { runs: made.unwrap_or_default(), escape: Finder::new(b"\\u") }
    }

    /// Whether a text that is no JSON may hold what is looked for.
    pub(super) fn may_be_in(&self, text: &[u8]) -> bool {
        self.runs.is_empty() || self.runs.iter().any(|run| run.plain.is_match(text))
    }

    /// The lines of `bytes` that may hold what is looked for, in order.
    pub(super) fn candidates(&self, bytes: &[u8]) -> Vec<Candidate> {
        if self.runs.is_empty() {
            let whole = lines(bytes).map(|line| (line.offset, line.offset + line.bytes.len()));
            return whole.collect();
        }
        let mut starts = Vec::new();
        for run in &self.runs {
            let plain = |from: usize| run.plain.find_at(bytes, from).map(|found| found.start());
            each_line(bytes, plain, &mut starts);
        }
        let escaped = |from: usize| {
            let mut escapes = self.escape.find_iter(&bytes[from..]).map(|at| from + at);
            escapes.find(|at| self.runs.iter().any(|run| run.may_be_escaped(&bytes[*at..])))
        };
        each_line(bytes, escaped, &mut starts);
        starts.sort_unstable();
        starts.dedup();
        let end = |start| memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |feed| start + feed);
        starts.into_iter().map(|start| (start, end(start))).collect()
    }
}

/// Notes the starts of the lines where `next` finds something.
fn each_line(bytes: &[u8], next: impl Fn(usize) -> Option<usize>, starts: &mut Vec<usize>) {
    let mut from = 0;
    while let Some(at) = next(from) {
        starts.push(memrchr(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1));
        from = match memchr(b'\n', &bytes[at..]) {
            Some(feed) => at + feed + 1,
            None => return,
        };
    }
}

/// How many line feeds there are.
pub(super) fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The longest run in the texts: in no folded run is a letter that a letter outside of
/// ASCII would have to be spelled out for.
fn longest_run(contains: &[String], folds: bool) -> Option<String> {
    let is_sure = |letter: char| {
        !letter.is_control()
            && !matches!(letter, '"' | '\\' | '/' | char::REPLACEMENT_CHARACTER)
            && (letter.is_ascii() || !folds || !may_be_folded_to(letter))
    };
    let runs = contains.iter().flat_map(|text| text.split(|letter| !is_sure(letter)));
    let longest = runs.min_by_key(|run| Reverse(run.len()))?;
    (!longest.is_empty()).then(|| longest.to_owned())
}

impl Run {
    /// None where there is no way to look for it.
    fn new(run: &str, folds: bool) -> Option<Self> {
        // Without regard to case it takes in the long s and the sign of Kelvin as well.
        let mut builder = RegexBuilder::new(&regex::escape(run));
        let plain = builder.case_insensitive(folds).build().ok()?;
        Some(Self { plain, letters: run.chars().collect(), folds })
    }

    /// Whether the escape that `bytes` begin with may stand for one of its characters.
    fn may_be_escaped(&self, bytes: &[u8]) -> bool {
        // What is no escape makes no record.
        let Some(digits) = bytes.get(2..6) else { return false };
        // Most escapes are of control characters, which are in no run.
        if let [b'0', b'0', b'0' | b'1', _] = digits {
            return false;
        }
        let unit = digits
            .iter()
            .try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?));
        match unit.map(char::from_u32) {
            None => false,
            Some(Some(letter)) if self.folds => self.letters.contains(&fold(letter)),
            Some(Some(letter)) => self.letters.contains(&letter),
            // Half of a character beyond 16 bits.
            Some(None) => self.letters.iter().any(|letter| *letter as u32 > 0xFFFF),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(contains: &[&str], folds: bool, line: &str) -> bool {
        let contains = contains.iter().map(|text| (*text).to_owned()).collect();
        let term = Term { pattern: String::new(), contains, is_literal: true };
        let prefilter = Prefilter::of(&[term], false, folds);
        assert!(!prefilter.runs.is_empty(), "every line would pass");
        !prefilter.candidates(line.as_bytes()).is_empty()
    }

    #[test]
    fn every_spelling_of_a_word_passes() {
        for line in ["desk", "DeSk", "deſ\u{212A}", r"de\u0073k", r"d\u0045sk", r"de\u017fk"] {
            assert!(passes(&["desk"], true, line), "{line}");
        }
        for line in [r"des\u212A", r"des\u004b"] {
            assert!(passes(&["desk", "x"], true, line), "{line}");
        }
        assert!(passes(&["😀"], true, r"\ud83d\ude00 x"));
        for line in ["disk", r"des\u0041", r"\u00e9", "des k"] {
            assert!(!passes(&["desk"], true, line), "{line}");
        }
        assert!(!passes(&["desk"], false, "DESK"));
        assert!(passes(&["desk"], false, r"\u006bit"));
    }

    #[test]
    fn what_json_writes_with_a_backslash_is_in_no_run() {
        assert!(passes(&["a/long\"er\\name"], true, "long"));
        let none = |text: &str| longest_run(&[text.to_owned()], true).is_none();
        assert!(none("/") && none("\u{FFFD}") && none("é") && none("\n\"") && none("\u{2C65}"));
        assert_eq!(longest_run(&["é日本".to_owned()], true).as_deref(), Some("日本"));
    }

    #[test]
    fn lines_are_cut_at_line_feeds() {
        let contains = vec!["b".to_owned()];
        let term = Term { pattern: String::new(), contains, is_literal: true };
        let found = Prefilter::of(&[term], false, true).candidates(b"a\nb b\n\n\\u0062\nab");
        assert_eq!(found, [(2, 5), (7, 13), (14, 16)]);
    }
}
