//! A transcript's bytes, in ranges that are cut at line feeds, so that one big
//! file is work for several cores.
//!
//! # Why `auto` reads
//!
//! A page of a map that lies behind a file's end raises SIGBUS, which ends the
//! process, and any other process may cut a file short at any moment. Only a
//! file that nobody writes to can be mapped safely, and nothing on disk tells
//! which ones those are: neither size nor age keeps an editor or a rotation
//! away. Reading into a buffer that stays in the cache was measured as fast as
//! touching the pages of a map, so `auto` gives nothing up: it reads, a file
//! that is cut short ends its text early, and SIGBUS cannot occur. `always` is
//! for callers who know that their files stand still, and `never` says in so
//! many words what `auto` does today.
//!
//! Packed files are inflated whole when they are opened: a decoder has no
//! entry in the middle. What lives elsewhere than on disk is read in large
//! pieces, as each takes a journey.

mod cut;
mod inflate;
mod pieces;
mod pread;

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt;

use arrow_buffer::Buffer;
use memmap2::{Mmap, MmapOptions};

use self::pieces::Pieces;
use self::pread::ReadAt;
use crate::discover::{Compression, Found, Transcript};
use crate::error::reason;
use crate::storage::Storage;

/// Whether files are mapped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MmapPolicy {
    /// What is safe whatever happens to the files meanwhile: they are read.
    #[default]
    Auto,
    /// Map every file that can be mapped. One that is cut short while it is
    /// scanned ends the process.
    Always,
    /// Read every file.
    Never,
}

/// An opened transcript. Its length is fixed: what is appended later belongs to
/// the next scan.
#[derive(Debug)]
pub struct Source {
    bytes: Bytes,
    len: u64,
    damage: Option<u64>,
}

#[derive(Debug)]
enum Bytes {
    File(File),
    Pieces(Pieces),
    Mapped(Mmap),
    Inflated(Vec<u8>),
}

/// Whole lines of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// The lines, line feeds included; the text's last may lack its own.
    pub bytes: &'a [u8],
    /// Where they stand in the text.
    pub offset: u64,
    /// The file ended before the length that it had when it was opened.
    pub truncated: bool,
}

/// Opens a transcript; the error is the reason of its `unreadable`.
pub fn open(transcript: &Transcript, policy: MmapPolicy) -> Result<Source, String> {
    match &transcript.found {
        Found::Regular => {}
        Found::Unreadable(reason) => return Err(reason.clone()),
        Found::NotAFile | Found::SymlinkLoop => return Err("not a regular file".to_owned()),
    }
    opened(transcript, policy).map_err(|error| reason(&error))
}

fn opened(transcript: &Transcript, policy: MmapPolicy) -> io::Result<Source> {
    if let Storage::Elsewhere(elsewhere) = &transcript.storage {
        let len = transcript.size.unwrap_or(0);
        let pieces = Pieces::of(elsewhere, &transcript.path, len);
        return match transcript.compression {
            Some(compression) => inflated(&pieces, len, compression),
            None => Ok(Source { bytes: Bytes::Pieces(pieces), len, damage: None }),
        };
    }
    let file = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(&transcript.path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let len = transcript.size.unwrap_or(u64::MAX).min(metadata.len());
    if let Some(compression) = transcript.compression {
        return inflated(&file, len, compression);
    }
    let mapped = match policy {
        MmapPolicy::Always if len > 0 => map_whole(&file, len).ok(),
        _ => None,
    };
    Ok(Source { bytes: mapped.map_or(Bytes::File(file), Bytes::Mapped), len, damage: None })
}

/// The text of the first `len` bytes of a packed file.
fn inflated(file: &impl ReadAt, len: u64, compression: Compression) -> io::Result<Source> {
    let unpacked = inflate::inflate(&pread::read_whole(file, len)?, compression)?;
    Ok(Source {
        len: unpacked.text.len() as u64,
        damage: unpacked.is_damaged.then_some(unpacked.text.len() as u64),
        bytes: Bytes::Inflated(unpacked.text),
    })
}

/// Without it a FIFO that has taken a file's place would block the scan. For
/// files it means nothing.
pub(crate) const O_NONBLOCK: i32 =
    if cfg!(any(target_os = "linux", target_os = "android")) { 0o4000 } else { 0x4 };

/// Maps the first `len` bytes of a file.
#[allow(unsafe_code)]
fn map_whole(file: &File, len: u64) -> io::Result<Mmap> {
    let len = usize::try_from(len).map_err(io::Error::other)?;
    // SAFETY: a map must not change while it is borrowed as a slice. No code of
    // ours writes to transcripts; that nobody else does, or cuts the file short,
    // is what a caller promises by `MmapPolicy::Always`, and no other policy
    // leads here. The map is private to this process, it is no longer than the
    // file was a moment ago, and no slice of it outlives its `Source`.
    unsafe { MmapOptions::new().len(len).map(file) }
}

/// Maps a file that no program writes to once it has its name.
#[allow(unsafe_code)]
pub(crate) fn map_finished(file: &File, len: usize) -> io::Result<Buffer> {
    // SAFETY: a map must not change while it is borrowed as a slice. A file of the
    // index is written under another name, gets its own by a rename, and is replaced
    // by a rename or removed, which leaves the map what it is; the folder is for its
    // owner alone. The map is private to this process.
    let map = unsafe { MmapOptions::new().len(len).populate().map(file)? };
    Ok(Buffer::from(bytes::Bytes::from_owner(map)))
}

impl Source {
    /// The length of the text, after inflating.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the text ends that was kept of damaged packed data.
    pub fn damage(&self) -> Option<u64> {
        self.damage
    }

    /// Says that only lines that start in `range` will be read.
    pub fn expect(&mut self, range: &Range<u64>) {
        if let Bytes::Pieces(pieces) = &mut self.bytes {
            pieces.expect(range.clone());
        }
    }

    /// The whole lines that *start* in `range`, to the end of the last one: so
    /// ranges that follow each other give every line once, wherever they were
    /// cut.
    ///
    /// `buffer` is used where bytes must be read, and is best handed in again
    /// for the next part; what it holds means nothing.
    pub fn read<'a>(
        &'a self,
        range: Range<u64>,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Part<'a>, String> {
        let end = range.end.min(self.len);
        let range = range.start.min(end)..end;
        match &self.bytes {
            Bytes::File(file) => {
                pread::read_lines(file, range, self.len, buffer).map_err(|error| reason(&error))
            }
            Bytes::Pieces(pieces) => {
                pread::read_lines(pieces, range, self.len, buffer).map_err(|error| reason(&error))
            }
            Bytes::Mapped(map) => Ok(cut::lines_of(map, range)),
            Bytes::Inflated(text) => Ok(cut::lines_of(text, range)),
        }
    }
}

#[cfg(test)]
mod tests;
