//! Texts that are no person's wherever they stand, alone or behind one's words
//! (ruling 53): hooks and loops append them without any tag.

use hashbrown::HashSet;

use super::prefixes::Prefixes;
use super::{Kind, Prompt, Reason};
use crate::facts::words::trim;
use crate::join::{Corpus, Standing};

/// Shorter texts prove nothing.
const LEAST_CHARS: usize = 30;

/// Known blocks, each from its end to its start: what a text ends with is what
/// it begins with, read backwards.
#[derive(Debug)]
pub struct KnownBlocks {
    backwards: Prefixes<Vec<u8>>,
    longest: usize,
}

/// What known blocks say of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// It is one.
    Whole,
    /// It ends with one; what stands before it has this many bytes.
    Tail(usize),
}

impl KnownBlocks {
    /// Those of a corpus, of which `prompts` are the candidates.
    pub(super) fn of(corpus: &Corpus, prompts: &[Prompt<'_>]) -> Self {
        Self::new(known(corpus, prompts))
    }

    /// Those among these texts.
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let long = |text: &&str| text.chars().nth(LEAST_CHARS - 1).is_some();
        let texts: HashSet<&str> = texts.filter(long).collect();
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let backwards = Prefixes::new(texts.into_iter().map(backwards).collect());
        Self { backwards, longest }
    }

    /// The longest known block that a trimmed text is, or ends with behind white space.
    pub(super) fn find(&self, text: &str) -> Option<Match> {
        let bytes = text.as_bytes();
        let end = &bytes[bytes.len().saturating_sub(self.longest)..];
        let end: Vec<u8> = end.iter().rev().copied().collect();
        self.backwards.of(&end).find_map(|number| {
            let start = text.len() - self.backwards.texts()[number as usize].len();
            let before = text.get(..start)?;
            match before.as_bytes().last() {
                None => Some(Match::Whole),
                Some(b' ' | b'\t' | b'\n' | b'\r') => Some(Match::Tail(trim(before).len())),
                Some(_) => None,
            }
        })
    }
}

/// The texts that may be known blocks.
pub(super) fn known<'t>(
    corpus: &'t Corpus,
    prompts: &'t [Prompt<'_>],
) -> impl Iterator<Item = &'t str> {
    let rows = prompts.iter().filter(|prompt| is_known(corpus, prompt));
    rows.map(|prompt| prompt.text.as_ref()).chain(contexts(corpus))
}

fn backwards(text: &str) -> Vec<u8> {
    text.bytes().rev().collect()
}

/// Whether a row's text is a known block.
fn is_known(corpus: &Corpus, prompt: &Prompt<'_>) -> bool {
    match (prompt.kind, prompt.reason) {
        (Kind::Meta, _) | (Kind::Injected, Some(Reason::Tag)) => true,
        (Kind::Injected, Some(Reason::PromptSource)) => {
            corpus.strings.text(prompt.prompt_source) == Some("system")
        }
        _ => false,
    }
}

/// What hooks put into the context.
fn contexts(corpus: &Corpus) -> impl Iterator<Item = &str> {
    corpus.units.iter().zip(0..).flat_map(move |(unit, number)| {
        let counts = move |sketch: u32| corpus.standing(number, sketch) == Standing::Counts;
        let contexts = unit.further.contexts.iter().filter(move |(sketch, _)| counts(*sketch));
        contexts.map(|(_, text)| trim(unit.words.text(*text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "thirty characters, to the dot.";

    #[test]
    fn a_text_is_a_known_block_or_ends_with_one_behind_white_space() {
        let long = format!("before it, {SHORT}");
        let blocks = KnownBlocks::new([SHORT, &long, "too short"].into_iter());
        let find = |text: &str| blocks.find(text);
        assert_eq!(SHORT.len(), 30);
        assert_eq!(find(SHORT), Some(Match::Whole));
        assert_eq!(find(&long), Some(Match::Whole));
        assert_eq!(find(&format!("words \n\t{SHORT}")), Some(Match::Tail(5)));
        assert_eq!(find(&format!("words {long}")), Some(Match::Tail(5)), "the longest is cut");
        assert_eq!(find(&format!("words{SHORT}")), None);
        // The longer one has no white space before it, the shorter one within has.
        let glued = format!("words:{long}");
        assert_eq!(find(&glued), Some(Match::Tail("words:before it,".len())));
        assert_eq!(find(&format!("{SHORT} and more")), None);
        assert_eq!(find("words too short"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        let (known, unknown) = ("ß".repeat(30), "ß".repeat(29));
        assert_eq!(KnownBlocks::new([&*known].into_iter()).find(&known), Some(Match::Whole));
        assert_eq!(KnownBlocks::new([&*unknown].into_iter()).find(&unknown), None);
    }
}
