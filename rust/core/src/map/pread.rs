//! Reading lines into a buffer, at places of a file that others read as well.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use memchr::memchr;

use super::{Part, cut};

/// What is read first behind a range, to find the end of its last line; each
/// further read is twice as long. Most lines are shorter.
const FIRST_STEP: u64 = 16 << 10;

/// Bytes of a page.
const PAGE: usize = 4096;

/// A buffer up to this size is kept for the next part, however small that is.
const KEPT: usize = 16 << 20;

/// Bytes that can be read at any place, by several threads at once.
pub(super) trait ReadAt {
    /// Reads into `buffer` from `offset` on; 0 at the end only.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }
}

/// The lines that start in `range`, which lies in the `len` bytes of a text.
pub(super) fn read_lines<'a>(
    file: &impl ReadAt,
    range: Range<u64>,
    len: u64,
    buffer: &'a mut Vec<u8>,
) -> io::Result<Part<'a>> {
    let nothing = Part { bytes: &[], offset: range.end, truncated: false };
    if range.is_empty() {
        return Ok(nothing);
    }
    // The byte before tells whether a line starts at the range's first.
    let before = range.start.saturating_sub(1);
    let mut window = Window { file, before, start: 0, filled: 0, truncated: false, buffer };
    window.fit(range.end - before);
    window.stand_apart(range.end - before);
    window.extend(range.end - before)?;
    let Some(start) = cut::first_start(window.bytes(), &range) else {
        return Ok(Part { truncated: window.truncated, ..nothing });
    };
    let end = window.complete_last_line(len)?;
    let (truncated, bytes) = (window.truncated, window.start..window.start + end);
    Ok(Part { truncated, bytes: &buffer[bytes][(start - before) as usize..], offset: start })
}

/// The first `len` bytes of a file, or as many as there are.
pub(super) fn read_whole(file: &impl ReadAt, len: u64) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    let into = &mut buffer;
    let mut window =
        Window { file, before: 0, start: 0, filled: 0, truncated: false, buffer: into };
    window.extend(len)?;
    let filled = window.filled;
    buffer.truncate(filled);
    Ok(buffer)
}

/// The bytes of a file from `before` on, as far as they were read.
struct Window<'file, 'buffer, F> {
    file: &'file F,
    before: u64,
    /// Where they stand in the buffer.
    start: usize,
    /// The buffer may be longer: it keeps its length between parts, as growing
    /// it anew would fill it with zeros each time.
    filled: usize,
    truncated: bool,
    buffer: &'buffer mut Vec<u8>,
}

impl<F: ReadAt> Window<'_, '_, F> {
    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.start + self.filled]
    }

    /// Gives memory back that one long line once needed.
    fn fit(&mut self, wanted: u64) {
        let most = KEPT.max(wanted as usize * 2);
        if self.buffer.capacity() > most {
            self.buffer.truncate(wanted as usize);
            self.buffer.shrink_to(wanted as usize);
        }
    }

    /// Begins half a page from where the bytes stand in the pages of the file. Processors
    /// that copy with one instruction take a load for one that waits for a store where the
    /// two are a few bytes apart in their pages: reading was measured three times as slow.
    fn stand_apart(&mut self, wanted: u64) {
        self.make_room(wanted as usize + PAGE);
        let wanted = (self.before as usize).wrapping_add(PAGE / 2);
        self.start = wanted.wrapping_sub(self.buffer.as_ptr() as usize) % PAGE;
    }

    fn make_room(&mut self, end: usize) {
        if self.buffer.len() < end {
            self.buffer.reserve_exact(end - self.buffer.len());
            self.buffer.resize(end, 0);
        }
    }

    /// Reads `more` bytes, or up to the end of the file.
    fn extend(&mut self, more: u64) -> io::Result<()> {
        let end = self.filled + more as usize;
        self.make_room(self.start + end);
        while self.filled < end {
            let at = self.before + self.filled as u64;
            let free = self.start + self.filled..self.start + end;
            match self.file.read_at(&mut self.buffer[free], at) {
                Ok(0) => {
                    self.truncated = true;
                    break;
                }
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads on to the first line feed from the last byte on; where the line
    /// ends in the buffer.
    fn complete_last_line(&mut self, len: u64) -> io::Result<usize> {
        let mut searched = self.filled.saturating_sub(1);
        let mut step = FIRST_STEP;
        loop {
            if let Some(at) = memchr(b'\n', &self.bytes()[searched..]) {
                return Ok(searched + at + 1);
            }
            searched = self.filled;
            let left = len - (self.before + self.filled as u64);
            if self.truncated || left == 0 {
                return Ok(self.filled);
            }
            self.extend(step.min(left))?;
            step *= 2;
        }
    }
}
