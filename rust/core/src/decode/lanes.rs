//! Sixty-four bytes compared at once, with the widest instructions that the
//! machine has. This is the one place of the decoding that is `unsafe`.

mod portable;
mod sixteen;

use crate::decode::marks::{Quotes, mark};
use crate::decode::text::continuing;
use portable::Portable;
use sixteen::Sixteen;

/// Bytes in a block: one bit of a `u64` for each.
pub const BLOCK: usize = 64;

/// What stands where in a block; the first byte is the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// `"`
    pub quotes: u64,
    /// `\`
    pub slashes: u64,
}

/// A way of comparing a block.
pub trait Lanes: Copy {
    /// The least byte so far at each place of a vector.
    type Least: Copy;

    /// The least byte of no block at all.
    fn most(self) -> Self::Least;

    /// Whether one of them is a control character, that is, below 0x20.
    fn is_control(self, least: Self::Least) -> bool;

    /// The masks of a block, and what it has less than `least`.
    fn masks(self, block: &[u8; BLOCK], least: &mut Self::Least) -> Masks;

    /// Where `n`, `t`, `\` or another byte stands that is an escape behind a backslash;
    /// of the rare ones, those that cost nothing more.
    fn short_escapes(self, block: &[u8; BLOCK]) -> u64;

    /// Those of some bits that are below a place; anything where that is none.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn below(self, bits: u64, place: u32) -> u64 {
        bits & 1_u64.wrapping_shl(place).wrapping_sub(1)
    }
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
        let everywhere = [Self::Bytewise, Self::Portable, Self::Sixteen];
        #[cfg(target_arch = "x86_64")]
        let wider = Avx2::detect().map(Self::Avx2);
        #[cfg(not(target_arch = "x86_64"))]
        let wider = None;
        everywhere.into_iter().chain(wider).collect()
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

/// Bytes of a long text that begin no character.
pub(super) fn continuing_bytes(bytes: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Avx2::detect() {
        return lanes.continuing(bytes);
    }
    continuing(bytes)
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _bzhi_u64, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_set1_epi8, _mm256_shuffle_epi8,
    };
    use std::mem::transmute;

    use super::{BLOCK, Lanes, Masks, Quotes, continuing, mark};

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

        pub(super) fn continuing(self, bytes: &[u8]) -> usize {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { continuing_avx2(self, bytes) }
        }
    }

    impl Lanes for Avx2 {
        type Least = __m256i;

        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn most(self) -> __m256i {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { _mm256_set1_epi8(-1) }
        }

        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn is_control(self, least: __m256i) -> bool {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { is_control(least) }
        }

        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn masks(self, block: &[u8; BLOCK], least: &mut __m256i) -> Masks {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { masks(block, least) }
        }

        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn short_escapes(self, block: &[u8; BLOCK]) -> u64 {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { short_escapes(block) }
        }

        // One instruction, and one that the compiler makes no vectors of: it would make
        // them of every four marks, and take twice as long.
        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn below(self, bits: u64, place: u32) -> u64 {
            // SAFETY: `self` proves that the machine has the features.
            unsafe { _bzhi_u64(bits, place) }
        }
    }

    /// The pass, compiled for these instructions.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn mark_avx2(lanes: Avx2, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
        mark(lanes, bytes, start, into)
    }

    #[target_feature(enable = "avx2")]
    fn continuing_avx2(_proof: Avx2, bytes: &[u8]) -> usize {
        continuing(bytes)
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
    fn equal(one: (__m256i, __m256i), other: (__m256i, __m256i)) -> u64 {
        both(_mm256_cmpeq_epi8(one.0, other.0), _mm256_cmpeq_epi8(one.1, other.1))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn masks(block: &[u8; BLOCK], least: &mut __m256i) -> Masks {
        let halves = halves(block);
        *least = _mm256_min_epu8(*least, _mm256_min_epu8(halves.0, halves.1));
        let (quote, slash) = (_mm256_set1_epi8(0x22), _mm256_set1_epi8(0x5C));
        Masks { quotes: equal(halves, (quote, quote)), slashes: equal(halves, (slash, slash)) }
    }

    /// A byte with its low half is looked up by that half: no two of the escapes that
    /// stand in the table share one. Other places have what equals no byte with that half.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn short_escapes(block: &[u8; BLOCK]) -> u64 {
        const TABLE: [u8; 16] = {
            let mut table = [0; 16];
            table[0] = 0xFF;
            let mut escapes: &[u8] = b"\\/fnrt";
            while let [escape, rest @ ..] = escapes {
                table[(*escape & 0xF) as usize] = *escape;
                escapes = rest;
            }
            table
        };
        // SAFETY: any 32 bytes are a vector.
        let table = unsafe { transmute::<[[u8; 16]; 2], __m256i>([TABLE; 2]) };
        let halves = halves(block);
        let looked_up =
            (_mm256_shuffle_epi8(table, halves.0), _mm256_shuffle_epi8(table, halves.1));
        equal(looked_up, halves)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn is_control(least: __m256i) -> bool {
        // The least of a byte and 0x1F is the byte only where it is a control character.
        let control = _mm256_cmpeq_epi8(_mm256_min_epu8(least, _mm256_set1_epi8(0x1F)), least);
        _mm256_movemask_epi8(control) != 0
    }
}
