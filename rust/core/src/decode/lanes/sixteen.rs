//! Sixty-four bytes compared sixteen at a time.

use wide::u8x16;

use crate::decode::lanes::{BLOCK, Lanes, Masks};

#[derive(Clone, Copy)]
pub(super) struct Sixteen;

impl Lanes for Sixteen {
    type Least = u8x16;

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn most(self) -> u8x16 {
        u8x16::splat(u8::MAX)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn is_control(self, least: u8x16) -> bool {
        least.to_array().into_iter().any(|byte| byte < b' ')
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn masks(self, block: &[u8; BLOCK], least: &mut u8x16) -> Masks {
        let mut masks = Masks { quotes: 0, slashes: 0 };
        let (pieces, _) = block.as_chunks::<16>();
        for (piece, place) in pieces.iter().zip((0..).step_by(16)) {
            let piece = u8x16::new(*piece);
            let found = |byte: u8| u64::from(piece.simd_eq(u8x16::splat(byte)).to_bitmask());
            masks.quotes |= found(b'"') << place;
            masks.slashes |= found(b'\\') << place;
            *least = least.min(piece);
        }
        masks
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn short_escapes(self, block: &[u8; BLOCK]) -> u64 {
        let (pieces, _) = block.as_chunks::<16>();
        let bits = pieces.iter().zip((0..).step_by(16)).map(|(piece, place)| {
            let piece = u8x16::new(*piece);
            let found = |byte: u8| piece.simd_eq(u8x16::splat(byte));
            u64::from((found(b'n') | found(b't') | found(b'\\')).to_bitmask()) << place
        });
        bits.fold(0, |all, bits| all | bits)
    }
}
