//! Prompts that repeat what an assistant said before (rulings 52, 53): texts
//! that agents hand on look like a person's in every field of their record.

use std::hash::Hash;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::Reason;
use super::windows::Windows;
use crate::facts::words::trim;
use crate::join::{Corpus, Standing};

/// Shorter texts are equal by chance.
pub(super) const LEAST_EQUAL: usize = 30;

/// Shorter texts are contained by chance.
const LEAST_CONTAINED: usize = 60;

/// When and where something was said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moment {
    pub(super) timestamp: Option<i64>,
    pub(super) file: u32,
    /// Line, and place on it.
    pub(super) place: (u64, u32),
}

/// A text that may repeat an assistant's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'t> {
    pub(super) text: &'t str,
    pub(super) chars: usize,
    pub(super) moment: Moment,
}

/// For each candidate, whether it repeats an earlier assistant's words, and how.
pub(super) fn echoes(corpus: &Corpus, candidates: &[Candidate<'_>]) -> Vec<Option<Reason>> {
    let long = candidates.iter().filter(|candidate| candidate.chars >= LEAST_EQUAL);
    let texts = Texts::new(long.map(|candidate| candidate.text).collect());
    if texts.numbers.is_empty() {
        return vec![None; candidates.len()];
    }
    let heard = texts.hear(corpus, 0);
    candidates.iter().map(|candidate| texts.judge(&heard, candidate)).collect()
}

/// The texts that are listened for.
#[derive(Debug)]
pub struct Texts<'t> {
    numbers: HashMap<&'t str, u32>,
    parts: Windows<'t>,
}

/// When which of the texts were said: as a whole, and as a part of more.
#[derive(Debug, Default)]
pub struct Heard {
    whole: Earliest,
    parts: Earliest,
}

/// The first moments at which texts were said, by number.
#[derive(Debug, Default)]
struct Earliest {
    times: HashMap<u32, i64>,
    /// By file: of all words, and of those without timestamp.
    places: HashMap<(u32, u32), (u64, u32)>,
    untimed: HashMap<(u32, u32), (u64, u32)>,
}

impl<'t> Texts<'t> {
    /// These texts.
    pub fn new(texts: Vec<&'t str>) -> Self {
        let parts = Windows::new(texts);
        let numbers = parts.texts().iter().copied().zip(0..).collect();
        Self { numbers, parts }
    }

    /// The texts, in the order of their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = &'t str> {
        self.parts.texts().iter().copied()
    }

    /// Listens to the assistants of a corpus, or of a part of one that begins with
    /// this file.
    pub fn hear(&self, corpus: &Corpus, first_file: u32) -> Heard {
        (0..corpus.units.len() as u32)
            .into_par_iter()
            .map(|unit| self.hear_unit(corpus, unit, first_file))
            .reduce(Heard::default, Heard::and)
    }

    fn hear_unit(&self, corpus: &Corpus, unit: u32, first_file: u32) -> Heard {
        let facts = &corpus.units[unit as usize];
        let mut heard = Heard::default();
        for turn in facts.further.turns.iter().filter(|turn| turn.is_assistant) {
            if corpus.standing(unit, turn.sketch) != Standing::Counts {
                continue;
            }
            let mut moment = Moment::of(corpus, unit, turn.file, turn.sketch);
            moment.file += first_file;
            for number in turn.words.clone() {
                let words = trim(facts.words.text(number));
                if let Some(text) = self.numbers.get(words) {
                    heard.whole.note(*text, moment);
                }
                self.parts.within(words, |text| heard.parts.note(text, moment));
            }
        }
        heard
    }

    fn judge(&self, heard: &Heard, candidate: &Candidate<'_>) -> Option<Reason> {
        heard.reason(*self.numbers.get(candidate.text)?, candidate)
    }
}

impl Moment {
    /// The moment of a record.
    pub(super) fn of(corpus: &Corpus, unit: u32, file: u32, sketch: u32) -> Self {
        let sketch = corpus.sketch(unit, sketch);
        Self { timestamp: sketch.timestamp, file, place: (sketch.line, sketch.place) }
    }
}

impl Heard {
    /// How a candidate with the text of this number repeats what was heard.
    pub(super) fn reason(&self, text: u32, candidate: &Candidate<'_>) -> Option<Reason> {
        if self.whole.before(text, candidate.moment) {
            return Some(Reason::Equal);
        }
        let is_long = candidate.chars >= LEAST_CONTAINED;
        let contained = is_long && self.parts.before(text, candidate.moment);
        contained.then_some(Reason::Contained)
    }

    /// What was heard in either of two places.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.whole.add(other.whole);
        self.parts.add(other.parts);
        self
    }
}

impl Earliest {
    fn note(&mut self, text: u32, moment: Moment) {
        let at = (text, moment.file);
        keep_least(&mut self.places, at, moment.place);
        match moment.timestamp {
            Some(time) => keep_least(&mut self.times, text, time),
            None => keep_least(&mut self.untimed, at, moment.place),
        }
    }

    fn add(&mut self, other: Self) {
        other.times.into_iter().for_each(|(text, time)| keep_least(&mut self.times, text, time));
        let places = other.places.into_iter();
        places.for_each(|(at, place)| keep_least(&mut self.places, at, place));
        let untimed = other.untimed.into_iter();
        untimed.for_each(|(at, place)| keep_least(&mut self.untimed, at, place));
    }

    /// Whether a text was said before a moment: by the clock where both have a
    /// time, else by place where both stand in one file.
    fn before(&self, text: u32, moment: Moment) -> bool {
        let in_file = |places: &HashMap<(u32, u32), (u64, u32)>| {
            places.get(&(text, moment.file)).is_some_and(|place| *place < moment.place)
        };
        let Some(time) = moment.timestamp else { return in_file(&self.places) };
        self.times.get(&text).is_some_and(|earliest| *earliest < time) || in_file(&self.untimed)
    }
}

fn keep_least<K: Eq + Hash, V: Copy + Ord>(all: &mut HashMap<K, V>, key: K, value: V) {
    all.entry(key).and_modify(|least| *least = value.min(*least)).or_insert(value);
}

#[cfg(test)]
mod tests;
