//! Whole scans: their tables, which stand as long as nothing that was found is
//! another than it was.

use std::collections::BTreeMap;
use std::fmt::Write;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use rayon::prelude::*;

use super::stamp::Stamp;
use super::{INDEX_VERSION, Index, digest};
use crate::coverage::Coverage;
use crate::discover::Discovered;
use crate::exchange::limits::Limits;
use crate::exchange::rows::rows;
use crate::exchange::sealed::{Seal, open, seal};
use crate::exchange::value::{Reader, Value};
use crate::exchange::{batch, read_stream, stream};
use crate::scan::{Options, Scan};
use crate::schema::Table;
use crate::tables::Built;

const SEAL: Seal = Seal { magic: *b"ssfinish", version: INDEX_VERSION };

/// These look at what no walk has found: whether it changed can be told only by
/// looking again.
const LOOK_ELSEWHERE: [Table; 2] = [Table::Sidecars, Table::FileHistory];

/// What was found, to be held against what an earlier scan found.
pub(crate) struct State {
    digest: u128,
    /// Nothing of it can have changed unseen since it was looked at.
    is_settled: bool,
}

impl Index {
    /// The state of what was found; none where no finished scan can serve.
    pub(crate) fn state(&self, found: &Discovered, options: &Options) -> Option<State> {
        // What is limited to an earlier scan's sizes is asked for once.
        if options.sizes.is_some() || options.asks_for(&LOOK_ELSEWHERE) {
            return None;
        }
        let files = found.transcripts.iter().map(|file| &file.path);
        let metas = found.beside.metas.iter().map(|note| &note.path);
        let workflows = found.beside.workflows.iter().map(|note| &note.path);
        let paths: Vec<_> = files.chain(metas).chain(workflows).collect();
        let stamps: Vec<_> = paths.par_iter().map(|path| Stamp::of(path)).collect();
        let mut text = String::with_capacity(stamps.len() * 96);
        for stamp in &stamps {
            // Writing to a string does not fail.
            let _ = write!(text, "{stamp:?}");
        }
        let is_settled =
            stamps.iter().flatten().all(|stamp| stamp.is_settled(self.began, self.settle));
        Some(State { digest: digest(found, &text), is_settled })
    }

    /// The scan of this state, if it is kept.
    pub(crate) fn finished(&self, state: &State, options: &Options) -> Option<Scan> {
        if !state.is_settled {
            return None;
        }
        let read = |name: &str| {
            let bytes = self.store.read(&self.name_of(name))?;
            let mut sections = open(SEAL, &bytes).ok()?.into_iter();
            (sections.next()?.as_slice() == state.digest.to_le_bytes()).then_some(())?;
            Some(sections.collect::<Vec<_>>())
        };
        let (_, rows) = read_stream(read(COVERAGE)?.first()?).ok()?;
        let coverage = coverage_of(rows.first()?)?;
        let asked: Vec<Table> =
            Table::ALL.into_iter().filter(|table| options.gives(*table)).collect();
        let tables = asked.into_par_iter().map(|table| {
            let streams = read(table.name())?;
            let parts = streams.par_iter().map(|stream| {
                let (schema, batches) = read_stream(stream).ok()?;
                (schema == table.schema()).then_some(batches)
            });
            let parts: Vec<_> = parts.collect::<Option<_>>()?;
            Some((table, table.schema(), parts.concat()))
        });
        Some(Scan { tables: tables.collect::<Option<Vec<_>>>()?, coverage, warning: None })
    }

    /// Keeps a scan of this state.
    pub(crate) fn keep(&self, state: &State, tables: &[Built], coverage: &Coverage) {
        if !state.is_settled {
            return;
        }
        let write = |name: &str, schema: &SchemaRef, batches: &[RecordBatch]| {
            let streams: Result<Vec<_>, _> =
                parts(batches).into_iter().map(|part| stream(schema, part)).collect();
            // A table that outgrows a stream is not kept.
            let Ok(streams) = streams else { return };
            let mut sections = vec![state.digest.to_le_bytes().to_vec()];
            sections.extend(streams);
            self.store.write(&self.name_of(name), &seal(SEAL, &sections));
        };
        tables.par_iter().for_each(|(table, schema, batches)| write(table.name(), schema, batches));
        if let Ok(rows) = batch_of(coverage) {
            write(COVERAGE, &rows.schema(), &[rows]);
        }
    }

    fn name_of(&self, table: &str) -> String {
        format!("{:032x}-{table}", self.of_scan)
    }
}

