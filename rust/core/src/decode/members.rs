//! The members of one object: typed reading of their values, with a note of
//! the keys that stood twice and of the values that had the wrong type.

use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::Flaws;
use crate::time;

/// Bookkeeping for the keys that are read from one kind of object, by number:
/// three bits for each of at most 64.
#[derive(Debug, Default)]
pub struct Members {
    seen: u64,
    repeated: u64,
    bad: u64,
}

impl Members {
    /// Notes that `key` stood, with a value of the right type until marked
    /// otherwise: the last one wins, so an earlier one's type is forgotten.
    #[inline]
    pub fn note(&mut self, key: usize) {
        let bit = 1 << key;
        self.repeated |= self.seen & bit;
        self.seen |= bit;
        self.bad &= !bit;
    }

    /// The same for several keys, as bits.
    #[inline]
    pub fn note_all(&mut self, keys: u64) {
        self.repeated |= self.seen & keys;
        self.seen |= keys;
        self.bad &= !keys;
    }

    /// Marks the value of `key` as one of the wrong type.
    pub fn mark_bad(&mut self, key: usize) {
        self.bad |= 1 << key;
    }

    /// Flaws of the keys whose bits are set in `read`; `object` is the object's
    /// text and `number` the number of a key. Repeated keys are rare enough to
    /// read the object once more where there are any.
    #[inline]
    pub fn flaws(
        &self,
        read: u64,
        object: &str,
        number: impl Fn(Raw<'_>) -> Option<usize>,
    ) -> Flaws {
        let duplicate_keys =
            if self.repeated & read == 0 { 0 } else { duplicate_keys(object, read, number) };
        Flaws { bad_values: (self.bad & read).count_ones(), duplicate_keys }
    }

    #[inline]
    fn value<'a>(&mut self, scanner: &mut Scanner<'a>, key: usize) -> Step<Value<'a>> {
        let value = scanner.value()?;
        self.note(key);
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
    #[inline(always)]
    #[allow(clippy::inline_always)] // A result in memory is read back before it is written.
    pub fn string<'a>(&mut self, scanner: &mut Scanner<'a>, key: usize) -> Step<Option<Raw<'a>>> {
        if let Some(raw) = scanner.marked_string() {
            self.note(key);
            return Ok(Some(raw));
        }
        self.unmarked_string(scanner, key)
    }

    /// Reads a value that is no string whose quotes are known.
    #[inline(never)]
    fn unmarked_string<'a>(
        &mut self,
        scanner: &mut Scanner<'a>,
        key: usize,
    ) -> Step<Option<Raw<'a>>> {
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
    #[inline]
    pub fn integer(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        if let Some(integer) = scanner.short_integer() {
            self.note(key);
            return Ok(Some(integer));
        }
        self.long_integer(scanner, key)
    }

    #[inline(never)]
    fn long_integer(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let value = self.value(scanner, key)?;
        Ok(match value {
            // The grammar leaves no other number that i64 parses.
            Value::Number(text) => text.parse().ok().or_else(|| self.mismatch(key, value)),
            other => self.mismatch(key, other),
        })
    }

    /// Reads an integer from 0.
    #[inline]
    pub fn count(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let count = self.integer(scanner, key)?;
        if count.is_some_and(|count| count < 0) {
            self.mark_bad(key);
            return Ok(None);
        }
        Ok(count)
    }

    /// Reads a finite number.
    pub fn double(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<f64>> {
        let value = self.value(scanner, key)?;
        Ok(match value {
            Value::Number(text) => {
                let finite = text.parse().ok().filter(|number: &f64| number.is_finite());
                finite.or_else(|| self.mismatch(key, value))
            }
            other => self.mismatch(key, other),
        })
    }

    /// Reads an array with `read`, which gets the cursor on its bracket.
    pub fn array<'a, T>(
        &mut self,
        scanner: &mut Scanner<'a>,
        key: usize,
        read: impl FnOnce(&mut Scanner<'a>) -> Step<T>,
    ) -> Step<Option<T>> {
        if scanner.peek() == Some(b'[') {
            let array = read(scanner)?;
            self.note(key);
            return Ok(Some(array));
        }
        let value = self.value(scanner, key)?;
        Ok(self.mismatch(key, value))
    }

    /// Reads a string, or with `read` the texts of an array.
    pub fn texts<'a>(
        &mut self,
        scanner: &mut Scanner<'a>,
        key: usize,
        read: impl FnOnce(&mut Scanner<'a>) -> Step<Vec<Raw<'a>>>,
    ) -> Step<Option<Vec<Raw<'a>>>> {
        if scanner.peek() == Some(b'"') {
            return Ok(self.string(scanner, key)?.map(|raw| vec![raw]));
        }
        self.array(scanner, key, read)
    }

    /// Reads a timestamp, in microseconds since the epoch (ruling 17).
    pub fn timestamp(&mut self, scanner: &mut Scanner<'_>, key: usize) -> Step<Option<i64>> {
        let value = self.value(scanner, key)?;
        let micros = match value {
            Value::String(raw) => match scanner.guesses() {
                Some(guesses) => guesses.clock.read(raw.text().as_bytes()),
                None => time::parse_timestamp_string(raw.text().as_bytes()),
            },
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
            let object = read(scanner)?;
            self.note(key);
            return Ok(Some(object));
        }
        let value = self.value(scanner, key)?;
        Ok(self.mismatch(key, value))
    }
}

/// The number of a key: its place in a list.
pub fn number<const N: usize>(keys: [&str; N]) -> impl Fn(Raw<'_>) -> Option<usize> {
    move |name| keys.iter().position(|key| name.is(key))
}

/// How often a read key's JSON text differs from the one before it (ruling 18).
fn duplicate_keys(object: &str, read: u64, number: impl Fn(Raw<'_>) -> Option<usize>) -> u32 {
    let mut last: [Option<&str>; 64] = [None; 64];
    let mut count = 0;
    let mut scanner = Scanner::new(object, 0, object.len());
    let walked = scanner.object(|scanner, key| {
        let start = scanner.at;
        scanner.skip()?;
        if let Some(number) = number(key).filter(|number| read >> number & 1 == 1) {
            let value = scanner.since(start);
            let before = last[number].replace(value);
            count += u32::from(before.is_some_and(|before| before != value));
        }
        Ok(())
    });
    debug_assert!(walked.is_ok(), "the object was scanned before");
    count
}
