//! Files that are far away, read in pieces so large that the way there does not
//! count; what is read of them is cut out of the piece at hand.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::pread::ReadAt;
use crate::storage::Elsewhere;

/// Bytes that are asked for at once. Two of them hold a chunk of
/// [`CHUNK_BYTES`](crate::parallel::CHUNK_BYTES) and the rest of its last line;
/// a smaller file is read whole.
const PIECE_BYTES: u64 = (4 << 20) + REST_OF_LINE;

/// What is fetched behind a chunk for its last line; most lines are shorter.
const REST_OF_LINE: u64 = 256 << 10;

/// What is fetched for a line that is longer than most, again and again.
const REST_OF_LONG_LINE: u64 = 1 << 20;

/// The first `len` bytes of a file.
#[derive(Debug)]
pub(super) struct Pieces {
    elsewhere: Arc<Elsewhere>,
    path: PathBuf,
    len: u64,
    /// Where the lines start that will be asked for.
    expected: Range<u64>,
    at_hand: Mutex<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    start: u64,
    bytes: Vec<u8>,
}

impl Pieces {
    pub(super) fn of(elsewhere: &Arc<Elsewhere>, path: &Path, len: u64) -> Self {
        let (elsewhere, path) = (Arc::clone(elsewhere), path.to_path_buf());
        Self { elsewhere, path, len, expected: 0..len, at_hand: Mutex::default() }
    }

    /// Says which part will be read, so that no more is fetched.
    pub(super) fn expect(&mut self, range: Range<u64>) {
        self.expected = range;
    }

    /// How long the piece is that starts at `start`.
    fn length(&self, start: u64) -> u64 {
        let behind = self.expected.end.saturating_add(REST_OF_LINE);
        let ahead = behind.checked_sub(start).filter(|wanted| *wanted > 0);
        let wanted = ahead.unwrap_or(REST_OF_LONG_LINE);
        wanted.min(PIECE_BYTES).min(self.len.saturating_sub(start))
    }

    /// Fetches the piece that starts at `start`; what is missing of it then is
    /// not there.
    fn fetch(&self, piece: &mut Piece, start: u64) -> io::Result<()> {
        // If it fails, nothing is at hand.
        let mut bytes = std::mem::take(&mut piece.bytes);
        bytes.resize(self.length(start) as usize, 0);
        let filled = self.elsewhere.fill(&self.path, start, &mut bytes)?;
        bytes.truncate(filled);
        *piece = Piece { start, bytes };
        Ok(())
    }
}

impl Piece {
    /// What it has from `offset` on.
    fn from(&self, offset: u64) -> &[u8] {
        let skipped = offset.checked_sub(self.start).and_then(|skip| usize::try_from(skip).ok());
        skipped.and_then(|skip| self.bytes.get(skip..)).unwrap_or_default()
    }
}

impl ReadAt for Pieces {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut piece = self.at_hand.lock().unwrap_or_else(PoisonError::into_inner);
        if piece.from(offset).is_empty() && offset < self.len {
            self.fetch(&mut piece, offset)?;
        }
        let there = piece.from(offset);
        let read = there.len().min(buffer.len());
        buffer[..read].copy_from_slice(&there[..read]);
        Ok(read)
    }
}
