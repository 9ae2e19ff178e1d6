//! Counts of all files to the rows of the table `census`.

use std::cmp::Ordering;

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::{Census, Entry, Item, Scope};
use crate::decode::json_type::JsonType;
use crate::join::Corpus;
use crate::join::files::Status;
use crate::strings::{Interner, Renaming, Symbol};

/// A row of `census`; the symbols are those of the interner that comes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Row {
    /// The file and line of its first occurrence.
    pub first: (u32, u64),
    pub item: Item,
    pub name: Symbol,
    pub json_type: Option<JsonType>,
    pub version: Symbol,
    pub count: u64,
}

impl Row {
    fn is_of(&self, other: &Self) -> bool {
        (self.item, self.name, self.json_type, self.version)
            == (other.item, other.name, other.json_type, other.version)
    }

    fn hash(&self) -> u64 {
        let json_type = self.json_type.map_or(0, |json_type| 1 + json_type as u8);
        let mut bytes = [0; 18];
        bytes[0] = self.item as u8;
        bytes[1] = json_type;
        bytes[2..10].copy_from_slice(&(self.name.index() as u64).to_le_bytes());
        bytes[10..].copy_from_slice(&(self.version.index() as u64).to_le_bytes());
        xxh3_64(&bytes)
    }
}

/// The rows, in the order of the table, and the strings of their symbols.
pub fn rows(corpus: &Corpus) -> (Vec<Row>, Interner) {
    let is_read =
        |file: u32| matches!(corpus.files[file as usize].status, Status::Ok | Status::Partial);
    sum(corpus.units.iter().filter_map(|unit| unit.census.as_ref()), is_read)
}

/// Sums up over the files that are read, whichever way they were cut.
pub(super) fn sum<'a>(
    units: impl Iterator<Item = &'a Census>,
    is_read: impl Fn(u32) -> bool,
) -> (Vec<Row>, Interner) {
    let mut sums = Sums::default();
    for census in units {
        let names = sums.strings.absorb(&census.strings);
        let ends = census.files.iter().skip(1).map(|(_, start)| *start);
        for ((file, start), end) in census.files.iter().zip(ends.chain([census.entries.len()])) {
            if is_read(*file) {
                let entries = &census.entries[*start..end];
                for entry in entries {
                    sums.add(*file, entry, &names);
                }
            }
        }
    }
    sums.finish()
}

#[derive(Default)]
struct Sums {
    strings: Interner,
    rows: Vec<Row>,
    table: HashTable<u32>,
    /// A field's name under construction.
    path: String,
}

impl Sums {
    fn add(&mut self, file: u32, entry: &Entry, names: &Renaming) {
        let (mut name, mut version) = (entry.name, entry.version);
        names.apply(&mut name);
        names.apply(&mut version);
        let (item, name) = match entry.scope {
            Scope::Type(item) => (item, name),
            // A key of the record may itself read like a path.
            Scope::Field(holder) => (Item::Field, self.behind(holder.prefix(), name)),
        };
        let first = (file, entry.line);
        let (json_type, count) = (entry.json_type, entry.count);
        let row = Row { first, item, name, json_type, version, count };
        let (hash, rows) = (row.hash(), &mut self.rows);
        if let Some(index) = self.table.find(hash, |index| rows[*index as usize].is_of(&row)) {
            let known = &mut rows[*index as usize];
            known.count += row.count;
            known.first = known.first.min(row.first);
        } else {
            let index = rows.len() as u32;
            rows.push(row);
            self.table.insert_unique(hash, index, |index| rows[*index as usize].hash());
        }
    }

    fn behind(&mut self, prefix: &str, name: Symbol) -> Symbol {
        if prefix.is_empty() {
            return name;
        }
        self.path.clear();
        self.path.push_str(prefix);
        self.path.push_str(self.strings.text(name).unwrap_or_default());
        self.strings.intern(&self.path)
    }

    fn finish(self) -> (Vec<Row>, Interner) {
        let Self { strings, mut rows, .. } = self;
        rows.sort_by(|one, other| order(&strings, one, other));
        (rows, strings)
    }
}

/// Rust compares text by its bytes, and none as the least.
fn order(strings: &Interner, one: &Row, other: &Row) -> Ordering {
    let key = |row: &Row| (row.item, strings.text(row.name), row.json_type);
    let version = |row: &Row| strings.text(row.version);
    key(one).cmp(&key(other)).then_with(|| version(one).cmp(&version(other)))
}
