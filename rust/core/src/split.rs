//! Bytes to lines. A line ends at the byte 0x0A and nowhere else: not at CR,
//! U+2028, U+2029, NEL, VT or FF (SPEC section 2).

use memchr::memchr;

/// One line, without its line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number from 1, relative to the bytes that were split.
    pub number: u64,
    /// Offset of `bytes` in the bytes that were split.
    pub offset: usize,
    /// The line without its LF; a CR before the LF is part of it.
    pub bytes: &'a [u8],
    /// Whether an LF ends it; only the last line of a file may lack one.
    pub terminated: bool,
}

/// Iterator over the lines of some bytes. See [`lines`].
#[derive(Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    number: u64,
}

/// Splits bytes into lines at LF. Bytes that end in LF have no empty line after it.
///
/// ```
/// let lines: Vec<_> = sessionscan_core::split::lines(b"a\r\n\nb").collect();
/// assert_eq!(lines.len(), 3);
/// assert_eq!((lines[0].bytes, lines[2].number), (&b"a\r"[..], 3));
/// assert!(!lines[2].terminated);
/// ```
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines { bytes, offset: 0, number: 0 }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = &self.bytes[self.offset..];
        if rest.is_empty() {
            return None;
        }
        let end = memchr(b'\n', rest);
        let length = end.unwrap_or(rest.len());
        let line = Line {
            number: self.number + 1,
            offset: self.offset,
            bytes: &rest[..length],
            terminated: end.is_some(),
        };
        self.number += 1;
        self.offset += length + usize::from(end.is_some());
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_lines_at_line_feeds_alone() {
        let text = "a\rb\u{b}c\u{c}d\u{85}e\u{2028}f\u{2029}g\n\n\r\nh\n";
        let split: Vec<_> = lines(text.as_bytes()).collect();
        let found: Vec<_> = split.iter().map(|line| line.bytes).collect();
        let wanted: Vec<_> = text.trim_end_matches('\n').split('\n').map(str::as_bytes).collect();
        assert_eq!(found, wanted);
        for (line, number) in split.iter().zip(1..) {
            assert_eq!(line.number, number);
            assert_eq!(&text.as_bytes()[line.offset..][..line.bytes.len()], line.bytes);
            assert!(line.terminated);
        }
        assert_eq!(lines(b"").next(), None);
    }
}
