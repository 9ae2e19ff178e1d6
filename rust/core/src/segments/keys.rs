//! What may link a file to others, as hashes: a few bytes for each distinct key.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::facts::Identity;

/// A kind of key; equal texts of different kinds link nothing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A session that a record, a file or a fork names.
    Session,
    /// An API response.
    Message,
}

/// A hash of a key. Where two keys share one, files are held together that need
/// not be, and nothing else is different.
pub(super) fn of_text(kind: Kind, text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), kind as u64)
}

/// The hash of a uuid as a key.
pub(super) fn of_uuid(uuid: Identity) -> u64 {
    let (kind, bits) = match uuid {
        Identity::Uuid(bits) => (2, bits),
        Identity::Hash(bits) => (3, bits),
    };
    xxh3_64_with_seed(&bits.to_le_bytes(), kind)
}

/// The first file of each key, and how far the keys of each file reach.
#[derive(Debug)]
pub(super) struct Keys {
    first: HashTable<(u64, u32)>,
    /// By file, the last file that shares a key with it which stands in none before.
    reach: Vec<u32>,
}

impl Keys {
    /// No keys of so many files.
    pub(super) fn new(files: usize) -> Self {
        Self { first: HashTable::new(), reach: (0..files as u32).collect() }
    }

    /// Adds a key of a file.
    pub(super) fn add(&mut self, file: u32, key: u64) {
        let known = self.first.find(key, |(other, _)| *other == key).map(|(_, first)| *first);
        if let Some(first) = known {
            self.link(first, file);
        } else {
            self.first.insert_unique(key, (key, file), |(key, _)| *key);
        }
    }

    /// The first file that has a key.
    pub(super) fn first(&self, key: u64) -> Option<u32> {
        self.first.find(key, |(other, _)| *other == key).map(|(_, first)| *first)
    }

    /// Holds two files together, and those between them.
    pub(super) fn link(&mut self, a: u32, b: u32) {
        let reach = &mut self.reach[a.min(b) as usize];
        *reach = a.max(b).max(*reach);
    }

    /// By file, the last of those that it is held together with.
    pub(super) fn into_reach(self) -> Vec<u32> {
        self.reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_share_a_key_are_held_together() {
        let mut keys = Keys::new(4);
        let [a, b] = ["a", "b"].map(|text| of_text(Kind::Session, text));
        for (file, key) in [(0, a), (1, b), (2, a), (1, of_text(Kind::Message, "a")), (3, b)] {
            keys.add(file, key);
        }
        assert_eq!((keys.first(a), keys.first(of_text(Kind::Message, "b"))), (Some(0), None));
        assert_eq!(keys.into_reach(), [2, 3, 2, 3]);
    }
}
