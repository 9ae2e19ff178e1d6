//! What every record leaves behind, in 52 bytes: what is the same in record
//! after record is kept once for each run of them.

pub(crate) mod loose;

use std::ops::Range;

use crate::diagnose::{Code, Finding};
use crate::facts::Identity;
use crate::facts::kept::{Maybe, Runs};
use crate::strings::{Renaming, Symbol};

/// What a record leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// Line in the part.
    pub line: u64,
    /// Place on the line.
    pub place: u32,
    /// Offset and length in the file's text.
    pub span: (u64, u64),
    /// Identity, where it has a uuid.
    pub uuid: Option<Identity>,
    /// Hash of its payload.
    pub payload: u64,
    /// `timestamp`
    pub timestamp: Option<i64>,
    pub(crate) kind: Symbol,
    pub(crate) session: Symbol,
    pub(crate) version: Symbol,
    pub(crate) cwd: Symbol,
    pub(crate) git_branch: Symbol,
    pub(crate) entrypoint: Symbol,
    pub(crate) model: Symbol,
    pub(crate) is_fork: bool,
    pub(crate) forked_from: Symbol,
    pub(crate) is_api_error: bool,
}

impl Sketch {
    fn envelope(&self) -> Envelope {
        Envelope {
            kind: self.kind,
            session: self.session,
            version: self.version,
            cwd: self.cwd,
            git_branch: self.git_branch,
            entrypoint: self.entrypoint,
            model: self.model,
            forked_from: self.forked_from,
            is_fork: self.is_fork,
            is_api_error: self.is_api_error,
        }
    }

    /// A finding about the record, or about a block of it.
    pub fn finding(&self, code: Code, file: u32, block: u32, values: &[(&str, &str)]) -> Finding {
        Finding {
            line: self.line,
            place: (self.place, block),
            span: Some(self.span),
            ..Finding::of_file(file, code, values)
        }
    }
}

/// What mostly stands the same in many records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Envelope {
    pub kind: Symbol,
    pub session: Symbol,
    pub version: Symbol,
    pub cwd: Symbol,
    pub git_branch: Symbol,
    pub entrypoint: Symbol,
    pub model: Symbol,
    pub forked_from: Symbol,
    pub is_fork: bool,
    pub is_api_error: bool,
}

impl Envelope {
    fn rename(&mut self, names: &Renaming) {
        for symbol in [
            &mut self.kind,
            &mut self.session,
            &mut self.version,
            &mut self.cwd,
            &mut self.git_branch,
            &mut self.entrypoint,
            &mut self.model,
            &mut self.forked_from,
        ] {
            names.apply(symbol);
        }
    }
}

/// A sketch as it is kept; four bytes are its alignment, or each would have a gap.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
struct Packed {
    uuid: u128,
    payload: u64,
    /// Line and place on it.
    at: u64,
    /// Offset and length, or [`WIDE`].
    span: u64,
    timestamp: Maybe,
    /// The number of the envelope, and of which kind the uuid is.
    envelope: u32,
}

const PLACE_BITS: u32 = 24;
const LENGTH_BITS: u32 = 24;
/// In place of a span: what does not fit stands in [`Sketches::wide`].
const WIDE: u64 = u64::MAX;

const KIND_SHIFT: u32 = 30;
const NO_UUID: u32 = 0;
const UUID: u32 = 1;
const HASH: u32 = 2;

/// Line, place and span of a record.
type Site = (u64, u32, (u64, u64));

/// The sketches of a unit, by number.
#[derive(Debug, Default)]
pub struct Sketches {
    packed: Vec<Packed>,
    envelopes: Runs<Envelope>,
    /// Sites that are too far or too long for [`Packed`], by number.
    wide: Vec<(u32, Site)>,
    /// `leafUuid`, which few records have, by number.
    leaves: Vec<(u32, Symbol)>,
}

