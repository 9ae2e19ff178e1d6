//! Prompts: every text that may be a person's, and what each is (SPEC section
//! 7, rulings 51 to 53).
//!
//! A text is read in three passes. What it and its record say alone is told
//! first ([`text`]); then the corpus's own boilerplate is known and is taken
//! out of the rest ([`known_blocks`]); then assistants' words are looked for in
//! what is left ([`echo`]). The cost of the last is one pass over all words of
//! assistants.

mod anywhere;
mod echo;
mod kinds;
mod known_blocks;
mod prefixes;
pub(crate) mod text;
mod windows;

use std::borrow::Cow;

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::discover::FileKind;
use crate::facts::further::PromptFact;
use crate::facts::words::{WHITE_SPACE, trim};
use crate::join::{Corpus, Position, Standing};
use crate::strings::Symbol;
pub use anywhere::{Anywhere, Gathered, InPart};
use echo::{Candidate, Moment, echoes};
pub use echo::{Heard, Texts};
pub use kinds::{Kind, Reason};
pub use known_blocks::KnownBlocks;
use known_blocks::Match;
use text::{Said, read};

/// A paste has as many characters.
const PASTE_CHARS: i64 = 2000;

/// And of that many hundred, as many are ASCII.
const PASTE_PERCENT: usize = 60;

/// Or it has as many lines that are not blank.
const PASTE_LINES: usize = 10;

/// A candidate for words of a person.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Prompt<'c> {
    pub position: Position,
    pub session: Symbol,
    pub timestamp: Option<i64>,
    pub is_attachment: bool,
    pub origin_kind: Symbol,
    pub prompt_source: Symbol,
    pub kind: Kind,
    pub reason: Option<Reason>,
    pub chars: i64,
    pub n_images: i64,
    pub duplicate_of_line: Option<u64>,
    pub text: Cow<'c, str>,
}

/// Every candidate, in the table's order.
pub fn prompts(corpus: &Corpus) -> Vec<Prompt<'_>> {
    let mut prompts = all(corpus);
    let known = KnownBlocks::of(corpus, &prompts);
    cut(&mut prompts, &known);
    mark_echoes(corpus, &mut prompts);
    finish(&mut prompts);
    prompts
}

/// The same of a part of a corpus.
pub fn prompts_in<'c>(corpus: &'c Corpus, part: InPart<'_>) -> Vec<Prompt<'c>> {
    let mut prompts = all(corpus);
    cut(&mut prompts, part.blocks());
    part.mark_echoes(&mut prompts);
    finish(&mut prompts);
    prompts
}

/// Every candidate, as far as each alone can tell.
fn all(corpus: &Corpus) -> Vec<Prompt<'_>> {
    let units = (0..corpus.units.len() as u32).into_par_iter();
    units.flat_map_iter(|unit| candidates(corpus, unit)).collect()
}

