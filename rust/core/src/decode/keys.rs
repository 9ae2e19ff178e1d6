//! The names that are read from one kind of object, found without comparing a
//! key with each of them: its first and last bytes and its length say where in a
//! table it would stand.

use std::cell::{Cell, RefCell};

use crate::decode::text::Raw;

/// No name stands in the slot.
const FREE: u8 = u8::MAX;

/// Mixes bits: 2^64 divided by the golden ratio.
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The kinds of objects that have a set of names of their own.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum ObjectKind {
    Record,
    Message,
    Block,
    Input,
    Usage,
    CacheCreation,
    ToolUseResult,
    Attachment,
    Payload,
}

pub(super) const OBJECT_KINDS: usize = ObjectKind::Payload as usize + 1;

/// A set of names, numbered as they are listed, in a table of `SLOTS`.
#[derive(Debug)]
pub struct Keys<const NAMES: usize, const SLOTS: usize> {
    kind: ObjectKind,
    names: [&'static str; NAMES],
    ends: [(u64, u64); NAMES],
    written: [Written; NAMES],
    slots: [u8; SLOTS],
}

/// A name as it is mostly written: between quotes, a colon behind it.
#[derive(Clone, Copy, Debug)]
struct Written {
    bytes: [u8; Self::ROOM],
    /// Ones where a byte is part of it.
    mask: [u8; Self::ROOM],
    length: usize,
}

impl Written {
    const ROOM: usize = 32;
    /// The longest name that has room.
    const LONGEST: usize = Self::ROOM - 3;

    const fn new(name: &str) -> Self {
        let name = name.as_bytes();
        assert!(name.len() <= Self::LONGEST);
        let mut written = Self { bytes: [0; 32], mask: [0; 32], length: name.len() + 3 };
        let mut at = 0;
        while at < written.length {
            written.mask[at] = u8::MAX;
            written.bytes[at] = match at.checked_sub(1) {
                None => b'"',
                Some(place) if place < name.len() => name[place],
                Some(place) if place == name.len() => b'"',
                Some(_) => b':',
            };
            at += 1;
        }
        written
    }

    /// Compared in halves of the width that every machine has.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn begins(&self, text: &[u8; Self::ROOM]) -> bool {
        let (text, _) = text.as_chunks::<16>();
        let (bytes, _) = self.bytes.as_chunks::<16>();
        let (mask, _) = self.mask.as_chunks::<16>();
        let differs = |half: usize| {
            let (text, bytes) = (u128::from_ne_bytes(text[half]), u128::from_ne_bytes(bytes[half]));
            (text ^ bytes) & u128::from_ne_bytes(mask[half])
        };
        differs(0) | differs(1) == 0
    }
}

/// A guess at a key: what stood behind the key before it the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess(u8);

impl Guess {
    /// What the first key stands behind.
    pub const START: Self = Self((GUESSES - 1) as u8);
    /// A key that is none of the names, and not remembered.
    pub const OTHER: Self = Self((GUESSES - 2) as u8);
    /// Numbers of names are below it.
    pub(super) const NAMES: usize = 128;

    /// A name.
    #[inline]
    pub fn of(number: usize) -> Self {
        Self(number as u8)
    }

    /// The number of the name.
    #[inline]
    pub fn number(self) -> Option<usize> {
        Some(self.place()).filter(|place| *place < Self::NAMES)
    }

    /// Its place among all guesses.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0)
    }
}

/// Numbers of names and of strangers, and two more.
const GUESSES: usize = 256;

/// Keys that are remembered though nothing is read from them.
const STRANGERS: usize = 64;

/// Guesses at the keys of one sort of object.
#[derive(Debug)]
pub struct Successors {
    after: [Cell<Guess>; GUESSES],
    strangers: RefCell<Vec<Written>>,
}

impl Default for Successors {
    fn default() -> Self {
        let strangers = RefCell::new(vec![Written::new(""); STRANGERS]);
        Self { after: std::array::from_fn(|_| Cell::new(Guess::OTHER)), strangers }
    }
}

impl Successors {
    /// The guess at what stands behind a key.
    #[inline]
    pub fn after(&self, key: Guess) -> Guess {
        self.after[key.place()].get()
    }

    /// Remembers it.
    pub fn learn(&self, key: Guess, next: Guess) {
        self.after[key.place()].set(next);
    }

    /// A guess at a key that is none of the names. Two keys may take turns with one
    /// guess: what stands there is compared before it is believed.
    #[inline(never)]
    pub fn stranger(&self, key: Raw<'_>) -> Guess {
        let name = key.written();
        let (Some(first), Some(last)) = (name.as_bytes().first(), name.as_bytes().last()) else {
            return Guess::OTHER;
        };
        if !key.is_plain() || name.len() > Written::LONGEST {
            return Guess::OTHER;
        }
        let mixed = usize::from(*first) * 5 + usize::from(*last) * 3 + name.len();
        let place = mixed % STRANGERS;
        let written = Written::new(name);
        let stranger = &mut self.strangers.borrow_mut()[place];
        if stranger.bytes != written.bytes {
            *stranger = written;
        }
        Guess((Guess::NAMES + place) as u8)
    }
}

