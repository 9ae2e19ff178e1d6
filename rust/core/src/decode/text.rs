//! Strings as a line writes them, and the text that they stand for.

use std::borrow::Cow;

use memchr::memchr;

use crate::decode::lanes;

/// A JSON string between its quotes, as written, known to be well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    written: &'a str,
    saved: usize,
}

impl<'a> Raw<'a> {
    /// `saved` is how many bytes its escapes have more than characters.
    pub fn new(written: &'a str, saved: usize) -> Self {
        Self { written, saved }
    }

    /// The string as the line writes it.
    pub fn written(&self) -> &'a str {
        self.written
    }

    /// Whether it is written without an escape.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.saved == 0
    }

    /// Whether it stands for the empty string.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Whether the text may begin with a brace or bracket behind white space;
    /// cheap, and wrong only by saying yes.
    pub fn may_start_container(&self) -> bool {
        let mut rest = self.written.trim_start_matches([' ', '\t', '\n', '\r']);
        while let Some(next) = rest.strip_prefix("\\n").or(rest.strip_prefix("\\t")) {
            rest = next.trim_start_matches(' ');
        }
        rest.starts_with(['{', '[', '\\'])
    }

    /// Unicode code points of the text.
    pub fn chars(&self) -> usize {
        self.written.len() - self.saved - continuing_bytes(self.written.as_bytes())
    }

    /// The text, an unpaired surrogate escape as U+FFFD.
    #[inline]
    pub fn text(&self) -> Cow<'a, str> {
        if self.saved == 0 {
            Cow::Borrowed(self.written)
        } else {
            let mut text = String::with_capacity(self.written.len() - self.saved);
            unescape(self.written, &mut text);
            Cow::Owned(text)
        }
    }

    /// Adds the text behind another.
    #[inline]
    pub fn append_to(&self, text: &mut String) {
        if self.saved == 0 {
            text.push_str(self.written);
        } else {
            unescape(self.written, text);
        }
    }

    /// Whether the text is `other`.
    #[inline]
    pub fn is(&self, other: &str) -> bool {
        if self.saved == 0 { self.written == other } else { self.text() == other }
    }
}

/// Unicode code points of a text.
pub fn code_points(text: &str) -> usize {
    text.len() - continuing_bytes(text.as_bytes())
}

/// Bytes of UTF-8 that begin no character. They are counted in bytes, a
/// stretch of at most 255 at a time, so that the compiler makes vectors of it.
#[inline(always)]
#[allow(clippy::inline_always)] // So that it is compiled for the lanes' instructions.
pub(super) fn continuing(bytes: &[u8]) -> usize {
    let is_continuing = |byte: &u8| u8::from(byte.cast_signed() < -64);
    let count = |stretch: &[u8]| usize::from(stretch.iter().map(is_continuing).sum::<u8>());
    let (stretches, rest) = bytes.as_chunks::<STRETCH>();
    stretches.iter().map(|stretch| count(stretch)).sum::<usize>() + count(rest)
}

const STRETCH: usize = 192;

/// The same, by wider instructions where there is more than a rest.
fn continuing_bytes(bytes: &[u8]) -> usize {
    if bytes.len() < STRETCH { continuing(bytes) } else { lanes::continuing_bytes(bytes) }
}

/// Adds what a string stands for behind a text; `written` is well formed.
pub(crate) fn unescape(written: &str, text: &mut String) {
    let mut rest = written;
    while let Some(slash) = memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..slash]);
        let code = rest.as_bytes()[slash + 1];
        rest = &rest[slash + 2..];
        match code {
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'u' => rest = push_unicode(text, rest),
            other => text.push(char::from(other)),
        }
    }
    text.push_str(rest);
}

/// Reads the four digits behind `\u`, and a low surrogate's escape behind a high one.
fn push_unicode<'a>(text: &mut String, rest: &'a str) -> &'a str {
    let unit = hex4(rest);
    let rest = &rest[4..];
    if (0xD800..0xDC00).contains(&unit) && rest.starts_with("\\u") {
        let low = rest.get(2..6).map_or(0, hex4);
        if (0xDC00..0xE000).contains(&low) {
            let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            return &rest[6..];
        }
    }
    text.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
    rest
}

fn hex4(digits: &str) -> u32 {
    digits
        .bytes()
        .take(4)
        .fold(0, |unit, byte| unit << 4 | char::from(byte).to_digit(16).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use crate::decode::scanner::Scanner;

    #[test]
    fn unescapes_like_serde_json_and_counts_characters() {
        for json in [
            r#""""#,
            r#""plain""#,
            r#""a\"b\\c\/d\b\f\n\r\t""#,
            r#""é\u00e9\ud83d\ude00€""#,
            r#""\u0041\u4e2d z""#,
        ] {
            let expected: String = serde_json::from_str(json).expect("valid JSON");
            let raw = Scanner::new(json, 0, json.len()).string().expect("valid string");
            assert_eq!(raw.text(), expected);
            assert_eq!(raw.chars(), expected.chars().count());
            assert!(raw.is(&expected));
        }
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let json = r#""\ud800\u0041\udc00\ud800""#;
        let raw = Scanner::new(json, 0, json.len()).string().expect("valid string");
        assert_eq!(raw.text(), "\u{FFFD}A\u{FFFD}\u{FFFD}");
        assert_eq!(raw.chars(), 4);
    }
}
