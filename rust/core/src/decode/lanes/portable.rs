//! Sixty-four bytes compared one after the other.

use crate::decode::lanes::{BLOCK, Lanes, Masks};

#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Lanes for Portable {
    type Least = u8;

    fn most(self) -> u8 {
        u8::MAX
    }

    fn is_control(self, least: u8) -> bool {
        least < b' '
    }

    fn masks(self, block: &[u8; BLOCK], least: &mut u8) -> Masks {
        let mut masks = Masks { quotes: 0, slashes: 0 };
        for (byte, place) in block.iter().zip(0..) {
            masks.quotes |= u64::from(*byte == b'"') << place;
            masks.slashes |= u64::from(*byte == b'\\') << place;
            *least = (*least).min(*byte);
        }
        masks
    }

    fn short_escapes(self, block: &[u8; BLOCK]) -> u64 {
        let is_escape = |byte: &u8| u64::from(matches!(byte, b'n' | b't' | b'\\'));
        let bits = block.iter().zip(0..).map(|(byte, place)| is_escape(byte) << place);
        bits.fold(0, |all, bit| all | bit)
    }
}