impl<const NAMES: usize, const SLOTS: usize> Keys<NAMES, SLOTS> {
    const SHIFT: u32 = {
        assert!(SLOTS.is_power_of_two() && SLOTS > 2 * NAMES);
        assert!(NAMES <= Guess::NAMES);
        u64::BITS - SLOTS.trailing_zeros()
    };

    /// The set of these names. `SLOTS` is a power of two, the larger the fewer
    /// names stand in each other's way.
    pub const fn new(kind: ObjectKind, names: [&'static str; NAMES]) -> Self {
        let (ends, written) = ([(0, 0); NAMES], [Written::new(""); NAMES]);
        let mut keys = Self { kind, names, ends, written, slots: [FREE; SLOTS] };
        let mut number = 0;
        while number < NAMES {
            keys.ends[number] = self::ends(names[number].as_bytes());
            keys.written[number] = Written::new(names[number]);
            let mut slot = Self::slot(keys.ends[number], names[number].len());
            while keys.slots[slot] != FREE {
                slot = (slot + 1) % SLOTS;
            }
            keys.slots[slot] = number as u8;
            number += 1;
        }
        keys
    }

    /// Where a name stands, or would if it were there.
    #[inline]
    const fn slot((first, last): (u64, u64), length: usize) -> usize {
        let mixed = first ^ last.rotate_left(32) ^ length as u64;
        (mixed.wrapping_mul(MIXER) >> Self::SHIFT) as usize
    }

    /// The number of a key, where it is one of the names.
    #[inline]
    pub fn number(&self, key: Raw<'_>) -> Option<usize> {
        if !key.is_plain() {
            let text = key.text();
            return self.names.iter().position(|name| *name == text);
        }
        let written = key.written().as_bytes();
        let ends = ends(written);
        let mut slot = Self::slot(ends, written.len());
        loop {
            let number = usize::from(self.slots[slot % SLOTS]);
            let name = self.names.get(number)?.as_bytes();
            let same = name.len() == written.len() && self.ends[number] == ends;
            // Two ends of eight bytes each are all of a shorter name.
            if same && (name.len() <= 16 || name == written) {
                return Some(number);
            }
            slot += 1;
        }
    }

    /// How long this key, its quotes and a colon are, where they stand ahead.
    #[inline]
    pub fn guessed(&self, guess: Guess, among: &Successors, ahead: &[u8]) -> Option<usize> {
        let ahead = ahead.first_chunk()?;
        let length_of = |written: &Written| written.begins(ahead).then_some(written.length);
        if let Some(written) = self.written.get(guess.place()) {
            return length_of(written);
        }
        let place = guess.place().checked_sub(Guess::NAMES)?;
        length_of(among.strangers.borrow().get(place)?)
    }

    /// The kind of object that has them.
    #[inline]
    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    /// The names, in order.
    pub const fn names(&self) -> [&'static str; NAMES] {
        self.names
    }
}

/// The first and the last bytes of a name: at most eight each, all of it where it
/// has no more than sixteen.
#[inline]
const fn ends(name: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64);
    }
    match name {
        [] => (0, 0),
        [only] => (*only as u64, 0),
        [first, second] => (*first as u64, *second as u64),
        [first, second, third, ..] => (*first as u64 | (*second as u64) << 8, *third as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::scanner::Scanner;

    static KEYS: Keys<7, 16> = Keys::new(
        ObjectKind::Record,
        ["", "a", "ab", "abc", "abcdefgh", "abcdefghijklmnopq", "abcdefghijklmnop"],
    );

    fn number(json: &str) -> Option<usize> {
        KEYS.number(Scanner::new(json, 0, json.len()).string().expect("a string"))
    }

    #[test]
    fn a_name_is_found_however_it_is_written_and_nothing_else_is() {
        for (name, expected) in KEYS.names().iter().zip(0..) {
            assert_eq!(number(&format!("\"{name}\"")), Some(expected));
            if let Some(first) = name.chars().next() {
                let escaped = format!("\\u{:04x}{}", first as u32, &name[1..]);
                assert_eq!(number(&format!("\"{escaped}\"")), Some(expected));
            }
            for at in 0..name.len() {
                let mut other = name.to_string();
                other.replace_range(at..=at, "-");
                assert_eq!(number(&format!("\"{other}\"")), None, "{other}");
            }
        }
        for other in ["abcdefghIjklmnopq", "abcdefghijklmnopqr", "b", "ba", "abcd"] {
            assert_eq!(number(&format!("\"{other}\"")), None, "{other}");
        }
    }
}
