//! Finding the end of a plain run in a string: the bytes before the first
//! quote, backslash or control character. Most bytes of a transcript are passed
//! here.
//!
//! Whether a text holds control characters at all is asked once for the whole
//! of it. Nearly none does, and then a run ends at the first quote or
//! backslash, which `memchr` finds a vector at a time. Runs of a few bytes, such
//! as keys, end before that pays, so the first word is looked at here.

use memchr::memchr2;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether any byte is a control character.
pub fn has_control(bytes: &[u8]) -> bool {
    let least = |stretch: &[u8]| stretch.iter().fold(u8::MAX, |least, byte| least.min(*byte));
    bytes.chunks(512).any(|stretch| least(stretch) < 0x20)
}

/// How many bytes stand before the first quote or backslash, in bytes without
/// control characters.
#[inline]
pub fn clean_run(bytes: &[u8]) -> usize {
    let Some((first, rest)) = bytes.split_first_chunk::<8>() else {
        return plain_run(bytes);
    };
    let found = specials(u64::from_le_bytes(*first));
    if found != 0 {
        return found.trailing_zeros() as usize / 8;
    }
    8 + memchr2(b'"', b'\\', rest).unwrap_or(rest.len())
}

/// How many bytes stand before the first quote, backslash or control character.
#[inline]
pub fn plain_run(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (word, index) in words.iter().zip(0..) {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1F);
    words.len() * 8 + rest.iter().position(special).unwrap_or(rest.len())
}

/// The high bit of each byte that ends a plain run; only the lowest one counts.
///
/// A byte below 0x20 borrows from its high bit where 0x20 is taken from it, and
/// so does a quote or backslash where 1 is taken from its difference to that
/// one. All three are ASCII, so bytes whose own high bit is set are masked out,
/// for the differences as well. A borrow that runs on can only raise false
/// alarms above a true one.
#[inline]
fn specials(word: u64) -> u64 {
    let quote = word ^ (LOW * u64::from(b'"'));
    let slash = word ^ (LOW * u64::from(b'\\'));
    let borrows = word.wrapping_sub(LOW * 0x20) | quote.wrapping_sub(LOW) | slash.wrapping_sub(LOW);
    borrows & !word & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_end_of_a_plain_run() {
        for lead in 0..40 {
            for special in [b'"', b'\\', 0x00, 0x1F, b'\t'] {
                let mut bytes = vec![b'~'; lead];
                bytes.push(special);
                bytes.extend_from_slice(b"\xC3\xA9 \"more\" behind \\ it");
                assert_eq!(plain_run(&bytes), lead);
                assert_eq!(has_control(&bytes), special < 0x20);
                if special >= 0x20 {
                    assert_eq!(clean_run(&bytes), lead);
                }
            }
            for plain in [0x20, b'!', b'#', b'[', b']', 0x7F, 0x80, 0xA2, 0xDC, 0xFF] {
                assert_eq!(plain_run(&vec![plain; lead]), lead);
                assert_eq!(clean_run(&vec![plain; lead]), lead);
                assert!(!has_control(&vec![plain; lead]));
            }
        }
    }

    #[test]
    fn agrees_with_a_plain_search_on_every_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..16 {
                for around in [b' ', 0x80, 0x9F, 0xFF, b'#'] {
                    let mut bytes = [around; 24];
                    bytes[place] = byte;
                    let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1F);
                    assert_eq!(plain_run(&bytes), if is_special { place } else { 24 });
                }
            }
        }
    }
}
