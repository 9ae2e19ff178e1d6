//! A table as a stream of batches, in bounded memory.
//!
//! Whether a record is a replay, and whether its file is a copy, is known only
//! when every file has been read. So the rows of `records` and `blocks` take two
//! passes: the first keeps what decides that, the second makes the rows, a few
//! units at a time. Other tables come segment by segment; `census` is made at
//! once.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use rayon::ThreadPool;

use crate::arrow;
use crate::arrow::columns::{Columns, Dictionaries, batch};
use crate::discover::{Root, Transcript};
use crate::error::Error;
use crate::facts::Facts;
use crate::join::Standing;
use crate::join::rollouts::{Named, name_again};
use crate::parallel::{Progress, Unit};
use crate::scan::{Options, announce, pool, read, scan};
use crate::schema::Table;
use crate::segments::Segments;
use crate::tables::block_rows;
use crate::tasks::fold_units;

/// Reads one table batch by batch, at most `batch_rows` rows in each. The
/// dictionaries of a batch hold what has been seen up to it.
#[allow(clippy::needless_pass_by_value)] // A stream outlives the call that asks for it.
pub fn reader(
    roots: Vec<Root>,
    table: Table,
    batch_rows: usize,
    options: Options,
    progress: Arc<Progress>,
) -> Result<Box<dyn RecordBatchReader + Send>, Error> {
    let options = Options { tables: vec![table], ..options };
    let batch_rows = batch_rows.max(1);
    if !matches!(table, Table::Records | Table::Blocks) {
        if table != Table::Census {
            let segments = Segments::plan(&roots, options, progress)?;
            let (schema, ready) = (table.schema(), VecDeque::new());
            return Ok(Box::new(Streamed { table, schema, batch_rows, segments, ready }));
        }
        let scan = scan(&roots, &options, &progress)?;
        let built = scan.tables.into_iter().find(|(built, _, _)| *built == table);
        let batches = built.map_or_else(Vec::new, |(_, _, batches)| batches);
        let slices = batches.iter().flat_map(|batch| slices(batch, batch_rows)).collect();
        return Ok(Box::new(Made { schema: table.schema(), batches: slices }));
    }
    Ok(Box::new(Rows::plan(&roots, table, batch_rows, options, progress)?))
}

fn slices(batch: &RecordBatch, rows: usize) -> impl Iterator<Item = RecordBatch> {
    let starts = (0..batch.num_rows()).step_by(rows);
    starts.map(move |start| batch.slice(start, rows.min(batch.num_rows() - start)))
}

/// Batches that are all there.
struct Made {
    schema: SchemaRef,
    batches: VecDeque<RecordBatch>,
}

impl Iterator for Made {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Made {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Batches of one segment after the other.
#[allow(clippy::struct_field_names)] // `batch_rows` is what callers call it.
struct Streamed {
    table: Table,
    schema: SchemaRef,
    batch_rows: usize,
    segments: Segments,
    ready: VecDeque<RecordBatch>,
}

impl Iterator for Streamed {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.segments.advance() {
                Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
                Ok(None) => return None,
                Ok(Some(built)) => {
                    let own = built.into_iter().filter(|(table, _, _)| *table == self.table);
                    let batches = own.flat_map(|(_, _, batches)| batches);
                    let rows = self.batch_rows;
                    self.ready
                        .extend(batches.flat_map(|batch| slices(&batch, rows).collect::<Vec<_>>()));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Streamed {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A unit to be read again, and what the first pass found of it.
struct Planned {
    unit: Unit,
    lines_before: u64,
    records: usize,
    standing: Vec<Standing>,
    named: Vec<Named>,
}

/// The second pass over `records` or `blocks`.
#[allow(clippy::struct_field_names)] // `batch_rows` is what callers call it.
struct Rows {
    table: Table,
    schema: SchemaRef,
    batch_rows: usize,
    options: Options,
    progress: Arc<Progress>,
    pool: ThreadPool,
    transcripts: Vec<Transcript>,
    planned: VecDeque<Planned>,
    dictionaries: Dictionaries,
    ready: VecDeque<RecordBatch>,
}

impl Rows {
    fn plan(
        roots: &[Root],
        table: Table,
        batch_rows: usize,
        options: Options,
        progress: Arc<Progress>,
    ) -> Result<Self, Error> {
        let pool = pool(options.threads())?;
        let transcripts = options.discover(&pool, roots)?.transcripts;
        announce(&transcripts, 2, &progress);
        let facts_only = Options { tables: Vec::new(), text: false, ..options.clone() };
        let corpus = read(&pool, &transcripts, &facts_only, &progress)?;
        let mut lines_before = 0;
        let mut planned = VecDeque::new();
        let units = options.units(&transcripts).into_iter();
        let mut named = corpus.named.into_iter();
        for ((unit, facts), standing) in units.zip(&corpus.units).zip(corpus.standing) {
            let named = named.next().unwrap_or_default();
            let before = match &unit {
                Unit::Chunk(_, range) if range.start > 0 => lines_before,
                _ => 0,
            };
            lines_before = before + facts.parts.first().map_or(0, |part| part.lines);
            let records = facts.sketches.len();
            planned.push_back(Planned { unit, lines_before: before, records, standing, named });
        }
        let schema = table.schema();
        let dictionaries = Dictionaries::new(&schema);
        let ready = VecDeque::new();
        Ok(Self {
            table,
            schema,
            batch_rows,
            options,
            progress,
            pool,
            transcripts,
            planned,
            dictionaries,
            ready,
        })
    }

    /// Reads as many units again as there are threads.
    fn advance(&mut self) -> Result<(), ArrowError> {
        let count = self.options.units_at_once(self.pool.current_num_threads());
        let count = count.min(self.planned.len());
        let planned: Vec<Planned> = self.planned.drain(..count).collect();
        let units: Vec<Unit> = planned.iter().map(|planned| planned.unit.clone()).collect();
        let folded =
            fold_units(&self.pool, &units, &self.transcripts, &self.options, &self.progress);
        let folded = folded.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        for (planned, folded) in planned.iter().zip(folded) {
            for mut rows in self.rows(planned, folded.facts)? {
                self.dictionaries.share(&mut rows);
                let batch = batch(&self.schema, rows, &self.dictionaries.values())?;
                self.ready.extend(slices(&batch, self.batch_rows));
            }
        }
        Ok(())
    }

    fn rows(&self, planned: &Planned, mut facts: Facts) -> Result<Vec<Columns>, ArrowError> {
        if facts.sketches.len() != planned.records {
            let file = facts.parts.first().map_or(0, |part| part.file);
            let path = &self.transcripts[file as usize].shown;
            let message = format!("{path} or a file after it changed while it was read");
            return Err(ArrowError::ExternalError(message.into()));
        }
        facts.shift_lines(planned.lines_before);
        Ok(if self.table == Table::Records {
            name_again(&mut facts, &planned.named);
            let strings = std::mem::take(&mut facts.strings);
            arrow::records::rows(&mut facts, &strings, &planned.standing)
        } else {
            block_rows(&mut facts, &planned.standing)
        })
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.planned.is_empty() {
            if let Err(error) = self.advance() {
                // What comes behind a gap would look like all there is.
                self.planned.clear();
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
