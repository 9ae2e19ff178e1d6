//! A census of the format: record types, block types, attachment types and
//! fields, each with its JSON type and the client's version, counted over all
//! records of the files that are read (ruling 55).
//!
//! Names are counted for each file on its own, since which file is a copy of
//! another is known only when all of them have been read.

mod exchanged;
mod sum;
mod tree;
mod walk;

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

pub use self::sum::{Row, rows};
use self::tree::Object;
use self::walk::Walk;
use crate::decode::json_type::JsonType;
use crate::decode::scanner::Scanner;
use crate::record::{Record, Str};
use crate::strings::{Interner, Symbol};

/// What is counted: `vocabularies.census_item`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Item {
    Record,
    Block,
    Attachment,
    Field,
}

impl Item {
    /// Its word in the vocabulary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Block => "block",
            Self::Attachment => "attachment",
            Self::Field => "field",
        }
    }

    /// The schema's list of the names that it may have.
    pub fn known(self) -> &'static str {
        match self {
            Self::Record => "known_record_types",
            Self::Block => "known_block_types",
            Self::Attachment => "known_attachment_types",
            Self::Field => "known_fields",
        }
    }
}

/// Name of a type that is missing or no string.
const NONE: &str = "(none)";

/// Where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// It is a type.
    Type(Item),
    /// It is a field, and this object holds it.
    Field(Holder),
}

/// The objects whose fields are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Record,
    Message,
    Usage,
    Block,
    Attachment,
    ToolUseResult,
    Data,
    Snapshot,
    Origin,
    ForkedFrom,
    CompactMetadata,
    MicrocompactMetadata,
    Backup,
}

impl Holder {
    /// What an object in it is, if its fields are counted too.
    fn of_object(self, key: &str) -> Option<Self> {
        Some(match (self, key) {
            (Self::Record, "message") => Self::Message,
            (Self::Record, "attachment") => Self::Attachment,
            (Self::Record, "toolUseResult") => Self::ToolUseResult,
            (Self::Record, "data") => Self::Data,
            (Self::Record, "snapshot") => Self::Snapshot,
            (Self::Record, "origin") => Self::Origin,
            (Self::Record, "forkedFrom") => Self::ForkedFrom,
            (Self::Record, "compactMetadata") => Self::CompactMetadata,
            (Self::Record, "microcompactMetadata") => Self::MicrocompactMetadata,
            (Self::Record, "backup") => Self::Backup,
            (Self::Message, "usage") => Self::Usage,
            _ => return None,
        })
    }

    /// What stands before the names of its fields.
    fn prefix(self) -> &'static str {
        match self {
            Self::Record => "",
            Self::Message => "message.",
            Self::Usage => "message.usage.",
            Self::Block => "content[].",
            Self::Attachment => "attachment.",
            Self::ToolUseResult => "toolUseResult.",
            Self::Data => "data.",
            Self::Snapshot => "snapshot.",
            Self::Origin => "origin.",
            Self::ForkedFrom => "forkedFrom.",
            Self::CompactMetadata => "compactMetadata.",
            Self::MicrocompactMetadata => "microcompactMetadata.",
            Self::Backup => "backup.",
        }
    }
}

/// A name of one file, and how often it occurs there.
#[derive(Debug)]
struct Entry {
    hash: u64,
    count: u64,
    /// Line of its first occurrence.
    line: u64,
    name: Symbol,
    version: Symbol,
    scope: Scope,
    json_type: Option<JsonType>,
}

/// Counts the names of records, file by file.
#[derive(Debug, Default)]
pub struct Census {
    strings: Interner,
    /// Those of one file stand together.
    entries: Vec<Entry>,
    /// Each file, or part of one, and where its entries begin.
    files: Vec<(u32, usize)>,
    /// The entries of the last file.
    table: HashTable<u32>,
    last_version: Symbol,
}

impl Census {
    /// Begins a file, or a chunk of one.
    pub fn begin(&mut self, file: u32) {
        self.files.push((file, self.entries.len()));
        self.table.clear();
    }

    /// Counts a record's names; `json` is its text, known to be one object.
    pub fn record(&mut self, json: &str, line: u64) {
        if let Some(record) = object(json) {
            Walk::record(self, &record, line);
        }
    }

    /// Counts the names of a record of a rollout, whose version and content may
    /// stand in its payload (rulings 93, 94).
    pub fn rollout(&mut self, record: &Record<'_>, line: u64) {
        if let Some(names) = object(record.json) {
            let version = record.string(Str::Version);
            Walk::rollout(self, &names, line, version, record.blocks());
        }
    }

    /// Adds the lines of earlier chunks of the same file.
    pub fn shift_lines(&mut self, lines: u64) {
        self.entries.iter_mut().for_each(|entry| entry.line += lines);
    }

    /// The symbol of a version: mostly the one before.
    fn version(&mut self, text: &str) -> Symbol {
        if self.strings.text(self.last_version) != Some(text) {
            self.last_version = self.strings.intern(text);
        }
        self.last_version
    }

    fn count(&mut self, name: Name<'_>, line: u64) {
        let (strings, entries) = (&self.strings, &mut self.entries);
        let hash = name.hash();
        let same = |index: &u32| {
            let entry: &Entry = &entries[*index as usize];
            entry.hash == hash
                && (entry.scope, entry.json_type, entry.version)
                    == (name.scope, name.json_type, name.version)
                && strings.text(entry.name) == Some(name.text)
        };
        if let Some(index) = self.table.find(hash, same) {
            entries[*index as usize].count += 1;
            return;
        }
        let index = entries.len() as u32;
        let Name { scope, json_type, version, text, .. } = name;
        let name = self.strings.intern(text);
        entries.push(Entry { hash, count: 1, line, name, version, scope, json_type });
        self.table.insert_unique(hash, index, |index| entries[*index as usize].hash);
    }
}

fn object(json: &str) -> Option<Object<'_>> {
    let read = Object::read(&mut Scanner::new(json, 0, json.len()), Holder::Record);
    debug_assert!(read.is_ok(), "the record was scanned before");
    read.ok()
}

/// A name as a record has it.
#[derive(Clone, Copy)]
struct Name<'t> {
    scope: Scope,
    text: &'t str,
    /// Of `text`.
    text_hash: u64,
    json_type: Option<JsonType>,
    version: Symbol,
}

impl<'t> Name<'t> {
    /// A type.
    fn of_type(item: Item, text: &'t str, version: Symbol) -> Self {
        let text_hash = xxh3_64(text.as_bytes());
        Self { scope: Scope::Type(item), text, text_hash, json_type: None, version }
    }

    /// One hash of the text serves it wherever it stands.
    fn hash(&self) -> u64 {
        let scope = match self.scope {
            Scope::Type(item) => item as u64,
            Scope::Field(holder) => 0x10 | holder as u64,
        };
        let json_type = self.json_type.map_or(0, |json_type| 1 + json_type as u64);
        let rest = (self.version.index() as u64) << 16 | json_type << 8 | scope;
        self.text_hash.wrapping_add(rest.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

#[cfg(test)]
mod tests;