/// Batches in parts that cores can read at once, one at least.
fn parts(batches: &[RecordBatch]) -> Vec<&[RecordBatch]> {
    let (mut parts, mut rest, mut bytes) = (Vec::new(), batches, 0);
    let mut taken = 0;
    for batch in batches {
        taken += 1;
        bytes += batch.get_array_memory_size();
        if bytes >= PART_BYTES {
            let (part, behind) = rest.split_at(taken);
            parts.push(part);
            (rest, taken, bytes) = (behind, 0, 0);
        }
    }
    if parts.is_empty() || !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Enough of a table for a core.
const PART_BYTES: usize = 16 << 20;

/// Stands where a table's name does.
const COVERAGE: &str = "coverage";

/// A number of the coverage.
struct Counted {
    /// What is counted.
    of: String,
    /// The name that is counted, where there are several.
    name: String,
    count: u64,
}

rows! {
    Counted { of, name, count }
}

/// The numbers of a coverage.
fn numbers(coverage: &mut Coverage) -> [(&'static str, &mut u64); 18] {
    let beside = &mut coverage.beside;
    [
        ("files_found", &mut coverage.files_found),
        ("files_read", &mut coverage.files_read),
        ("files_partial", &mut coverage.files_partial),
        ("files_unreadable", &mut coverage.files_unreadable),
        ("files_copied", &mut coverage.files_copied),
        ("bytes", &mut coverage.bytes),
        ("records", &mut coverage.records),
        ("lines_lost", &mut coverage.lines_lost),
        ("blank_lines", &mut coverage.blank_lines),
        ("skill_listings", &mut coverage.skill_listings),
        ("skill_listings_empty", &mut coverage.skill_listings_empty),
        ("invoked_skills", &mut coverage.invoked_skills),
        ("invoked_skills_empty", &mut coverage.invoked_skills_empty),
        ("meta", &mut beside.meta),
        ("workflow", &mut beside.workflow),
        ("memory", &mut beside.memory),
        ("script", &mut beside.script),
        ("tool_result", &mut beside.tool_result),
    ]
}

/// The counts by name of a coverage.
fn names(coverage: &mut Coverage) -> [(&'static str, &mut BTreeMap<String, u64>); 3] {
    [
        ("records_by_type", &mut coverage.records_by_type),
        ("unknown_types", &mut coverage.unknown_types),
        ("unknown_blocks", &mut coverage.unknown_blocks),
    ]
}

/// A coverage as a batch.
fn batch_of(coverage: &Coverage) -> Result<RecordBatch, ArrowError> {
    let mut coverage = coverage.clone();
    let numbers = numbers(&mut coverage).map(|(of, count)| Counted {
        of: of.to_owned(),
        name: String::new(),
        count: *count,
    });
    let mut counted = Vec::from(numbers);
    for (of, counts) in names(&mut coverage) {
        counted.extend(counts.iter().map(|(name, count)| Counted {
            of: of.to_owned(),
            name: name.clone(),
            count: *count,
        }));
    }
    batch(&counted)
}

/// The coverage of such a batch.
fn coverage_of(read: &RecordBatch) -> Option<Coverage> {
    let like = batch_of(&Coverage::default()).ok()?;
    (read.schema() == like.schema()).then_some(())?;
    let counted: Vec<Counted> = Value::read(&mut Reader::of(read, &Limits::default())).ok()?;
    let mut coverage = Coverage::default();
    for Counted { of, name, count } in counted {
        if let Some((_, number)) = numbers(&mut coverage).into_iter().find(|(own, _)| *own == of) {
            *number = count;
        } else {
            let (_, counts) = names(&mut coverage).into_iter().find(|(own, _)| *own == of)?;
            counts.insert(name, count);
        }
    }
    Some(coverage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coverage_comes_back_with_every_number() -> Result<(), ArrowError> {
        let mut coverage = Coverage::default();
        for ((_, number), value) in numbers(&mut coverage).into_iter().zip(1..) {
            *number = value;
        }
        for ((of, counts), value) in names(&mut coverage).into_iter().zip(100..) {
            counts.insert(of.to_owned(), value);
            counts.insert("(none)".to_owned(), value * 2);
        }
        // A new member of the coverage has a zero here.
        assert!(!format!("{coverage:?}").contains(": 0"), "{coverage:?}");
        assert_eq!(coverage_of(&batch_of(&coverage)?), Some(coverage));
        Ok(())
    }
}
