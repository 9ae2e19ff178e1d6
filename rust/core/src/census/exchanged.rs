//! A census as Arrow batches and back.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::{Census, Entry, Holder, Item, Name, Scope};
use crate::decode::json_type::JsonType;
use crate::exchange::fields::words;
use crate::exchange::limits::Limits;
use crate::exchange::rows::rows;
use crate::exchange::value::{Reader, Value};
use crate::exchange::{Damaged, batch, texts};
use crate::strings::Symbol;

/// Where the names of a file begin.
struct Start {
    file: u32,
    first: u64,
}

/// A name as it is exchanged.
struct Counted {
    count: u64,
    line: u64,
    name: Symbol,
    version: Symbol,
    /// Of a type.
    item: Option<Item>,
    /// Of a field.
    holder: Option<Holder>,
    json_type: Option<JsonType>,
}

rows! {
    Start { file in files, first }
    Counted { count, line, name, version, item, holder, json_type }
}

words! {
    Item: [Record, Block, Attachment, Field];
    Holder: [
        Record, Message, Usage, Block, Attachment, ToolUseResult, Data, Snapshot, Origin,
        ForkedFrom, CompactMetadata, MicrocompactMetadata, Backup
    ];
}

impl Census {
    /// The batches `census_strings`, `census_files` and `census_names`.
    pub(crate) fn to_batches(&self) -> Result<[RecordBatch; 3], ArrowError> {
        let starts: Vec<Start> = self
            .files
            .iter()
            .map(|(file, first)| Start { file: *file, first: *first as u64 })
            .collect();
        let counted: Vec<Counted> = self.entries.iter().map(Counted::of).collect();
        let strings = (0..self.strings.len()).map(|index| self.strings.text_of_index(index));
        Ok([texts::batch(strings)?, batch(&starts)?, batch(&counted)?])
    }

    /// The census of such batches, whose strings are `strings`.
    pub(crate) fn of_batches(
        [strings, files, names]: [&RecordBatch; 3],
        limits: &Limits,
    ) -> Result<Self, Damaged> {
        let strings = texts::interner(strings)?;
        let files: Vec<Start> = Value::read(&mut Reader::of(files, limits))?;
        let own = Limits { strings: strings.len(), ..Limits::default() };
        let counted: Vec<Counted> = Value::read(&mut Reader::of(names, &own))?;
        let mut census = Self { strings, ..Self::default() };
        for counted in counted {
            let entry = counted.entry(&census)?;
            census.entries.push(entry);
        }
        let mut before = 0;
        for Start { file, first } in files {
            let first = usize::try_from(first).unwrap_or(usize::MAX);
            if first < before || first > census.entries.len() {
                return Err(Damaged("names of no file"));
            }
            before = first;
            census.files.push((file, first));
        }
        Ok(census)
    }
}

impl Counted {
    fn of(entry: &Entry) -> Self {
        let (item, holder) = match entry.scope {
            Scope::Type(item) => (Some(item), None),
            Scope::Field(holder) => (None, Some(holder)),
        };
        let Entry { count, line, name, version, json_type, .. } = *entry;
        Self { count, line, name, version, item, holder, json_type }
    }

    fn entry(self, census: &Census) -> Result<Entry, Damaged> {
        let scope = match (self.item, self.holder) {
            (Some(item), None) => Scope::Type(item),
            (None, Some(holder)) => Scope::Field(holder),
            _ => return Err(Damaged("a name that is no type and no field, or both")),
        };
        let Self { count, line, name, version, json_type, .. } = self;
        let text = census.strings.text(name).ok_or(Damaged("a name without text"))?;
        let text_hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        let hash = Name { scope, text, text_hash, json_type, version }.hash();
        Ok(Entry { hash, count, line, name, version, scope, json_type })
    }
}
