//! The members of one object: typed reading of their values, with a note of
//! the keys that stood twice and of the values that had the wrong type.

use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::Flaws;
use crate::time;

/// Bookkeeping for the `N` keys that are read from one kind of object.
pub struct Members<const N: usize> {
    seen: u64,
    bad: u64,
    spans: [(usize, usize); N],
    repeats: [u32; N],
}

impl<const N: usize> Default for Members<N> {
    fn default() -> Self {
        const { assert!(N <= 64, "one bit for each key") };
        Self { seen: 0, bad: 0, spans: [(0, 0); N], repeats: [0; N] }
    }
}

impl<const N: usize> Members<N> {
    /// Notes that the value of `key` spans from `start` to the cursor. The
    /// last one wins, so an earlier one's wrong type is forgotten.
    #[inline]
    pub fn note(&mut self, scanner: &Scanner<'_>, key: usize, start: usize) {
        let bit = 1 << key;
        if self.seen & bit != 0 {
            let (from, to) = self.spans[key];
            self.repeats[key] += u32::from(scanner.between(from, to) != scanner.since(start));
            self.bad &= !bit;
        }
        self.seen |= bit;
        self.spans[key] = (start, scanner.at);
    }

    /// Marks the value of `key` as one of the wrong type.
    pub fn mark_bad(&mut self, key: usize) {
        self.bad |= 1 << key;
    }

    /// The last value's span, where the key stood at all.
    pub fn span(&self, key: usize) -> Option<(usize, usize)> {
        (self.seen >> key & 1 == 1).then(|| self.spans[key])
    }

    /// Flaws of the keys whose bits are set in `read`.
    pub fn flaws(&self, read: u64) -> Flaws {
        let bad_values = (self.bad & read).count_ones();
        let duplicate_keys = if self.repeats.iter().all(|count| *count == 0) {
            0
        } else {
            (0..N).filter(|key| read >> key & 1 == 1).map(|key| self.repeats[key]).sum()
        };
        Flaws { bad_values, duplicate_keys }
    }

    #[inline]
    fn value<'a>(&mut self, scanner: &mut Scanner<'a>, key: usize) -> Step<Value<'a>> {
        let start = scanner.at;
        let value = scanner.value()?;
        self.note(scanner, key, start);
        Ok(value)
    }

    fn mismatch<T>(&mut self, key: usize, value: Value<'_>) -> Option<T> {
        if !matches!(value, Value::Null) {
            self.mark_bad(key);
        }
        None
    }

    /// Skips a value whose type does not matter; whether it is not null.
    pub fn anything(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<bool> {
        Ok(!matches!(self.value(scanner, key)?, Value::Null))
    }

    /// Reads a string.
    #[inline]
    pub fn string<'a>(&mut self, scanner: &mut Scanner<'a>, key: usize) -> Step<Option<Raw<'a>>> {
        Ok(match self.value(scanner, key)? {
            Value::String(raw) => Some(raw),
            other => self.mismatch(key, other),
        })
    }

    /// Reads a boolean.
    pub fn boolean(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<bool>> {
        Ok(match self.value(scanner, key)? {
            Value::Bool(value) => Some(value),
            other => self.mismatch(key, other),
        })
    }

    /// Reads an integer within int64 (ruling 16).
    pub fn integer(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let value = self.value(scanner, key)?;
        Ok(match value {
            // The grammar leaves no other number that i64 parses.
            Value::Number(text) => text.parse().ok().or_else(|| self.mismatch(key, value)),
            other => self.mismatch(key, other),
        })
    }

    /// Reads an integer from 0.
    pub fn count(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let count = self.integer(scanner, key)?;
        if count.is_some_and(|count| count < 0) {
            self.mark_bad(key);
            return Ok(None);
        }
        Ok(count)
    }

    /// Reads a timestamp, in microseconds since the epoch (ruling 17).
    pub fn timestamp(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let value = self.value(scanner, key)?;
        let micros = match value {
            Value::String(raw) => time::parse_timestamp_string(raw.text().as_bytes()),
            Value::Number(text) => time::parse_epoch(text.as_bytes()),
            _ => None,
        };
        Ok(micros.or_else(|| self.mismatch(key, value)))
    }

    /// Reads an object with `read`, which gets the cursor on its brace.
    #[inline]
    pub fn object<'a, T>(
        &mut self,
        scanner: &mut Scanner<'a>,
        key: usize,
        read: impl FnOnce(&mut Scanner<'a>) -> Step<T>,
    ) -> Step<Option<T>> {
        if scanner.peek() == Some(b'{') {
            let start = scanner.at;
            let object = read(scanner)?;
            self.note(scanner, key, start);
            return Ok(Some(object));
        }
        let value = self.value(scanner, key)?;
        Ok(self.mismatch(key, value))
    }
}
