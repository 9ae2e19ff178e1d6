//! Finding the end of a plain run in a string: the bytes before the first
//! quote, backslash or control character. Most bytes of a transcript are passed
//! here, sixteen at a time.

use wide::u8x16;

/// Bytes in a vector.
const WIDTH: usize = 16;

/// How many bytes stand before the first quote, backslash or control character.
#[inline]
pub fn plain_run(bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<WIDTH>();
    let mut run = 0;
    for block in blocks {
        let specials = specials(u8x16::new(*block));
        if specials != 0 {
            return run + specials.trailing_zeros() as usize;
        }
        run += WIDTH;
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1F);
    run + rest.iter().position(special).unwrap_or(rest.len())
}

/// One bit for each byte that ends a plain run.
#[inline]
fn specials(block: u8x16) -> u32 {
    let quote = block.simd_eq(u8x16::splat(b'"'));
    let slash = block.simd_eq(u8x16::splat(b'\\'));
    // The least of a byte and 0x1F is the byte only where it is a control character.
    let control = block.min(u8x16::splat(0x1F)).simd_eq(block);
    (quote | slash | control).to_bitmask()
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
            }
        }
    }

    #[test]
    fn agrees_with_a_plain_search_on_every_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..40 {
                for around in [b' ', 0x80, 0x9F, 0xFF, b'#'] {
                    let mut bytes = [around; 40];
                    bytes[place] = byte;
                    let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1F);
                    assert_eq!(plain_run(&bytes), if is_special { place } else { 40 });
                }
            }
        }
    }
}