fn cut(prompts: &mut [Prompt<'_>], known: &KnownBlocks) {
    prompts.par_iter_mut().filter(|prompt| prompt.is_open()).for_each(|prompt| prompt.cut(known));
}

fn finish(prompts: &mut [Prompt<'_>]) {
    prompts.par_iter_mut().filter(|prompt| prompt.is_open()).for_each(Prompt::mark_paste);
    mark_duplicates(prompts);
}

/// The candidates of a unit, as far as each alone can tell.
fn candidates(corpus: &Corpus, unit: u32) -> impl Iterator<Item = Prompt<'_>> {
    let facts = &corpus.units[unit as usize];
    facts.further.prompts.iter().filter_map(move |fact| {
        let counts = corpus.standing(unit, fact.sketch) == Standing::Counts;
        let is_codex = corpus.files[fact.file as usize].kind == FileKind::Codex;
        let text = facts.words.text(fact.text);
        let stands = counts && !is_codex && !trim(text).is_empty();
        stands.then(|| Prompt::new(corpus, unit, fact, text))
    })
}

impl<'c> Prompt<'c> {
    fn new(corpus: &'c Corpus, unit: u32, fact: &PromptFact, written: &'c str) -> Self {
        let sketch = corpus.sketch(unit, fact.sketch);
        let said = Said {
            is_attachment: fact.is_attachment,
            is_sidechain: fact.is_sidechain,
            is_compact_summary: fact.is_compact_summary,
            is_meta: fact.is_meta,
            origin_kind: corpus.strings.text(fact.origin_kind),
            prompt_source: corpus.strings.text(fact.prompt_source),
        };
        let reading = read(said, written);
        Self {
            position: (fact.file, sketch.line, sketch.place),
            session: corpus.session(sketch.session, fact.file),
            timestamp: sketch.timestamp,
            is_attachment: fact.is_attachment,
            origin_kind: fact.origin_kind,
            prompt_source: fact.prompt_source,
            kind: reading.kind,
            reason: reading.reason,
            chars: reading.text.chars().count() as i64,
            n_images: reading.n_images,
            duplicate_of_line: None,
            text: reading.text,
        }
    }

    /// Whether nothing has told yet that it is no prompt.
    fn is_open(&self) -> bool {
        self.kind == Kind::Prompt
    }

    /// Whether `sessions.n_prompts` counts it.
    pub fn is_counted(&self) -> bool {
        self.is_open() && self.duplicate_of_line.is_none()
    }

    fn decide(&mut self, kind: Kind, reason: Reason) {
        (self.kind, self.reason) = (kind, Some(reason));
    }

    /// Takes out what is known not to be a person's.
    fn cut(&mut self, known: &KnownBlocks) {
        match known.find(&self.text) {
            None => {}
            Some(Match::Whole) => self.decide(Kind::Injected, Reason::KnownBlock),
            Some(Match::Tail(length)) => {
                match &mut self.text {
                    Cow::Borrowed(text) => *text = &text[..length],
                    Cow::Owned(text) => text.truncate(length),
                }
                self.chars = self.text.chars().count() as i64;
                self.reason = Some(Reason::TailCut);
            }
        }
    }

    fn mark_paste(&mut self) {
        if self.chars < PASTE_CHARS {
            return;
        }
        let ascii = self.text.bytes().filter(u8::is_ascii).count();
        let is_blank = |line: &&str| trim(line).is_empty();
        if ascii * 100 >= self.chars as usize * PASTE_PERCENT {
            self.decide(Kind::Paste, Reason::Ascii);
        } else if self
            .text
            .split('\n')
            .filter(|line| !is_blank(line))
            .nth(PASTE_LINES - 1)
            .is_some()
        {
            self.decide(Kind::Paste, Reason::Lines);
        }
    }
}

fn mark_echoes(corpus: &Corpus, prompts: &mut [Prompt<'_>]) {
    let open: Vec<usize> = (0..prompts.len()).filter(|index| prompts[*index].is_open()).collect();
    let candidates: Vec<Candidate<'_>> =
        open.iter().map(|index| prompts[*index].candidate()).collect();
    let echoes = echoes(corpus, &candidates);
    for (index, reason) in open.into_iter().zip(echoes) {
        if let Some(reason) = reason {
            prompts[index].decide(Kind::Echo, reason);
        }
    }
}

impl Prompt<'_> {
    fn candidate(&self) -> Candidate<'_> {
        let (file, line, place) = self.position;
        let moment = Moment { timestamp: self.timestamp, file, place: (line, place) };
        Candidate { text: &self.text, chars: self.chars as usize, moment }
    }

    /// The first line of its text.
    pub(crate) fn first_line(&self) -> &str {
        self.text.split('\n').next().unwrap_or_default().trim_end_matches(WHITE_SPACE)
    }
}

/// A prompt that waits in the queue is written as an attachment and, once it is
/// sent, often as a message too.
fn mark_duplicates(prompts: &mut [Prompt<'_>]) {
    for prompts in prompts.chunk_by_mut(|a, b| a.position.0 == b.position.0) {
        if !prompts.iter().any(|prompt| prompt.is_attachment) {
            continue;
        }
        // By text, the last line of a message and that of an attachment.
        let mut last: HashMap<&str, [Option<u64>; 2]> = HashMap::new();
        for prompt in prompts.iter_mut().filter(|prompt| !prompt.text.is_empty()) {
            let Prompt { text, is_attachment, duplicate_of_line, position, .. } = prompt;
            let lines = last.entry(text).or_default();
            *duplicate_of_line = lines[usize::from(!*is_attachment)];
            lines[usize::from(*is_attachment)] = Some(position.1);
        }
    }
}

#[cfg(test)]
mod tests;
