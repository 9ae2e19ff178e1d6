//! Where the strings of a text begin and end, found sixty-four bytes at a time
//! before anything walks over it.
//!
//! One pass finds every quote that no backslash hides and proves what stands in
//! strings: that no control character does, and that every escape is one. Every byte
//! of a transcript goes through it, so that each instruction of a block counts. The
//! [`Scanner`](crate::decode::scanner::Scanner) then goes from quote to quote.
//! What is rare (control characters, surrogate escapes, anything that is no JSON)
//! is not told apart here: the text is left to the scanner's own bytewise walk,
//! which knows the place and the reason.

use crate::decode::escapes::unicode;
use crate::decode::guesses::Guesses;
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

    /// The mark so many bytes further on, with so many more that escapes have. Both halves
    /// of one in the text are large enough: a text longer than they tell is not marked.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn ahead(self, bytes: u32, saved: u32) -> Self {
        let saved = u64::from(saved) << Self::HALF;
        Self(self.0.wrapping_add(u64::from(bytes)).wrapping_add(saved))
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
        let marks = if sound { &self.quotes.slots[..self.quotes.count as usize] } else { &[] };
        Help { marks, guesses: &self.guesses }
    }
}

/// Marks, and room for more: it is looked for once a block. They are counted in a half
/// of a mark, which no count of bytes added to it overflows.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    slots: Vec<Mark>,
    count: u32,
}

impl Quotes {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.slots.resize(2 * self.slots.len() + 2 * BLOCK, Mark(0));
    }

    /// Adds a mark for each of these bits of a block that begins at `start`; `saved` is
    /// told of their places. Four are written at a time, whether they are there or not:
    /// how many are is hard to guess.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn add(&mut self, start: Mark, mut bits: u64, saved: impl Fn(u32) -> u32) {
        const AT_ONCE: usize = 4;
        loop {
            let first = self.count as usize;
            let Some(room) = self.slots.get_mut(first..first + BLOCK) else {
                self.grow();
                continue;
            };
            self.count += bits.count_ones();
            let (slots, _) = room.as_chunks_mut::<AT_ONCE>();
            for slots in slots {
                for slot in slots {
                    let place = bits.trailing_zeros();
                    *slot = start.ahead(place, saved(place));
                    bits &= bits.wrapping_sub(1);
                }
                if bits == 0 {
                    return;
                }
            }
        }
    }
}

/// The pass: every mark of the text from `start` on; false where it is not sound.
#[inline(always)]
#[allow(clippy::inline_always)] // So that it is compiled for the lanes' instructions.
pub(super) fn mark<L: Lanes>(lanes: L, bytes: &[u8], start: usize, into: &mut Quotes) -> bool {
    let least = lanes.most();
    let mut pass = Pass { lanes, bytes, start: Mark(start as u64), hidden: 0, least, into };
    let (blocks, rest) = bytes[start..].as_chunks::<BLOCK>();
    for block in blocks {
        if !pass.block(block) {
            return false;
        }
    }
    let mut padded = [b' '; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    // A backslash at the end hides what does not stand there.
    pass.block(&padded) && !lanes.is_control(pass.least)
}

/// Hex digits of a `\u` escape.
const DIGITS: usize = 4;

struct Pass<'t, L: Lanes> {
    lanes: L,
    bytes: &'t [u8],
    /// A mark of the block's first byte: one register, and marks are made of it by adding.
    start: Mark,
    /// One bit: the block's first byte stands behind a backslash.
    hidden: u64,
    /// What tells of control characters at the end: they are too rare to ask in each block.
    least: L::Least,
    into: &'t mut Quotes,
}

impl<L: Lanes> Pass<'_, L> {
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn block(&mut self, block: &[u8; BLOCK]) -> bool {
        let masks = self.lanes.masks(block, &mut self.least);
        if masks.slashes | self.hidden != 0 {
            return self.block_with_escapes(block, masks);
        }
        if masks.quotes != 0 {
            self.into.add(self.start, masks.quotes, |_| 0);
        }
        self.start = self.start.ahead(BLOCK as u32, 0);
        true
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn block_with_escapes(&mut self, block: &[u8; BLOCK], masks: Masks) -> bool {
        let hidden = self.hide(masks.slashes);
        let quotes = masks.quotes & !hidden;
        let others = hidden & !(masks.quotes | self.lanes.short_escapes(block));
        let mut longer = hidden;
        if others != 0 {
            let Some(unicode) = unicode(&self.bytes[self.start.at()..], others) else {
                return false;
            };
            // The four bits above each: no two escapes stand so near to each other.
            let digits = unicode.wrapping_mul(0b1_1110);
            longer |= digits;
            if unicode >> (BLOCK - DIGITS) != 0 {
                let behind = DIGITS as u32 * unicode.count_ones() - digits.count_ones();
                self.end_with_escapes(quotes, longer, behind);
                return true;
            }
        }
        self.end_with_escapes(quotes, longer, 0);
        true
    }

    /// Adds the marks of a block. Its escapes have as many bytes more than characters as
    /// `longer` has bits, between the same quotes, and so many in the block behind it.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn end_with_escapes(&mut self, quotes: u64, longer: u64, behind: u32) {
        if quotes != 0 {
            let lanes = self.lanes;
            self.into.add(self.start, quotes, |place| lanes.below(longer, place).count_ones());
        }
        self.start = self.start.ahead(BLOCK as u32, longer.count_ones() + behind);
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
