//! Interned strings: facts name a string by a small number, so that comparing
//! and grouping them costs nothing.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// A string of an [`Interner`], or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// No string.
    pub const NONE: Self = Self(u32::MAX);

    /// The empty string, in an interner made by [`Interner::of_ids`].
    pub const EMPTY: Self = Self(0);

    /// Whether it can group and pair: a string, and not the empty one (ruling 16).
    #[inline]
    pub fn is_id(self) -> bool {
        self.is_some() && self != Self::EMPTY
    }

    /// Whether it is a string.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// Itself, or `other` where it is none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_some() { self } else { other }
    }

    /// The symbol of this number among `count` strings; none where there is none.
    pub(crate) fn of_index(index: usize, count: usize) -> Option<Self> {
        let number = u32::try_from(index).ok().filter(|_| index < count)?;
        (number != Self::NONE.0).then_some(Self(number))
    }

    /// Its number, from 0 in order of first appearance.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for Symbol {
    fn default() -> Self {
        Self::NONE
    }
}

/// A set of strings, numbered in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    bytes: String,
    ends: Vec<usize>,
    hashes: Vec<u64>,
    table: HashTable<u32>,
}

impl Interner {
    /// An interner in which [`Symbol::EMPTY`] is the empty string.
    pub fn of_ids() -> Self {
        let mut strings = Self::default();
        strings.intern("");
        strings
    }

    /// How many strings it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The symbol of a string.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Symbol {
        self.intern_hashed(text, xxh3_64(text.as_bytes()))
    }

    fn intern_hashed(&mut self, text: &str, hash: u64) -> Symbol {
        let (bytes, ends, hashes) = (&mut self.bytes, &mut self.ends, &mut self.hashes);
        let same = |index: &u32| {
            let index = *index as usize;
            hashes[index] == hash && bytes_at(bytes, ends, index) == text.as_bytes()
        };
        if let Some(index) = self.table.find(hash, same) {
            return Symbol(*index);
        }
        let index = ends.len() as u32;
        bytes.push_str(text);
        ends.push(bytes.len());
        hashes.push(hash);
        self.table.insert_unique(hash, index, |index| hashes[*index as usize]);
        Symbol(index)
    }

    /// Gives back what only further strings would need. [`Self::absorb`] can
    /// still take these over, but none can be added.
    pub fn seal(&mut self) {
        self.table = HashTable::new();
        self.bytes = self.bytes.as_str().to_owned();
        self.ends = self.ends.as_slice().to_vec();
        self.hashes = self.hashes.as_slice().to_vec();
    }

    /// Gives back all but the strings: none is added or taken over any more.
    pub fn freeze(&mut self) {
        (self.table, self.hashes) = (HashTable::new(), Vec::new());
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Makes room for all strings of others, as if none of them were the same.
    pub fn reserve_for<'i>(&mut self, others: impl Iterator<Item = &'i Self> + Clone) {
        let strings = others.clone().map(Self::len).sum();
        self.bytes.reserve_exact(others.map(|other| other.bytes.len()).sum());
        self.ends.reserve_exact(strings);
        self.hashes.reserve_exact(strings);
        self.table.reserve(strings, |index| self.hashes[*index as usize]);
    }

    fn at(&self, index: usize) -> &str {
        text_at(&self.bytes, &self.ends, index)
    }

    /// The string of a symbol.
    #[inline]
    pub fn text(&self, symbol: Symbol) -> Option<&str> {
        symbol.is_some().then(|| self.at(symbol.index()))
    }

    /// Bytes of the string of a symbol.
    #[inline]
    pub fn bytes_of(&self, symbol: Symbol) -> usize {
        if !symbol.is_some() {
            return 0;
        }
        let index = symbol.index();
        self.ends[index] - if index == 0 { 0 } else { self.ends[index - 1] }
    }

    /// Whether a symbol stands for this string.
    #[inline]
    pub fn is(&self, symbol: Symbol, text: &str) -> bool {
        symbol.is_some() && bytes_at(&self.bytes, &self.ends, symbol.index()) == text.as_bytes()
    }

    /// The string of this number.
    pub fn text_of_index(&self, index: usize) -> &str {
        self.at(index)
    }

    /// Adds the strings of another from this number on to none with bytes.
    fn append(&mut self, other: &Self, from: usize) {
        self.bytes.push_str(&other.bytes);
        self.ends.extend(other.ends.iter().skip(from));
        self.hashes.extend(other.hashes.iter().skip(from));
        let hashes = &self.hashes;
        self.table.reserve(other.len(), |index| hashes[*index as usize]);
        for (hash, index) in hashes.iter().zip(0..).skip(from) {
            self.table.insert_unique(*hash, index, |index| hashes[*index as usize]);
        }
    }

    /// Takes over the strings of another; gives what its symbols become.
    pub fn absorb(&mut self, other: &Self) -> Renaming {
        // All but the empty one are new to an interner that has none or that one.
        let own = self.len();
        if self.bytes.is_empty() && other.ends.iter().take(own).all(|end| *end == 0) {
            self.append(other, own);
            return Renaming((0..other.len() as u32).map(Symbol).collect());
        }
        let names = (0..other.len())
            .map(|index| self.intern_hashed(other.at(index), other.hashes[index]))
            .collect();
        Renaming(names)
    }
}

#[inline]
fn text_at<'a>(bytes: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &bytes[start..ends[index]]
}

/// Its bytes, which are compared without a look at where characters begin.
#[inline]
fn bytes_at<'a>(bytes: &'a str, ends: &[usize], index: usize) -> &'a [u8] {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &bytes.as_bytes()[start..ends[index]]
}

/// What the symbols of one interner are called in another.
#[derive(Debug)]
pub struct Renaming(Vec<Symbol>);

impl Renaming {
    /// Renames a symbol.
    #[inline]
    pub fn apply(&self, symbol: &mut Symbol) {
        if symbol.is_some() {
            *symbol = self.0[symbol.index()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absorbing_renames() {
        let (mut a, mut b) = (Interner::default(), Interner::default());
        let first = a.intern("one");
        b.intern("");
        let mut same = b.intern("one");
        a.absorb(&b).apply(&mut same);
        assert_eq!(first, same);
        assert_eq!(a.text(Symbol::NONE), None);
    }

    #[test]
    fn the_first_that_is_absorbed_keeps_its_symbols() {
        for mut all in [Interner::default(), Interner::of_ids()] {
            let mut other = Interner::of_ids();
            let symbols = ["one", "two"].map(|text| other.intern(text));
            let names = all.absorb(&other);
            for (symbol, text) in symbols.into_iter().zip(["one", "two"]) {
                let mut renamed = symbol;
                names.apply(&mut renamed);
                assert_eq!((renamed, all.text(symbol)), (symbol, Some(text)));
                assert_eq!(all.intern(text), symbol);
            }
            assert_eq!((all.intern(""), all.len()), (Symbol::EMPTY, 3));
        }
    }
}
