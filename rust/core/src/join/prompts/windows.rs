//! Where many texts stand inside others, found without looking at every byte.
//!
//! A text of [`LEAST`] bytes or more, wherever it stands, covers a window of
//! [`WINDOW`] bytes that starts at a multiple of [`STRIDE`]. So only these are
//! hashed, and looked up among the windows at the texts' beginnings; what is
//! found is compared byte by byte.

use hashbrown::{HashMap, HashSet};
use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

use super::prefixes::Prefixes;

/// Of longer texts only so many bytes are compared wherever a window is found:
/// words that repeat themselves have it everywhere.
const BEGINNING: usize = 1024;

/// Bytes of the shortest text that is found.
const LEAST: usize = 60;

/// Bytes between the windows that are hashed.
const STRIDE: usize = 16;

/// Bytes of a window.
const WINDOW: usize = LEAST - STRIDE + 1;

/// Texts, and the windows at their beginnings.
#[derive(Debug)]
pub(super) struct Windows<'t> {
    /// In order.
    texts: Vec<&'t str>,
    beginnings: Prefixes<&'t [u8]>,
    /// By beginning, the number of the first text that has it.
    first: Vec<u32>,
    longest: usize,
    /// By a window's hash, the offsets in a text at which it stands, as bits.
    offsets: HashMap<u64, u16>,
    sieve: Sieve,
}

impl<'t> Windows<'t> {
    /// These texts. Those of less than [`LEAST`] bytes are not found.
    pub(super) fn new(texts: Vec<&'t str>) -> Self {
        Self::with_beginnings(texts, BEGINNING)
    }

    fn with_beginnings(mut texts: Vec<&'t str>, longest: usize) -> Self {
        texts.sort_unstable();
        texts.dedup();
        let beginnings = texts.iter().map(|text| beginning(text.as_bytes(), longest));
        let beginnings = Prefixes::new(beginnings.collect());
        let begins = |with: &&[u8]| texts.partition_point(|text| text.as_bytes() < *with) as u32;
        let first = beginnings.texts().iter().map(begins).collect();
        let long = texts.iter().filter(|text| text.len() >= LEAST);
        let mut offsets: HashMap<u64, u16> = HashMap::new();
        for text in long {
            for offset in 0..STRIDE {
                let window = &text.as_bytes()[offset..offset + WINDOW];
                *offsets.entry(xxh3_64(window)).or_default() |= 1 << offset;
            }
        }
        let sieve = Sieve::new(offsets.len(), offsets.keys().copied());
        Self { texts, beginnings, first, longest, offsets, sieve }
    }

    /// The texts, by number.
    pub(super) fn texts(&self) -> &[&'t str] {
        &self.texts
    }

    /// Tells every text that stands in `words` once, by its number.
    pub(super) fn within(&self, words: &str, mut found: impl FnMut(u32)) {
        if self.offsets.is_empty() {
            return;
        }
        let bytes = words.as_bytes();
        let mut told: HashSet<u32> = HashSet::new();
        for at in (0..(bytes.len() + 1).saturating_sub(WINDOW)).step_by(STRIDE) {
            let hash = xxh3_64(&bytes[at..at + WINDOW]);
            if !self.sieve.may_have(hash) {
                continue;
            }
            let Some(offsets) = self.offsets.get(&hash) else { continue };
            // The largest first, so that places come in order.
            let offsets = (0..STRIDE.min(at + 1)).rev().filter(|at| offsets >> at & 1 == 1);
            for offset in offsets {
                let rest = &bytes[at - offset..];
                // What begins a beginning was told with it.
                let here = self.beginnings.of(beginning(rest, self.longest));
                for number in here.take_while(|number| told.insert(*number)) {
                    self.with_beginning(number, rest).for_each(&mut found);
                }
            }
        }
    }

    /// The texts with this beginning that stand in words which start with it.
    fn with_beginning<'w>(
        &'w self,
        number: u32,
        words: &'w [u8],
    ) -> impl Iterator<Item = u32> + 'w {
        let number = number as usize;
        let end = self.first.get(number + 1).copied().unwrap_or(self.texts.len() as u32);
        (self.first[number]..end).filter(move |text| {
            let text = self.texts[*text as usize].as_bytes();
            text.len() <= self.longest || memmem::find(words, text).is_some()
        })
    }
}

fn beginning(text: &[u8], longest: usize) -> &[u8] {
    &text[..text.len().min(longest)]
}

