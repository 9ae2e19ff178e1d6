//! Unpacking gzip and zstd, member behind member, frame behind frame.
//!
//! What stands behind the last one and is no other is damage, like a cut or a
//! wrong checksum. Of damaged data everything is unpacked that stands before
//! the damage: a decoder loses what it had unpacked in the call that fails, so
//! the data are then unpacked again, in the smallest steps from the place of
//! that call on.
//!
//! Which bytes a decoder refuses, and how much it gives before, is its own
//! affair: gzip is left to the port of zlib (flate2's `zlib-rs`), so that the
//! reference, which has zlib, keeps the same lines. `miniz_oxide` goes on longer.

use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::discover::Compression;

/// What is unpacked in one call.
const CHUNK: usize = 64 << 10;

/// The text of packed data.
pub(super) struct Unpacked {
    /// Of damaged data the whole lines before the damage.
    pub(super) text: Vec<u8>,
    pub(super) is_damaged: bool,
}

/// Unpacks a whole file. An empty file is an empty text. Errors are those of
/// the machine, such as a lack of memory, never those of the data.
pub(super) fn inflate(packed: &[u8], compression: Compression) -> io::Result<Unpacked> {
    let mut text = Vec::new();
    let is_damaged = !packed.is_empty()
        && match compression {
            Compression::Gzip => gunzip(packed, &mut text),
            Compression::Zstd => unzstd(packed, &mut text)?,
        };
    if is_damaged {
        text.truncate(memchr::memrchr(b'\n', &text).map_or(0, |last| last + 1));
    }
    text.shrink_to_fit();
    Ok(Unpacked { text, is_damaged })
}

fn gunzip(packed: &[u8], text: &mut Vec<u8>) -> bool {
    let mut decoder = MultiGzDecoder::new(Steps::new(packed, packed.len()));
    if drain(&mut decoder, text, |_| CHUNK) {
        return false;
    }
    let (unpacked, steps) = (text.len(), decoder.get_ref().again());
    text.clear();
    // A single byte of packed data may still hold several symbols.
    let step = |done| if done < unpacked { CHUNK } else { 1 };
    !drain(MultiGzDecoder::new(steps), text, step)
}

fn unzstd(packed: &[u8], text: &mut Vec<u8>) -> io::Result<bool> {
    let mut decoder = ZstdDecoder::with_buffer(Steps::new(packed, packed.len()))?;
    if drain(&mut decoder, text, |_| CHUNK) {
        return Ok(false);
    }
    let steps = decoder.get_ref().again();
    text.clear();
    Ok(!drain(ZstdDecoder::with_buffer(steps)?, text, |_| CHUNK))
}