impl Sketches {
    /// None yet, and room for so many.
    pub fn with_room(records: usize) -> Self {
        Self { packed: Vec::with_capacity(records), ..Self::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Keeps the sketch of the next record; gives the number of its envelope.
    /// `known` is that of a record with the same envelope.
    #[inline]
    pub fn push(&mut self, sketch: &Sketch, known: Option<u32>) -> u32 {
        let envelope = known.unwrap_or_else(|| self.envelope(sketch.envelope()));
        let packed = self.pack(sketch, self.packed.len(), envelope);
        self.packed.push(packed);
        envelope
    }

    /// Puts another sketch in the place of one.
    pub fn set(&mut self, index: usize, sketch: &Sketch) {
        self.wide.retain(|(wide, _)| *wide as usize != index);
        let envelope = self.envelope(sketch.envelope());
        self.packed[index] = self.pack(sketch, index, envelope);
        self.wide.sort_unstable_by_key(|(wide, _)| *wide);
    }

    /// Makes a record one of another session.
    pub fn set_session(&mut self, index: usize, session: Symbol) {
        let own = self.packed[index].envelope;
        let kind = own & u32::MAX << KIND_SHIFT;
        let envelope = Envelope { session, ..*self.envelope_of(index) };
        self.packed[index].envelope = self.envelope(envelope) | kind;
    }

    fn pack(&mut self, sketch: &Sketch, index: usize, envelope: u32) -> Packed {
        let (kind, uuid) = match sketch.uuid {
            None => (NO_UUID, 0),
            Some(Identity::Uuid(bits)) => (UUID, bits),
            Some(Identity::Hash(bits)) => (HASH, bits),
        };
        let (at, span) = self.site(index, (sketch.line, sketch.place, sketch.span));
        Packed {
            uuid,
            payload: sketch.payload,
            at,
            span,
            timestamp: sketch.timestamp.into(),
            envelope: envelope | kind << KIND_SHIFT,
        }
    }

    #[inline]
    fn site(&mut self, index: usize, site: Site) -> (u64, u64) {
        let (line, place, (offset, length)) = site;
        let fits = line >> (64 - PLACE_BITS) == 0
            && place >> PLACE_BITS == 0
            && offset >> (63 - LENGTH_BITS) == 0
            && length >> LENGTH_BITS == 0;
        if fits {
            return (line << PLACE_BITS | u64::from(place), offset << LENGTH_BITS | length);
        }
        self.wide.push((index as u32, site));
        (0, WIDE)
    }

    /// Keeps an envelope; gives its number.
    #[inline]
    pub fn envelope(&mut self, envelope: Envelope) -> u32 {
        let hint = envelope.kind.index() ^ envelope.model.index();
        self.envelopes.keep(envelope, hint)
    }

    /// The envelope of this number.
    #[inline]
    pub fn envelope_at(&self, number: u32) -> &Envelope {
        self.envelopes.get(number)
    }

    /// The number of a record's envelope.
    #[inline]
    pub fn envelope_number(&self, index: usize) -> u32 {
        self.packed[index].envelope & !(u32::MAX << KIND_SHIFT)
    }

    /// The envelope of a record.
    #[inline]
    pub fn envelope_of(&self, index: usize) -> &Envelope {
        self.envelopes.get(self.envelope_number(index))
    }

    /// `timestamp` of a record.
    #[inline]
    pub fn timestamp(&self, index: usize) -> Option<i64> {
        { self.packed[index].timestamp }.get()
    }

    /// The sketch of this number.
    #[inline]
    pub fn get(&self, index: usize) -> Sketch {
        let packed = self.packed[index];
        let envelope = self.envelope_of(index);
        let (line, place, span) = self.site_of(index, packed);
        Sketch {
            line,
            place,
            span,
            uuid: uuid(packed),
            payload: packed.payload,
            timestamp: { packed.timestamp }.get(),
            kind: envelope.kind,
            session: envelope.session,
            version: envelope.version,
            cwd: envelope.cwd,
            git_branch: envelope.git_branch,
            entrypoint: envelope.entrypoint,
            model: envelope.model,
            is_fork: envelope.is_fork,
            forked_from: envelope.forked_from,
            is_api_error: envelope.is_api_error,
        }
    }

    #[inline]
    fn site_of(&self, index: usize, packed: Packed) -> Site {
        if packed.span == WIDE {
            return self.wide_site(index);
        }
        let (at, span) = (packed.at, packed.span);
        let place = (at & !(u64::MAX << PLACE_BITS)) as u32;
        (at >> PLACE_BITS, place, (span >> LENGTH_BITS, span & !(u64::MAX << LENGTH_BITS)))
    }

    #[cold]
    fn wide_site(&self, index: usize) -> Site {
        let place = self.wide.partition_point(|(wide, _)| (*wide as usize) < index);
        self.wide[place].1
    }

    /// Some of them, in order.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = Sketch> {
        range.map(|index| self.get(index))
    }

    /// The identity of a record.
    #[inline]
    pub fn uuid(&self, index: usize) -> Option<Identity> {
        uuid(self.packed[index])
    }

    /// Notes `leafUuid` of the record that was kept last.
    pub fn set_leaf(&mut self, leaf: Symbol) {
        self.leaves.push((self.len() as u32 - 1, leaf));
    }

    /// `leafUuid` of a record.
    pub fn leaf(&self, index: usize) -> Symbol {
        if self.leaves.is_empty() {
            return Symbol::NONE;
        }
        let place = self.leaves.binary_search_by_key(&(index as u32), |(index, _)| *index);
        place.map_or(Symbol::NONE, |place| self.leaves[place].1)
    }

    /// Renames every symbol; see [`super::Facts::rename`].
    pub fn rename(&mut self, names: &Renaming) {
        self.envelopes.change(|envelope| envelope.rename(names));
        self.leaves.iter_mut().for_each(|(_, leaf)| names.apply(leaf));
    }

    /// Adds the lines of earlier chunks of the same file.
    pub fn shift_lines(&mut self, lines: u64) {
        let old = std::mem::take(&mut self.wide);
        let mut old = old.into_iter().map(|(_, site)| site);
        for index in 0..self.len() {
            let is_wide = self.packed[index].span == WIDE;
            let site = if is_wide { old.next() } else { None };
            let (line, place, span) =
                site.unwrap_or_else(|| self.site_of(index, self.packed[index]));
            let (at, span) = self.site(index, (line + lines, place, span));
            (self.packed[index].at, self.packed[index].span) = (at, span);
        }
    }

    /// Keeps the sketches that are marked; gives what the numbers become.
    pub fn retain(&mut self, kept: &[bool]) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(kept.len());
        let mut next = 0;
        for kept in kept {
            numbers.push(next);
            next += u32::from(*kept);
        }
        let mut marks = kept.iter();
        self.packed.retain(|_| marks.next() == Some(&true));
        self.wide.retain(|(index, _)| kept[*index as usize]);
        self.wide.iter_mut().for_each(|(index, _)| *index = numbers[*index as usize]);
        self.leaves.retain(|(index, _)| kept[*index as usize]);
        self.leaves.iter_mut().for_each(|(index, _)| *index = numbers[*index as usize]);
        numbers
    }

