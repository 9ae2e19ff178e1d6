//! Some byte strings in one, with a seal that tells damage and strangers.
//!
//! ```text
//! 0   magic, 8 bytes          32  length of each section, 8 bytes each
//! 8   version, 4 bytes        ..  the sections, each from a multiple of 64
//! 12  number of sections, 4
//! 16  length of all, 8        numbers are little endian; the hash is the xxh3
//! 24  hash, 8 bytes           of all that stands behind it
//! ```

use arrow_buffer::Buffer;
use xxhash_rust::xxh3::xxh3_64;

use super::Damaged;

/// What tells one kind of file from another, and its versions apart.
#[derive(Clone, Copy)]
pub(crate) struct Seal {
    pub(crate) magic: [u8; 8],
    pub(crate) version: u32,
}

const HEAD: usize = 32;

/// Arrow's own alignment.
const ALIGN: usize = 64;

/// Puts sections together.
pub(crate) fn seal(seal: Seal, sections: &[Vec<u8>]) -> Vec<u8> {
    let lengths = sections.iter().map(|section| section.len().next_multiple_of(ALIGN));
    let capacity = (HEAD + 8 * sections.len()).next_multiple_of(ALIGN) + lengths.sum::<usize>();
    let mut bytes = Vec::with_capacity(capacity);
    bytes.extend_from_slice(&seal.magic);
    bytes.extend_from_slice(&seal.version.to_le_bytes());
    bytes.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(capacity as u64).to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    for section in sections {
        bytes.extend_from_slice(&(section.len() as u64).to_le_bytes());
    }
    for section in sections {
        bytes.resize(bytes.len().next_multiple_of(ALIGN), 0);
        bytes.extend_from_slice(section);
    }
    bytes.resize(bytes.len().next_multiple_of(ALIGN), 0);
    let hash = xxh3_64(&bytes[HEAD..]);
    bytes[HEAD - 8..HEAD].copy_from_slice(&hash.to_le_bytes());
    bytes
}

/// Takes the sections out again, without copying them.
pub(crate) fn open(seal: Seal, bytes: &Buffer) -> Result<Vec<Buffer>, Damaged> {
    let head: &[u8; HEAD] = bytes.first_chunk().ok_or(Damaged("too short"))?;
    if head[..8] != seal.magic {
        return Err(Damaged("something else"));
    }
    if head[8..12] != seal.version.to_le_bytes() {
        return Err(Damaged("another version"));
    }
    if number(bytes, 16) != Some(bytes.len()) {
        return Err(Damaged("another length"));
    }
    if head[24..] != xxh3_64(&bytes[HEAD..]).to_le_bytes() {
        return Err(Damaged("bytes that were changed"));
    }
    sections(bytes).ok_or(Damaged("sections that do not fit"))
}

fn sections(bytes: &Buffer) -> Option<Vec<Buffer>> {
    let count = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?) as usize;
    let mut end = HEAD.checked_add(count.checked_mul(8)?)?;
    if end > bytes.len() {
        return None;
    }
    let section = |index: usize| {
        let start = end.checked_next_multiple_of(ALIGN)?;
        let length = number(bytes, HEAD + 8 * index)?;
        end = start.checked_add(length).filter(|end| *end <= bytes.len())?;
        Some(bytes.slice_with_length(start, length))
    };
    (0..count).map(section).collect()
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    usize::try_from(number).ok()
}