/// Reads to the end, in steps that may depend on how much there is already;
/// whether it came to the end without an error.
fn drain(mut decoder: impl Read, text: &mut Vec<u8>, step: impl Fn(usize) -> usize) -> bool {
    loop {
        let done = text.len();
        text.resize(done + step(done), 0);
        let read = decoder.read(&mut text[done..]);
        text.truncate(done + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// Hands out its first bytes at once and all others one by one.
struct Steps<'a> {
    packed: &'a [u8],
    at_once: usize,
    place: usize,
    /// Where the bytes began that were looked at last.
    offered: usize,
}

impl<'a> Steps<'a> {
    fn new(packed: &'a [u8], at_once: usize) -> Self {
        Self { packed, at_once, place: 0, offered: 0 }
    }

    /// From the start, in single bytes from those that the decoder failed on.
    fn again(&self) -> Self {
        Self::new(self.packed, self.offered)
    }
}

impl Read for Steps<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Steps<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.offered = self.place;
        let end = self.at_once.max(self.place + 1).min(self.packed.len());
        Ok(&self.packed[self.place..end])
    }

    fn consume(&mut self, amount: usize) {
        self.place += amount;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn gzip(text: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text)?;
        encoder.finish()
    }

    fn zstd(text: &[u8]) -> io::Result<Vec<u8>> {
        zstd::bulk::compress(text, 1)
    }

    /// Lines that do not pack to nothing.
    fn lines(count: u64) -> Vec<u8> {
        (0..count)
            .flat_map(|n| format!("{:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into_bytes())
            .collect()
    }

    fn unpack(packed: &[u8], compression: Compression) -> io::Result<(Vec<u8>, bool)> {
        let unpacked = inflate(packed, compression)?;
        Ok((unpacked.text, unpacked.is_damaged))
    }

    #[test]
    fn members_and_frames_follow_each_other() -> Outcome {
        let (text, more) = (lines(30_000), b"more\nwithout end".to_vec());
        let both = [text.clone(), more.clone()].concat();
        for (compression, pack) in
            [(Compression::Gzip, gzip as fn(&[u8]) -> _), (Compression::Zstd, zstd)]
        {
            let packed = [pack(&text)?, pack(b"")?, pack(&more)?].concat();
            assert_eq!(unpack(&packed, compression)?, (both.clone(), false));
            assert_eq!(unpack(b"", compression)?, (Vec::new(), false));
        }
        Ok(())
    }

    #[test]
    fn what_is_no_member_is_damage() -> Outcome {
        for (compression, pack) in
            [(Compression::Gzip, gzip as fn(&[u8]) -> _), (Compression::Zstd, zstd)]
        {
            for tail in [&b"\0\0\0\0\0\0\0\0"[..], b"odd", b"\n"] {
                let packed = [&pack(b"a\nb\n")?[..], tail].concat();
                assert_eq!(unpack(&packed, compression)?, (b"a\nb\n".to_vec(), true));
            }
            assert_eq!(unpack(b"{}\n{}\n", compression)?, (Vec::new(), true));
        }
        Ok(())
    }

    #[test]
    fn a_cut_keeps_the_lines_before_it() -> Outcome {
        let text = lines(40_000);
        for (compression, packed) in
            [(Compression::Gzip, gzip(&text)?), (Compression::Zstd, zstd(&text)?)]
        {
            let mut longest = 0;
            for cut in (1..packed.len()).step_by(packed.len() / 7) {
                let (kept, is_damaged) = unpack(&packed[..cut], compression)?;
                assert!(is_damaged && text.starts_with(&kept));
                assert!(kept.is_empty() || kept.ends_with(b"\n"));
                assert!(kept.len() >= longest);
                longest = kept.len();
            }
            assert!(longest > text.len() / 2);
        }
        Ok(())
    }

    #[test]
    fn a_wrong_checksum_keeps_all_lines() -> Outcome {
        let text = lines(1000);
        let mut packed = gzip(&text)?;
        let checksum = packed.len() - 8;
        packed[checksum] ^= 1;
        assert_eq!(unpack(&packed, Compression::Gzip)?, (text, true));
        Ok(())
    }

    /// Stored blocks, then a block of a type that there is not: the lines of
    /// the sound blocks come out to the last byte.
    #[test]
    fn text_up_to_the_damage_is_unpacked() -> Outcome {
        let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        for line in [&b"first\n"[..], b"second\n"] {
            let length = u16::try_from(line.len())?;
            packed.push(0);
            packed.extend(length.to_le_bytes());
            packed.extend((!length).to_le_bytes());
            packed.extend(line);
        }
        packed.push(0b111);
        packed.extend([0; 20]);
        let expected = (b"first\nsecond\n".to_vec(), true);
        assert_eq!(unpack(&packed, Compression::Gzip)?, expected);
        Ok(())
    }

    #[test]
    fn zstd_blocks_before_the_damage_are_unpacked() -> Outcome {
        let text = lines(40_000);
        let mut packed = zstd(&text)?;
        let late = packed.len() - 2;
        packed.truncate(late);
        let (kept, _) = unpack(&packed, Compression::Zstd)?;
        let blocks = &text[..text.len() / (128 << 10) * (128 << 10)];
        let last = memchr::memrchr(b'\n', blocks).ok_or("no line")?;
        assert_eq!(kept, text[..=last]);
        Ok(())
    }
}
