//! Where a range of bytes is cut into whole lines.
//!
//! A line starts in `a..b` where a line feed stands in `a - 1..b - 1`, and at
//! 0. The last one ends behind the first line feed from `b - 1` on.

use std::ops::Range;

use memchr::memchr;

use super::Part;

/// The offset of the first line that starts in `range`, from the bytes that
/// begin just before it.
///
/// It looks no further than the range: a line that is longer than many ranges
/// is passed over once, not once by each of them.
pub(super) fn first_start(before_and_in: &[u8], range: &Range<u64>) -> Option<u64> {
    if range.start == 0 {
        return Some(0);
    }
    let last = (range.end - range.start).min(before_and_in.len() as u64) as usize;
    let line_feed = memchr(b'\n', &before_and_in[..last])?;
    Some(range.start + line_feed as u64)
}

/// The lines of a text in memory that start in `range`, which lies in it.
pub(super) fn lines_of(text: &[u8], range: Range<u64>) -> Part<'_> {
    let before = range.start.saturating_sub(1) as usize;
    let start = match first_start(&text[before..], &range) {
        Some(start) if !range.is_empty() => start as usize,
        _ => range.end as usize,
    };
    let end = if start as u64 == range.end {
        start
    } else {
        let last = range.end as usize - 1;
        memchr(b'\n', &text[last..]).map_or(text.len(), |at| last + at + 1)
    };
    Part { bytes: &text[start..end], offset: start as u64, truncated: false }
}
