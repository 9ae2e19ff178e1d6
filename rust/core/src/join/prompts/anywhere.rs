//! What tells prompts from other texts wherever it stands in a corpus (ruling
//! 53), where the corpus is looked at one part after the other: first for the
//! texts of all parts, then for what assistants said of these.

use hashbrown::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_128;

use super::echo::{Heard, LEAST_EQUAL, Texts};
use super::known_blocks::{KnownBlocks, Match, known};
use super::{Kind, Prompt, all};
use crate::join::Corpus;

/// Texts of the parts so far, each once.
#[derive(Debug, Default)]
pub struct Gathered {
    known: HashSet<String>,
    open: HashSet<String>,
}

impl Gathered {
    /// Adds those of a part.
    pub fn add(&mut self, corpus: &Corpus) {
        let prompts = all(corpus);
        for text in known(corpus, &prompts) {
            keep(&mut self.known, text);
        }
        let open = prompts.iter().filter(|prompt| prompt.is_open());
        for prompt in open.filter(|prompt| prompt.chars as usize >= LEAST_EQUAL) {
            keep(&mut self.open, &prompt.text);
        }
    }

    /// Known blocks, and the texts that may repeat an assistant's.
    pub fn told(self) -> (KnownBlocks, Vec<String>) {
        let blocks = KnownBlocks::new(self.known.iter().map(String::as_str));
        let cut = |mut text: String| match blocks.find(&text) {
            Some(Match::Whole) => None,
            Some(Match::Tail(length)) => {
                text.truncate(length);
                Some(text)
            }
            None => Some(text),
        };
        let mut texts: Vec<String> = self.open.into_iter().filter_map(cut).collect();
        texts.retain(|text| text.chars().nth(LEAST_EQUAL - 1).is_some());
        (blocks, texts)
    }
}

fn keep(texts: &mut HashSet<String>, text: &str) {
    if !texts.contains(text) {
        texts.insert(text.to_owned());
    }
}

/// Known blocks of the corpus, and when assistants said which texts.
#[derive(Debug)]
pub struct Anywhere {
    blocks: KnownBlocks,
    /// Numbers of the texts, by their hashes.
    numbers: HashMap<u128, u32>,
    heard: Heard,
}

/// The same, as a part of the corpus sees it that begins with this file.
#[derive(Clone, Copy, Debug)]
pub struct InPart<'a> {
    /// What stands anywhere.
    pub anywhere: &'a Anywhere,
    /// Number of the part's first file.
    pub first_file: u32,
}

impl Anywhere {
    /// Puts together what is known.
    pub fn new(blocks: KnownBlocks, texts: &Texts<'_>, heard: Heard) -> Self {
        let numbers = texts.all().zip(0..);
        let numbers = numbers.map(|(text, number)| (xxh3_128(text.as_bytes()), number)).collect();
        Self { blocks, numbers, heard }
    }
}

impl InPart<'_> {
    /// Known blocks of the corpus.
    pub(super) fn blocks(&self) -> &KnownBlocks {
        &self.anywhere.blocks
    }

    /// Marks the prompts that repeat an assistant.
    pub(super) fn mark_echoes(&self, prompts: &mut [Prompt<'_>]) {
        let Anywhere { numbers, heard, .. } = self.anywhere;
        for prompt in prompts.iter_mut().filter(|prompt| prompt.is_open()) {
            let Some(text) = numbers.get(&xxh3_128(prompt.text.as_bytes())) else { continue };
            let mut candidate = prompt.candidate();
            candidate.moment.file += self.first_file;
            if let Some(reason) = heard.reason(*text, &candidate) {
                prompt.decide(Kind::Echo, reason);
            }
        }
    }
}
