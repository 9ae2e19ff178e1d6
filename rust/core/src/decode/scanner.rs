//! The JSON cursor: walks over one line that is known to be UTF-8, hands out
//! the values that are asked for as slices of it, and proves the rest well
//! formed. It is RFC 8259 and nothing else; where a text stops being JSON it
//! says at which byte and what stood to be expected there (ruling 11).

use crate::decode::escapes::IS_SHORT_ESCAPE;
use crate::decode::guesses::Guesses;
use crate::decode::keys::{Guess, Keys};
use crate::decode::marks::{Help, Mark};
use crate::decode::plain::plain_run;
use crate::decode::text::Raw;

/// How deep arrays and objects may nest (SPEC section 2).
pub const MAX_DEPTH: u32 = 512;

/// What was expected where a text stopped being JSON; `reasons` in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    End,
    Value,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrBrace,
    CommaOrBracket,
    ValueOrEnd,
    Literal,
    Number,
    Control,
    Escape,
    Trailing,
    TooDeep,
}

impl Reason {
    /// Its name in the schema's table of reasons.
    pub fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Value => "value",
            Self::Key => "key",
            Self::KeyOrEnd => "key_or_end",
            Self::Colon => "colon",
            Self::CommaOrBrace => "comma_or_brace",
            Self::CommaOrBracket => "comma_or_bracket",
            Self::ValueOrEnd => "value_or_end",
            Self::Literal => "literal",
            Self::Number => "number",
            Self::Control => "control",
            Self::Escape => "escape",
            Self::Trailing => "trailing",
            Self::TooDeep => "too_deep",
        }
    }
}

/// Where a text stopped being JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The first byte that no JSON text with this prefix could have.
    pub at: usize,
    /// What was expected there.
    pub reason: Reason,
}

/// What reading a piece of JSON gives. A stop is rare, and boxed to leave the
/// results of what is not as small as they can be.
pub type Step<T> = Result<T, Box<Stop>>;

