//! The fields of records that are no messages (ruling 39). They are read in a
//! second pass over the record, since what is read depends on its type, and that
//! may stand last.

pub mod attachment;
mod boundary;
pub mod event;
pub mod maps;

use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step};
use crate::record::Flaws;

/// An object's members while they are read: where it starts, and what its keys did.
#[derive(Debug)]
pub struct Object {
    start: usize,
    /// What its keys did.
    pub members: Members,
}

impl Object {
    /// The object whose brace is at the cursor.
    pub fn at(scanner: &Scanner<'_>) -> Self {
        Self { start: scanner.at, members: Members::default() }
    }

    /// Its flaws among the keys whose bits are set, when the cursor is behind it.
    pub fn flaws<const N: usize>(
        &self,
        scanner: &Scanner<'_>,
        read: u64,
        keys: [&str; N],
    ) -> Flaws {
        self.members.flaws(read, scanner.since(self.start), number(keys))
    }
}

/// Bits of the keys of these names.
pub const fn bits(keys: &[usize]) -> u64 {
    let mut bits = 0;
    let mut index = 0;
    while index < keys.len() {
        bits |= 1 << keys[index];
        index += 1;
    }
    bits
}

/// How many entries the array at the cursor has.
pub fn entries(scanner: &mut Scanner<'_>) -> Step<i64> {
    let mut entries = 0;
    scanner.array(|scanner| {
        entries += 1;
        scanner.skip()
    })?;
    Ok(entries)
}
