//! Where the strings of a text begin and end, found sixty-four bytes at a time
//! before anything walks over it.
//!
//! One pass finds every quote that no backslash hides and proves what stands in
//! strings: that no control character does, and that every escape is one. The
//! [`Scanner`](crate::decode::scanner::Scanner) then goes from quote to quote.
//! What is rare (control characters, surrogate escapes, anything that is no JSON)
//! is not told apart here: the text is left to the scanner's own bytewise walk,
//! which knows the place and the reason.

use crate::decode::keys::Guesses;
use crate::decode::lanes::{BLOCK, Lanes, Machine, Masks};

/// A quote that begins or ends a string: its offset in the text, and in the upper half
/// how many bytes all escapes before it have more than the characters that they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(u64);

impl Mark {
    const HALF: u32 = u32::BITS;

    /// The quote's offset.
    #[inline]
    pub fn at(self) -> usize {
        (self.0 as u32) as usize
    }

    /// What escapes between an earlier mark and this one have more than characters.
    #[inline]
    pub fn saved_since(self, open: Self) -> usize {
        (self.0 >> Self::HALF) as usize - (open.0 >> Self::HALF) as usize
    }
}

/// The quotes of one text after the other; it keeps its memory.
#[derive(Debug, Default)]
pub struct Marks {
    machine: Machine,
    quotes: Quotes,
    guesses: Guesses,
}

/// What helps a scanner over one text.
#[derive(Clone, Copy, Debug)]
pub struct Help<'m> {
    /// Its quotes in pairs; none where they are not known.
    pub marks: &'m [Mark],
    /// Guesses at its keys.
    pub guesses: &'m Guesses,
}

impl Marks {
    /// Marks that a certain machine finds.
    pub fn of(machine: Machine) -> Self {
        Self { machine, ..Self::default() }
    }

    /// Help with `bytes`, offsets counted from its first byte. There are no marks
    /// where this pass, which begins at `start`, cannot vouch for the strings.
    pub fn find(&mut self, bytes: &[u8], start: usize) -> Help<'_> {
        self.quotes.count = 0;
        let sound = u32::try_from(bytes.len()).is_ok()
            && self.machine.mark(bytes, start, &mut self.quotes)
            && self.quotes.count.is_multiple_of(2);
        let marks = if sound { &self.quotes.slots[..self.quotes.count] } else { &[] };
        Help { marks, guesses: &self.guesses }
    }
}

/// Marks, and room for those of one block more: room is looked for once a block.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    slots: Vec<Mark>,
    count: usize,
}

impl Quotes {
    #[cold]
    fn grow(&mut self) {
        self.slots.resize(2 * self.slots.len() + 2 * BLOCK, Mark(0));
    }

    /// Adds a mark for each of these bits of the block at `at`. Four are written at a
    /// time, whether they are there or not: how many are is hard to guess.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn add(&mut self, at: u32, mut bits: u64, saved: impl Fn(u64) -> u32) {
        const AT_ONCE: usize = 4;
        let count = bits.count_ones() as usize;
        if self.slots.len() - self.count < BLOCK {
            self.grow();
        }
        let (slots, _) = self.slots[self.count..].as_chunks_mut::<AT_ONCE>();
        for slots in &mut slots[..count.div_ceil(AT_ONCE)] {
            for slot in slots {
                let before = (bits & bits.wrapping_neg()).wrapping_sub(1);
                let offset = at.wrapping_add(bits.trailing_zeros());
                *slot = Mark(u64::from(saved(before)) << Mark::HALF | u64::from(offset));
                bits &= bits.wrapping_sub(1);
            }
        }
        self.count += count;
    }
}

/// Bytes that a `\u` escape has beyond those of a short one.
const MORE_THAN_SHORT: u32 = 4;

/// The pass: every mark of the text from `start` on; false where it is not sound.
#[inline(always)]
#[allow(clippy::inline_always)] // So that it is compiled for the lanes' instructions.
pub(super) fn mark<L: Lanes>(lanes: L, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
    let mut pass = Pass { bytes, at: start, saved: 0, hidden: 0, into };
    let (blocks, rest) = bytes[start..].as_chunks::<BLOCK>();
    for block in blocks {
        if !pass.block(lanes, block) {
            return false;
        }
    }
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    // A backslash at the end hides what does not stand there.
    pass.block(lanes, &last)
}

struct Pass<'t> {
    bytes: &'t [u8],
    /// Offset of the block.
    at: usize,
    /// See [`Mark::saved`].
    saved: u32,
    /// One bit: the block's first byte stands behind a backslash.
    hidden: u64,
    into: &'t mut Quotes,
}

impl Pass<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn block<L: Lanes>(&mut self, lanes: L, block: &[u8; BLOCK]) -> bool {
        let masks = lanes.masks(block);
        if masks.control {
            return false;
        }
        if masks.slashes | self.hidden != 0 {
            return self.block_with_escapes(lanes, block, masks);
        }
        if masks.quotes != 0 {
            let saved = self.saved;
            self.into.add(self.at as u32, masks.quotes, |_| saved);
        }
        self.at += BLOCK;
        true
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn block_with_escapes<L: Lanes>(
        &mut self,
        lanes: L,
        block: &[u8; BLOCK],
        masks: Masks,
    ) -> bool {
        let hidden = self.hide(masks.slashes);
        let frequent = masks.quotes | masks.slashes | lanes.either(block, b'n', b't');
        let mut others = hidden & !frequent;
        let mut unicode = 0_u64;
        while others != 0 {
            let place = others.trailing_zeros() as usize;
            match block[place] {
                b'/' | b'b' | b'f' | b'r' => {}
                b'u' if is_character(self.bytes, self.at + place + 1) => unicode |= 1 << place,
                _ => return false,
            }
            others &= others - 1;
        }
        let saved = self.saved;
        let count = |before: u64| {
            let unicode = MORE_THAN_SHORT * (unicode & before).count_ones();
            saved + (hidden & before).count_ones() + unicode
        };
        self.into.add(self.at as u32, masks.quotes & !hidden, count);
        self.saved = count(u64::MAX);
        self.at += BLOCK;
        true
    }

    /// Which bytes of the block stand behind a backslash that none hides. A run of
    /// backslashes hides every second of them, from its second one on: carrying through
    /// the runs that begin at an even place, and through the others, tells which end how.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn hide(&mut self, slashes: u64) -> u64 {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let open = slashes & !self.hidden;
        let ends = ((open << 1 | ODD).wrapping_sub(open)) ^ ODD;
        let hidden = ends ^ (slashes | self.hidden);
        self.hidden = (ends & slashes) >> (BLOCK - 1);
        hidden
    }
}

/// Whether four hex digits stand here that are a character on their own.
#[cold]
fn is_character(bytes: &[u8], at: usize) -> bool {
    let digits = bytes.get(at..at + 4).unwrap_or_default();
    let is_surrogate = matches!(digits, [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
    digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit) && !is_surrogate
}