/// A value: scalars read, containers as their text.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as written.
    Number(&'a str),
    /// A string between its quotes, as written.
    String(Raw<'a>),
    /// An array, brackets included.
    Array(&'a str),
    /// An object, braces included.
    Object(&'a str),
}

/// A cursor over one JSON text.
#[derive(Debug)]
pub struct Scanner<'a> {
    /// Up to where the scan may go; offsets are those of the whole text.
    text: &'a str,
    /// Offset of the next byte.
    pub at: usize,
    depth: u32,
    /// What was found of the text before it is walked over; it only saves time.
    marked: &'a [Mark],
    /// The marks from the cursor on.
    marks: &'a [Mark],
    guesses: Option<&'a Guesses>,
    /// Unpaired surrogate escapes seen in any string so far.
    pub lone_surrogates: u32,
}

impl<'a> Scanner<'a> {
    /// Starts at `at`; `end` bounds the text.
    pub fn new(text: &'a str, at: usize, end: usize) -> Self {
        let text = &text[..end];
        let marks = &[];
        Self { text, at, depth: 0, marked: marks, marks, guesses: None, lone_surrogates: 0 }
    }

    /// Starts at `at`, with the marks of the text and guesses at its keys.
    pub fn helped(text: &'a str, at: usize, end: usize, help: Help<'a>) -> Self {
        let (marks, guesses) = (help.marks, Some(help.guesses));
        Self { marked: marks, marks, guesses, ..Self::new(text, at, end) }
    }

    /// A scanner of a piece of the text that was walked over before, and begins in no
    /// string. Few pieces are read twice, so it does without guesses.
    #[must_use]
    pub fn within(&self, start: usize, end: usize) -> Self {
        let marked = self.marked;
        let marks = &marked[marked.partition_point(|mark| mark.at() < start)..];
        Self { marked, marks, ..Self::new(self.text, start, end) }
    }

    /// The text from `start` to the cursor.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// The text from the cursor on.
    #[inline]
    pub fn ahead(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The text between two offsets.
    pub fn between(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// The next byte, if there is one.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// A stop at the cursor; past the end the reason is always `end`.
    #[cold]
    pub fn stop(&self, reason: Reason) -> Box<Stop> {
        let reason = if self.at >= self.text.len() { Reason::End } else { reason };
        Box::new(Stop { at: self.at, reason })
    }

    /// Moves over JSON white space.
    #[inline]
    pub fn skip_space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_some_space();
        }
    }

    /// Writers of transcripts put none anywhere.
    #[cold]
    fn skip_some_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// Moves behind the brace or bracket at the cursor.
    #[inline]
    pub fn enter(&mut self) -> Step<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.stop(Reason::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Walks over the object at the cursor. `member` gets each key with the
    /// cursor on its value, and must move it past that value.
    #[inline]
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, Raw<'a>) -> Step<()>) -> Step<()> {
        self.enter()?;
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        let mut expected = Reason::KeyOrEnd;
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.stop(expected));
            }
            let key = self.string()?;
            self.colon()?;
            member(self, key)?;
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.stop(Reason::CommaOrBrace)),
            }
            self.skip_space();
            expected = Reason::Key;
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Walks over the object at the cursor, as [`object`](Self::object) does;
    /// `member` gets the number of each key, where it has one.
    #[inline]
    pub fn members<const NAMES: usize, const SLOTS: usize>(
        &mut self,
        keys: &Keys<NAMES, SLOTS>,
        mut member: impl FnMut(&mut Self, Option<usize>) -> Step<()>,
    ) -> Step<()> {
        let mut key = Guess::START;
        self.enter()?;
        while let Some(next) = self.key(keys, key)? {
            key = next;
            member(self, key.number())?;
        }
        Ok(())
    }

    /// Moves to the value of the next member of the object that was [entered](Self::enter),
    /// or behind the object. The cursor is behind the brace, or behind the value of
    /// `before`.
    #[inline(always)]
    #[allow(clippy::inline_always)] // The one loop that it is part of is a hot one.
    pub fn key<const NAMES: usize, const SLOTS: usize>(
        &mut self,
        keys: &Keys<NAMES, SLOTS>,
        before: Guess,
    ) -> Step<Option<Guess>> {
        let is_first = before == Guess::START;
        if !is_first && !self.another()? {
            return Ok(None);
        }
        let guesses = self.guesses.map(|guesses| guesses.of(keys.kind()));
        if let Some(guesses) = guesses
            && let guess = guesses.after(before)
            && let Some(ahead) = self.text.as_bytes().get(self.at..)
            && let Some(length) = keys.guessed(guess, guesses, ahead)
            && let [open, _, rest @ ..] = self.marks
            && open.at() == self.at
        {
            self.marks = rest;
            self.at += length;
            self.skip_space();
            return Ok(Some(guess));
        }
        self.skip_space();
        match self.peek() {
            Some(b'"') => {}
            Some(b'}') if is_first => {
                self.close();
                return Ok(None);
            }
            _ => return Err(self.stop(if is_first { Reason::KeyOrEnd } else { Reason::Key })),
        }
        let key = self.string()?;
        self.colon()?;
        let name = keys.number(key).map(Guess::of);
        let Some(guesses) = guesses else { return Ok(Some(name.unwrap_or(Guess::OTHER))) };
        let guess = name.unwrap_or_else(|| guesses.stranger(key));
        guesses.learn(before, guess);
        Ok(Some(guess))
    }

    /// Moves behind the comma or the brace that stands behind a member; whether it
    /// was a comma.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn another(&mut self) -> Step<bool> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(b'}') => {
                self.close();
                Ok(false)
            }
            _ => Err(self.stop(Reason::CommaOrBrace)),
        }
    }

    /// Moves past so many bytes with so many quotes, and gives them: they were read before
    /// where the same was to be expected, from behind a value or a brace to a value or to
    /// the end of an object.
    #[inline]
    pub fn pass(&mut self, bytes: usize, quotes: usize) -> &'a str {
        let start = self.at;
        self.at += bytes;
        self.marks = self.marks.get(quotes..).unwrap_or_default();
        self.since(start)
    }

    /// Walks over the array at the cursor. `item` is called with the cursor on
    /// each value, and must move it past that value.
    #[inline]
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Step<()>) -> Step<()> {
        self.enter()?;
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        let mut expected = Reason::ValueOrEnd;
        loop {
            if !self.at_value() {
                return Err(self.stop(expected));
            }
            item(self)?;
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.stop(Reason::CommaOrBracket)),
            }
            self.skip_space();
            expected = Reason::Value;
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    fn at_value(&self) -> bool {
        matches!(self.peek(), Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
    }

    #[inline]
    fn colon(&mut self) -> Step<()> {
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.stop(Reason::Colon));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// Reads the value at the cursor; containers are only skipped.
    #[inline]
    pub fn value(&mut self) -> Step<Value<'a>> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'{') => {
                self.skip_container()?;
                Ok(Value::Object(self.since(start)))
            }
            Some(b'[') => {
                self.skip_container()?;
                Ok(Value::Array(self.since(start)))
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Ok(Value::Number(self.since(start)))
            }
            Some(b't') => self.literal(b"true").map(|()| Value::Bool(true)),
            Some(b'f') => self.literal(b"false").map(|()| Value::Bool(false)),
            Some(b'n') => self.literal(b"null").map(|()| Value::Null),
            _ => Err(self.stop(Reason::Value)),
        }
    }

    /// Moves past the value at the cursor.
    #[inline]
    pub fn skip(&mut self) -> Step<()> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'{' | b'[') => self.skip_container(),
            _ => self.value().map(|_| ()),
        }
    }

    /// Moves past the container at the cursor without recursion: one bit for
    /// each open level says whether it is an object.
    fn skip_container(&mut self) -> Step<()> {
        let floor = self.depth;
        let mut objects = [0_u64; (MAX_DEPTH as usize).div_ceil(64) + 1];
        loop {
            // The cursor is on a value.
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    self.enter()?;
                    let (word, bit) = (self.depth as usize / 64, self.depth % 64);
                    let object = open == b'{';
                    objects[word] = objects[word] & !(1 << bit) | u64::from(object) << bit;
                    self.skip_space();
                    match self.peek() {
                        Some(b'}') if object => self.close(),
                        Some(b']') if !object => self.close(),
                        Some(b'"') if object => {
                            self.skip_string()?;
                            self.colon()?;
                            continue;
                        }
                        _ if object => return Err(self.stop(Reason::KeyOrEnd)),
                        _ if !self.at_value() => return Err(self.stop(Reason::ValueOrEnd)),
                        _ => continue,
                    }
                }
                Some(b'"') => self.skip_string()?,
                _ => self.value().map(|_| ())?,
            }
            // The cursor is behind a value.
            loop {
                if self.depth == floor {
                    return Ok(());
                }
                let (word, bit) = (self.depth as usize / 64, self.depth % 64);
                let object = objects[word] >> bit & 1 == 1;
                self.skip_space();
                match (self.peek(), object) {
                    (Some(b','), true) => {
                        self.at += 1;
                        self.skip_space();
                        if self.peek() != Some(b'"') {
                            return Err(self.stop(Reason::Key));
                        }
                        self.skip_string()?;
                        self.colon()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        self.skip_space();
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => self.close(),
                    (_, true) => return Err(self.stop(Reason::CommaOrBrace)),
                    (_, false) => return Err(self.stop(Reason::CommaOrBracket)),
                }
            }
        }
    }

    #[inline]
    fn close(&mut self) {
        self.at += 1;
        self.leave();
    }

    /// Notes that the object or array that was entered last is behind the cursor.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// What was remembered of other records, where the scanner has help.
    #[inline]
    pub fn guesses(&self) -> Option<&'a Guesses> {
        self.guesses
    }

    fn literal(&mut self, word: &[u8]) -> Step<()> {
        for expected in word {
            if self.peek() != Some(*expected) {
                return Err(self.stop(Reason::Literal));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads an integer without sign, of few enough digits to fit; where there is
    /// anything else, the cursor stays.
    #[inline]
    pub fn short_integer(&mut self) -> Option<i64> {
        const DIGITS: usize = 18;
        let bytes = &self.text.as_bytes()[self.at..];
        let mut integer = 0_i64;
        for (count, byte) in bytes.iter().take(DIGITS).enumerate() {
            match byte {
                b'0'..=b'9' => integer = integer * 10 + i64::from(byte - b'0'),
                b',' | b'}' | b']' if count > 0 && (bytes[0] != b'0' || count == 1) => {
                    self.at += count;
                    return Some(integer);
                }
                _ => return None,
            }
        }
        None
    }

    fn digits(&mut self) -> Step<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.stop(Reason::Number));
        }
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Step<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Reads the string at the cursor.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A result in memory is read back before it is written.
    pub fn string(&mut self) -> Step<Raw<'a>> {
        match self.marked_string() {
            Some(raw) => Ok(raw),
            None => self.unmarked_string(),
        }
    }

    /// Reads the string at the cursor, if one is there and its quotes are known.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn marked_string(&mut self) -> Option<Raw<'a>> {
        if let [open, close, rest @ ..] = self.marks
            && open.at() == self.at
        {
            let end = close.at();
            let written = &self.text[self.at + 1..end];
            self.marks = rest;
            self.at = end + 1;
            return Some(Raw::new(written, close.saved_since(*open)));
        }
        None
    }

    /// Moves past the string at the cursor.
    #[inline]
    pub fn skip_string(&mut self) -> Step<()> {
        if let [open, close, rest @ ..] = self.marks
            && open.at() == self.at
        {
            self.at = close.at() + 1;
            self.marks = rest;
            return Ok(());
        }
        self.unmarked_string().map(|_| ())
    }

    /// Reads the string at the cursor byte by byte.
    #[inline(never)]
    fn unmarked_string(&mut self) -> Step<Raw<'a>> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut saved = 0_usize;
        loop {
            at += plain_run(&bytes[at..]);
            match bytes.get(at..) {
                Some([b'"', ..]) => break,
                Some([b'\\', code, ..]) if IS_SHORT_ESCAPE[*code as usize] => {
                    at += 2;
                    saved += 1;
                }
                Some([b'\\', b'u', ..]) => {
                    self.at = at + 2;
                    saved += self.unicode_escape()?;
                    at = self.at;
                }
                Some([b'\\', ..]) => {
                    self.at = at + 1;
                    return Err(self.stop(Reason::Escape));
                }
                _ => {
                    self.at = at;
                    return Err(self.stop(Reason::Control));
                }
            }
        }
        self.at = at + 1;
        Ok(Raw::new(&self.text[start..at], saved))
    }

    /// Moves past the digits of an escape; gives how many bytes more it has than
    /// it stands for characters.
    fn unicode_escape(&mut self) -> Step<usize> {
        let unit = self.hex4()?;
        match unit {
            0xD800..=0xDBFF if self.low_surrogate_follows() => {
                self.at += 6;
                Ok(11)
            }
            0xD800..=0xDFFF => {
                self.lone_surrogates += 1;
                Ok(5)
            }
            _ => Ok(5),
        }
    }

    fn hex4(&mut self) -> Step<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.stop(Reason::Escape));
            };
            unit = unit << 4 | digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn low_surrogate_follows(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        matches!(
            rest,
            [b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', third, fourth, ..]
                if third.is_ascii_hexdigit() && fourth.is_ascii_hexdigit()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> Result<(), (usize, Reason)> {
        let mut scanner = Scanner::new(text, 0, text.len());
        scanner.skip_space();
        scanner.skip().map_err(|stop| (stop.at, stop.reason))
    }

    #[test]
    fn stops_at_the_first_impossible_byte() {
        for (text, at, reason) in [
            ("", 0, Reason::End),
            (r#"{"a":NaN}"#, 5, Reason::Value),
            (r#"{"a":nul}"#, 8, Reason::Literal),
            (r#"{"a":tru"#, 8, Reason::End),
            (r#"{"a":01}"#, 6, Reason::CommaOrBrace),
            (r#"{"a":1.}"#, 7, Reason::Number),
            (r#"{"a":-}"#, 6, Reason::Number),
            (r#"{"a" 1}"#, 5, Reason::Colon),
            (r#"{"a":1,}"#, 7, Reason::Key),
            (r"{a:1}", 1, Reason::KeyOrEnd),
            (r"[1,]", 3, Reason::Value),
            (r"[,]", 1, Reason::ValueOrEnd),
            (r"[1 2]", 3, Reason::CommaOrBracket),
            (r#"["\x"]"#, 3, Reason::Escape),
            (r#"["\u12G4"]"#, 6, Reason::Escape),
            ("[\"a\tb\"]", 3, Reason::Control),
            (r#"{"a":[1}"#, 7, Reason::CommaOrBracket),
        ] {
            assert_eq!(outcome(text), Err((at, reason)), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nest = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(outcome(&nest(512)), Ok(()));
        assert_eq!(outcome(&nest(513)), Err((512, Reason::TooDeep)));
        assert_eq!(outcome(&"[".repeat(100_000)), Err((512, Reason::TooDeep)));
    }

    #[test]
    fn counts_lone_surrogates() {
        let text = r#"["\ud800","\udc00\ud83d\ude00","\ud800\ud800\u0041"]"#;
        let mut scanner = Scanner::new(text, 0, text.len());
        assert!(scanner.skip().is_ok());
        assert_eq!(scanner.lone_surrogates, 4);
    }
}
