//! Records of one uuid: which repeat an earlier one, and which differ from it
//! (SPEC section 2, ruling 23).

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::facts::Identity;
use crate::facts::sketches::Sketch;
use crate::strings::Symbol;

/// What a record is to those of its uuid before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The first, or one without a uuid.
    None,
    /// It says what one of them says.
    Replay,
    /// It says something else.
    Conflict,
}

/// What tells records of one uuid apart.
type Payload = (Symbol, u64);

/// The records of each uuid that are read as one file. A record is named by a
/// place, at which it is looked at again: a set of places is far smaller than
/// one of uuids.
#[derive(Debug)]
pub struct Uuids<P> {
    first: HashTable<P>,
    others: HashMap<Identity, Vec<Payload>>,
    hashes: DefaultHashBuilder,
}

impl<P> Default for Uuids<P> {
    fn default() -> Self {
        let hashes = DefaultHashBuilder::default();
        Self { first: HashTable::new(), others: HashMap::new(), hashes }
    }
}

impl<P: Copy> Uuids<P> {
    /// Forgets all records, and makes room for so many.
    pub fn begin(&mut self, records: usize) {
        self.first.clear();
        self.others.clear();
        if self.first.capacity() < records {
            self.first = HashTable::with_capacity(records);
        }
    }

    /// Adds the record at a place; `at` looks at a record that was added before.
    #[inline]
    pub fn add(&mut self, place: P, sketch: &Sketch, at: impl Fn(P) -> Sketch) -> Repetition {
        let Some(uuid) = sketch.uuid else { return Repetition::None };
        let payload = (sketch.kind, sketch.payload);
        let hashes = &self.hashes;
        let hash = hashes.hash_one(uuid);
        let Some(first) = self.first.find(hash, |place| at(*place).uuid == Some(uuid)) else {
            let hash_of = |place: &P| at(*place).uuid.map_or(0, |uuid| hashes.hash_one(uuid));
            self.first.insert_unique(hash, place, hash_of);
            return Repetition::None;
        };
        let first = at(*first);
        if (first.kind, first.payload) == payload {
            return Repetition::Replay;
        }
        let others = self.others.entry(uuid).or_default();
        if others.contains(&payload) {
            return Repetition::Replay;
        }
        others.push(payload);
        Repetition::Conflict
    }
}
