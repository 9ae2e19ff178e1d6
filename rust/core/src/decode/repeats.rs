//! Stretches of members that stand byte for byte in record after record: the ids of
//! a session, versions, folders, names of keys. To compare one is quicker than to
//! read it again, and what it says is known.

use std::cell::RefCell;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::decode::keys::Guess;
use crate::decode::scanner::Scanner;

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
pub struct Repeat<K> {
    text: String,
    quotes: usize,
    /// Its members, no key twice.
    pub members: Vec<(K, Told)>,
    /// A bit for each of their keys.
    pub keys: u64,
    /// The key of the value behind it; none where the object ends.
    pub next: Option<Guess>,
    /// No other stretch of the same memory has it.
    pub id: u32,
}

/// The stretches that were read last, by the key before them.
#[derive(Debug)]
pub struct Repeats<K>(RefCell<Memory<K>>);

#[derive(Debug)]
struct Memory<K> {
    behind: Vec<Vec<Repeat<K>>>,
    learnt: u32,
}

impl<K> Default for Repeats<K> {
    fn default() -> Self {
        Self(RefCell::new(Memory { behind: Vec::new(), learnt: 0 }))
    }
}

impl<K: Copy> Repeats<K> {
    /// Moves past the stretch at the cursor and hands it to `each` with its text, where
    /// the same one was read behind `key` before.
    #[inline]
    pub fn pass<'a, T>(
        &self,
        key: Guess,
        scanner: &mut Scanner<'a>,
        each: impl FnOnce(&Repeat<K>, &'a str) -> T,
    ) -> Option<T> {
        let mut memory = self.0.borrow_mut();
        let known = memory.behind.get_mut(key.place())?;
        let start = scanner.at;
        let found = known.iter().position(|repeat| scanner.pass(&repeat.text, repeat.quotes))?;
        let result = each(&known[found], scanner.since(start));
        // The frequent ones come to stand in front; two that take turns stay.
        if found > 1 {
            known.swap(found, found / 2);
        }
        Some(result)
    }

    /// Remembers a stretch that ends at the cursor, where `next` has its value.
    pub fn learn(&self, reading: &mut Reading<K>, scanner: &Scanner<'_>, next: Option<Guess>) {
        let text = scanner.since(reading.start);
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

/// A stretch while it is read.
#[derive(Debug)]
pub struct Reading<K> {
    /// The key before it.
    pub behind: Guess,
    start: usize,
    members: Vec<(K, Told)>,
    keys: u64,
}

impl<K> Reading<K> {
    /// Begins at the cursor, behind the value of `key`.
    #[inline]
    pub fn behind(key: Guess, scanner: &Scanner<'_>) -> Self {
        Self { behind: key, start: scanner.at, members: Vec::new(), keys: 0 }
    }

    /// Whether nothing of it was read.
    #[inline]
    pub fn is_empty(&self, scanner: &Scanner<'_>) -> bool {
        self.start == scanner.at
    }

    /// Adds a member with the value between `start` and the cursor; `bit` is that of its
    /// key. False where the key is in it already.
    pub fn add(&mut self, key: K, bit: u64, start: usize, scanner: &Scanner<'_>) -> bool {
        let value = match scanner.since(start).as_bytes() {
            [b'"', ..] => Told::Text(start + 1 - self.start..scanner.at - 1 - self.start),
            [b'n', ..] => Told::Null,
            [first, ..] => Told::Bool(*first == b't'),
            [] => return false,
        };
        let is_new = self.keys & bit == 0;
        self.keys |= bit;
        self.members.push((key, value));
        is_new
    }
}
