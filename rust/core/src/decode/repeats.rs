//! Stretches of members that stand byte for byte in record after record: the ids of
//! a session, versions, folders, names of keys. To compare one is quicker than to
//! read it again, and what it says is known.

use std::cell::RefCell;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::decode::keys::Guess;
use crate::decode::record_keys::Key;

/// Stretches that are remembered behind one key.
const WAYS: usize = 8;
/// Longer ones are not remembered.
const MOST_BYTES: usize = 4096;

/// A value that a stretch holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A string without escapes: where it stands between its quotes, from the first
    /// byte of the stretch.
    Text(Range<usize>),
    /// A boolean.
    Bool(bool),
    /// Null.
    Null,
}

impl Told {
    /// Where its text stands.
    #[inline]
    pub fn text(&self) -> Option<Range<usize>> {
        if let Self::Text(place) = self { Some(place.clone()) } else { None }
    }

    /// It, where it is a boolean.
    #[inline]
    pub fn bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }
}

/// A stretch. It begins behind a value that changes, or behind the object's brace, and
/// ends where the next such value begins, or with the object.
#[derive(Debug)]
pub struct Repeat {
    text: String,
    /// Quotes in it.
    pub quotes: usize,
    /// Its members, no key twice.
    pub members: Vec<(Key, Told)>,
    /// A bit for each of their keys.
    pub keys: u64,
    /// The key of the value behind it; none where the object ends.
    pub next: Option<Guess>,
    /// No other stretch of the same memory has it.
    pub id: u32,
}

/// The stretches that were read last, by the key before them.
#[derive(Debug)]
pub struct Repeats(RefCell<Memory>);

#[derive(Debug)]
struct Memory {
    behind: Vec<Vec<Repeat>>,
    learnt: u32,
}

impl Default for Repeats {
    fn default() -> Self {
        Self(RefCell::new(Memory { behind: Vec::new(), learnt: 0 }))
    }
}

impl Repeats {
    /// Hands the stretch to `each` with which `text` begins, where it was read behind
    /// `key` before.
    #[inline]
    pub fn find<T>(&self, key: Guess, text: &str, each: impl FnOnce(&Repeat) -> T) -> Option<T> {
        let mut memory = self.0.borrow_mut();
        let known = memory.behind.get_mut(key.place())?;
        let text = text.as_bytes();
        let found = known.iter().position(|repeat| text.starts_with(repeat.text.as_bytes()))?;
        let result = each(&known[found]);
        // The frequent ones come to stand in front; two that take turns stay.
        if found > 1 {
            known.swap(found, found / 2);
        }
        Some(result)
    }

    /// Remembers a stretch that was read, behind which `next` has its value.
    pub fn learn(&self, reading: &mut Reading, text: &str, next: Option<Guess>) {
        if text.len() > MOST_BYTES || memchr(b'\\', text.as_bytes()).is_some() {
            return;
        }
        let memory = &mut *self.0.borrow_mut();
        let place = reading.behind.place();
        if memory.behind.len() <= place {
            memory.behind.resize_with(place + 1, Vec::new);
        }
        memory.learnt += 1;
        memory.behind[place].truncate(WAYS - 1);
        memory.behind[place].push(Repeat {
            text: text.to_owned(),
            quotes: memchr_iter(b'"', text.as_bytes()).count(),
            members: std::mem::take(&mut reading.members),
            keys: reading.keys,
            next,
            id: memory.learnt,
        });
    }
}

impl Repeat {
    /// Bytes of its text.
    #[inline]
    pub fn length(&self) -> usize {
        self.text.len()
    }
}

/// A stretch while it is read.
#[derive(Debug)]
pub struct Reading {
    /// The key before it.
    behind: Guess,
    /// Where it begins in the text.
    pub start: usize,
    members: Vec<(Key, Told)>,
    keys: u64,
}

impl Reading {
    /// Begins at `start`, behind the value of `key`.
    #[inline]
    pub fn behind(key: Guess, start: usize) -> Self {
        Self { behind: key, start, members: Vec::new(), keys: 0 }
    }

    /// Adds a member with this value, which begins at `start`. False where its key is in
    /// it already.
    pub fn add(&mut self, key: Key, start: usize, value: &str) -> bool {
        let start = start - self.start;
        let told = match value.as_bytes() {
            [b'"', ..] => Told::Text(start + 1..start + value.len() - 1),
            [b'n', ..] => Told::Null,
            [first, ..] => Told::Bool(*first == b't'),
            [] => return false,
        };
        let is_new = self.keys & key.bit() == 0;
        self.keys |= key.bit();
        self.members.push((key, told));
        is_new
    }
}