    /// Forgets all sketches, but not their envelopes.
    pub fn clear(&mut self) {
        (self.packed, self.wide, self.leaves) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// Gives back what it does not need.
    pub fn shrink(&mut self) {
        super::repack(&mut self.packed);
        self.envelopes.shrink();
    }
}

#[inline]
fn uuid(packed: Packed) -> Option<Identity> {
    let bits = packed.uuid;
    match packed.envelope >> KIND_SHIFT {
        NO_UUID => None,
        UUID => Some(Identity::Uuid(bits)),
        _ => Some(Identity::Hash(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketches(all: &[Sketch]) -> Sketches {
        let mut sketches = Sketches::default();
        for sketch in all {
            sketches.push(sketch, None);
        }
        sketches
    }

    fn all(sketches: &Sketches) -> Vec<Sketch> {
        sketches.range(0..sketches.len()).collect()
    }

    /// Near and far ones, with and without a uuid.
    fn samples() -> Vec<Sketch> {
        let bits = 0x0123_4567_89ab_cdef;
        let near = Sketch { line: 1, place: 2, span: (3, 4), payload: 5, ..Sketch::default() };
        let uuid = Sketch { uuid: Some(Identity::Uuid(bits)), timestamp: Some(-9), ..near };
        let hash = Sketch { uuid: Some(Identity::Hash(bits)), is_fork: true, ..near };
        let far = [(1 << 39, 1), (1 << 50, 1), (7, 1 << 24), (u64::MAX, u64::MAX)];
        let far = far.map(|span| Sketch { span, ..near });
        let crowded = Sketch { place: 1 << 24, ..near };
        [near, uuid, hash, crowded].into_iter().chain(far).chain([near]).collect()
    }

    #[test]
    fn a_sketch_is_given_back_as_it_was_kept() {
        assert_eq!(size_of::<Packed>(), 52);
        let samples = samples();
        let mut sketches = sketches(&samples);
        assert_eq!(all(&sketches), samples);
        sketches.shift_lines(1 << 39);
        let shift = |sketch: &Sketch| Sketch { line: sketch.line + (1 << 39), ..*sketch };
        assert_eq!(all(&sketches), samples.iter().map(shift).collect::<Vec<_>>());
        sketches.shift_lines(1 << 39);
        assert!(all(&sketches).iter().all(|sketch| sketch.line == 1 + (1 << 40)));
    }

    #[test]
    fn what_is_dropped_leaves_the_others_as_they_were() {
        let samples = samples();
        let mut sketches = sketches(&samples);
        let kept: Vec<bool> = (0..samples.len()).map(|index| index % 2 == 1).collect();
        let numbers = sketches.retain(&kept);
        assert_eq!(sketches.len(), samples.len() / 2);
        for (index, number) in numbers.into_iter().enumerate().filter(|(index, _)| kept[*index]) {
            assert_eq!(sketches.get(number as usize), samples[index]);
        }
    }

    #[test]
    fn a_leaf_is_its_records_own() {
        let mut sketches = Sketches::default();
        sketches.push(&Sketch::default(), None);
        sketches.push(&Sketch::default(), None);
        sketches.set_leaf(Symbol::EMPTY);
        assert_eq!([0, 1].map(|index| sketches.leaf(index)), [Symbol::NONE, Symbol::EMPTY]);
    }
}