/// Tells most hashes that are not in a set by one bit of theirs.
#[derive(Debug)]
struct Sieve {
    bits: Vec<u64>,
    mask: u64,
}

impl Sieve {
    fn new(count: usize, hashes: impl Iterator<Item = u64>) -> Self {
        /// Bits for each hash: one in so many strangers is let through.
        const BITS: usize = 16;
        let words = (count * BITS).div_ceil(64).next_power_of_two();
        let mut sieve = Self { bits: vec![0; words], mask: words as u64 - 1 };
        for hash in hashes {
            let (word, bit) = sieve.place(hash);
            sieve.bits[word] |= bit;
        }
        sieve
    }

    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6 & self.mask) as usize, 1 << (hash & 63))
    }

    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn found(texts: &[&str], words: &str) -> Vec<String> {
        let [all, some] = [BEGINNING, LEAST + 5].map(|longest| {
            let windows = Windows::with_beginnings(texts.to_vec(), longest);
            let mut found = Vec::new();
            windows.within(words, |number| found.push(windows.texts()[number as usize].to_owned()));
            found.sort_unstable();
            found
        });
        assert_eq!(all, some, "however much of a text is its beginning");
        all
    }

    fn letters(from: u32, count: u32) -> String {
        let letter = |at: u32| char::from(b'a' + (at * at % 26) as u8);
        (from..from + count)
            .map(letter)
            .enumerate()
            .map(|(i, c)| if i % 7 == 3 { ' ' } else { c })
            .collect()
    }

    #[test]
    fn finds_a_text_of_60_bytes_wherever_it_stands() {
        let text = letters(1, 60);
        for before in 0..50 {
            for behind in [0, 1, 15, 16, 40] {
                let words = format!("{}{text}{}", "-".repeat(before), "+".repeat(behind));
                assert_eq!(found(&[&text], &words), [&*text], "{before} {behind}");
                assert!(found(&[&text], &words[..before + 59]).is_empty(), "{before}");
            }
        }
    }

    #[test]
    fn finds_each_of_texts_that_begin_alike_and_none_that_goes_on_otherwise() {
        let text = letters(3, 300);
        let texts = [&text[..60], &text[..61], &text[..299], &text[20..90]];
        let other = format!("{}#", &text[..100]);
        let mut all = texts.to_vec();
        all.push(&other);
        let mut expected: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        expected.sort_unstable();
        assert_eq!(found(&all, &format!("so: {text}")), expected);
    }

    #[test]
    fn compares_bytes_and_not_characters() {
        let text = "ü€😀".repeat(20);
        assert_eq!(found(&[&text], &format!("é{text}é")), [&*text]);
        assert!(found(&[&text], "").is_empty());
    }

    #[test]
    fn windows_that_repeat_find_each_text_once_and_for_all() {
        let (dashes, more) = ("=".repeat(60), format!("{}!", "=".repeat(90)));
        assert_eq!(found(&[&dashes, &more], &"=".repeat(1000)), [&*dashes]);
        assert_eq!(found(&[&dashes, &more], &more).len(), 2);
    }

    #[test]
    fn words_and_texts_that_repeat_themselves_take_no_longer() {
        const MANY: usize = 1_000_000;
        let (words, text) = ("=".repeat(MANY), format!("{}!", "=".repeat(MANY / 2)));
        let shorter: Vec<String> = (60..600).map(|count| "=".repeat(count)).collect();
        let mut texts: Vec<&str> = shorter.iter().map(String::as_str).collect();
        texts.push(&text);
        assert_eq!(found(&texts, &words), texts[..texts.len() - 1]);
    }

    proptest! {
        /// Few letters, so that windows and texts are alike in many places.
        #[test]
        fn finds_what_a_plain_search_finds(
            words in "[ab]{0,4}(ab|ba|a{40}|[abc]){0,90}",
            cuts in vec((0_usize..300, 60_usize..140), 0..6),
            others in vec("[ab]{60,70}", 0..3),
        ) {
            let cut = |(from, length): (usize, usize)| words.get(from..from + length);
            let mut texts: Vec<String> = cuts.into_iter().filter_map(cut).map(str::to_owned).collect();
            texts.extend(texts.clone().iter().map(|text| format!("{text}b")));
            texts.extend(others);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut expected: Vec<&str> =
                texts.iter().copied().filter(|text| words.contains(text)).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(found(&texts, &words), expected);
        }
    }
}
