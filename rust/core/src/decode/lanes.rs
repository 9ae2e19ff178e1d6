//! Sixty-four bytes compared at once, with the widest instructions that the
//! machine has. This is the one place of the decoding that is `unsafe`.

use wide::u8x16;

use crate::decode::marks::{Quotes, mark};

/// Bytes in a block: one bit of a `u64` for each.
pub const BLOCK: usize = 64;

/// What stands where in a block; the first byte is the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// `"`
    pub quotes: u64,
    /// `\`
    pub slashes: u64,
    /// Some byte is below 0x20.
    pub control: bool,
}

/// A way of comparing a block.
pub trait Lanes: Copy {
    /// The masks of a block.
    fn masks(self, block: &[u8; BLOCK]) -> Masks;

    /// Where one of two bytes stands in a block.
    fn either(self, block: &[u8; BLOCK], one: u8, other: u8) -> u64;
}

/// How the strings of a line are found. The tables are the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// No marks: the scanner walks over every byte.
    Bytewise,
    /// A byte at a time, for machines that have nothing else.
    Portable,
    /// Sixteen bytes at a time: SSE2 or NEON where the machine has them.
    Sixteen,
    /// Thirty-two bytes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Default for Machine {
    fn default() -> Self {
        Self::all().last().copied().unwrap_or(Self::Sixteen)
    }
}

impl Machine {
    /// Those that this machine can run, the fastest last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Bytewise, Self::Portable, Self::Sixteen];
        #[cfg(target_arch = "x86_64")]
        all.extend(Avx2::detect().map(Self::Avx2));
        all
    }

    /// Its name, to force it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytewise => "bytewise",
            Self::Portable => "portable",
            Self::Sixteen => "sixteen",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
        }
    }

    /// Marks the quotes of `bytes`; false where they are not sound.
    pub(super) fn mark(self, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
        match self {
            Self::Bytewise => false,
            Self::Portable => mark(Portable, bytes, start, into),
            Self::Sixteen => mark(Sixteen, bytes, start, into),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(lanes) => lanes.mark(bytes, start, into),
        }
    }
}

#[derive(Clone, Copy)]
struct Portable;

impl Lanes for Portable {
    fn masks(self, block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks { quotes: 0, slashes: 0, control: false };
        for (byte, place) in block.iter().zip(0..) {
            masks.quotes |= u64::from(*byte == b'"') << place;
            masks.slashes |= u64::from(*byte == b'\\') << place;
            masks.control |= *byte < b' ';
        }
        masks
    }

    fn either(self, block: &[u8; BLOCK], one: u8, other: u8) -> u64 {
        let bits = block
            .iter()
            .zip(0..)
            .map(|(byte, place)| u64::from(*byte == one || *byte == other) << place);
        bits.fold(0, |all, bit| all | bit)
    }
}

#[derive(Clone, Copy)]
struct Sixteen;

impl Lanes for Sixteen {
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn masks(self, block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks { quotes: 0, slashes: 0, control: false };
        let mut control = u8x16::splat(0);
        let (pieces, _) = block.as_chunks::<16>();
        for (piece, place) in pieces.iter().zip((0..).step_by(16)) {
            let piece = u8x16::new(*piece);
            let found = |byte: u8| u64::from(piece.simd_eq(u8x16::splat(byte)).to_bitmask());
            masks.quotes |= found(b'"') << place;
            masks.slashes |= found(b'\\') << place;
            // The least of a byte and 0x1F is the byte only where it is a control character.
            control |= piece.min(u8x16::splat(0x1F)).simd_eq(piece);
        }
        masks.control = control.to_bitmask() != 0;
        masks
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn either(self, block: &[u8; BLOCK], one: u8, other: u8) -> u64 {
        let (pieces, _) = block.as_chunks::<16>();
        let bits = pieces.iter().zip((0..).step_by(16)).map(|(piece, place)| {
            let piece = u8x16::new(*piece);
            let found = piece.simd_eq(u8x16::splat(one)) | piece.simd_eq(u8x16::splat(other));
            u64::from(found.to_bitmask()) << place
        });
        bits.fold(0, |all, bits| all | bits)
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
        _mm256_set1_epi8,
    };
    use std::mem::transmute;

    use super::{BLOCK, Lanes, Masks, Quotes, mark};

    /// Proof that this machine has AVX2 and what else [`detect`](Self::detect)
    /// looks for: there is no other way to one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Avx2(());

    impl Avx2 {
        /// The proof, where the machine has the instructions.
        pub fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Self(()))
        }

        pub(super) fn mark(self, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { mark_avx2(self, bytes, start, into) }
        }
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn masks(self, block: &[u8; BLOCK]) -> Masks {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { masks(block) }
        }

        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn either(self, block: &[u8; BLOCK], one: u8, other: u8) -> u64 {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { either(block, one, other) }
        }
    }

    /// The pass, compiled for these instructions.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn mark_avx2(lanes: Avx2, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
        mark(lanes, bytes, start, into)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(block: &[u8; BLOCK]) -> (__m256i, __m256i) {
        let ([low, high], _) = block.as_chunks::<32>() else { unreachable!("two halves") };
        // SAFETY: any 32 bytes are a vector.
        unsafe { (transmute::<[u8; 32], __m256i>(*low), transmute::<[u8; 32], __m256i>(*high)) }
    }

    /// The highest bit of every byte.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn both(low: __m256i, high: __m256i) -> u64 {
        let low = _mm256_movemask_epi8(low).cast_unsigned();
        u64::from(_mm256_movemask_epi8(high).cast_unsigned()) << 32 | u64::from(low)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn either(block: &[u8; BLOCK], one: u8, other: u8) -> u64 {
        let (low, high) = halves(block);
        let (one, other) = (_mm256_set1_epi8(one as i8), _mm256_set1_epi8(other as i8));
        let low = _mm256_or_si256(_mm256_cmpeq_epi8(low, one), _mm256_cmpeq_epi8(low, other));
        let high = _mm256_or_si256(_mm256_cmpeq_epi8(high, one), _mm256_cmpeq_epi8(high, other));
        both(low, high)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        let (low, high) = halves(block);
        let (quote, slash) = (_mm256_set1_epi8(0x22), _mm256_set1_epi8(0x5C));
        // The least of a byte and 0x1F is the byte only where it is a control character.
        let most = _mm256_set1_epi8(0x1F);
        let low_control = _mm256_cmpeq_epi8(_mm256_min_epu8(low, most), low);
        let high_control = _mm256_cmpeq_epi8(_mm256_min_epu8(high, most), high);
        Masks {
            quotes: both(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote)),
            slashes: both(_mm256_cmpeq_epi8(low, slash), _mm256_cmpeq_epi8(high, slash)),
            control: _mm256_movemask_epi8(_mm256_or_si256(low_control, high_control)) != 0,
        }
    }
}
