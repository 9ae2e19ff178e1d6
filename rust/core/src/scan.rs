//! The flow from end to end.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arrow::columns::{Columns, batches};
use crate::arrow::{self};
use crate::coverage::{Coverage, coverage};
use crate::diagnose::{Code, Finding, merge};
use crate::discover::{Discovered, Found, Root, Transcript, discover};
use crate::error::Error;
use crate::facts::{BlockRows, Facts};
use crate::fold::Wanted;
use crate::join::{Corpus, Standing, copies, replays, sessions, tool_calls, usage};
use crate::map::MmapPolicy;
use crate::parallel::{CHUNK_BYTES, Folded, Progress, Trouble, Unit, fold, units};
use crate::schema::Table;

/// What to do with files that hold one session several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Copies {
    /// Read each text once.
    #[default]
    Collapse,
    /// Read every file as its own.
    Keep,
}

/// What a scan is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tables to build; `files` and `diagnostics` always come.
    pub tables: Vec<Table>,
    /// Fill the text columns.
    pub text: bool,
    /// Threads; one for each core where it is none.
    pub threads: Option<usize>,
    /// Whether files are mapped.
    pub mmap: MmapPolicy,
    /// What to do with physical copies.
    pub copies: Copies,
    /// Longer lines are skipped with `line_too_long`.
    pub max_line_bytes: Option<u64>,
    /// Read these files only, and no more of each than this.
    pub sizes: Option<HashMap<String, u64>>,
    /// Bytes of text in one unit of work.
    pub chunk_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tables: Table::ALL.into_iter().filter(|table| table.is_core()).collect(),
            text: false,
            threads: None,
            mmap: MmapPolicy::default(),
            copies: Copies::default(),
            max_line_bytes: None,
            sizes: None,
            chunk_bytes: CHUNK_BYTES,
        }
    }
}

impl Options {
    /// What folding keeps for these tables.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            records: self.tables.contains(&Table::Records),
            blocks: self.tables.contains(&Table::Blocks),
            census: self.tables.contains(&Table::Census),
            text: self.text,
            max_line_bytes: self.max_line_bytes,
            ..Wanted::default()
        }
    }

    /// How the work is cut.
    pub(crate) fn units(&self, transcripts: &[Transcript]) -> Vec<Unit> {
        units(transcripts, self.chunk_bytes.max(1))
    }
}

/// The tables of a corpus.
#[derive(Debug)]
pub struct Scan {
    /// The tables that were asked for, with `files` and `diagnostics`.
    pub tables: Vec<(Table, SchemaRef, Vec<RecordBatch>)>,
    /// What was seen.
    pub coverage: Coverage,
}

/// Scans everything below the roots. Damage in the input is a row of
/// `diagnostics`, never an error.
pub fn scan(roots: &[Root], options: &Options, progress: &Progress) -> Result<Scan, Error> {
    let pool = pool(options.threads)?;
    let Discovered { transcripts, beside } = discover(roots, options.sizes.as_ref());
    let mut corpus = read(&pool, &transcripts, options, progress)?;
    pool.install(|| {
        let tables = tables(&mut corpus, &transcripts, options, progress)?;
        Ok(Scan { tables, coverage: coverage(&corpus, &beside) })
    })
}

pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool, Error> {
    let mut builder = ThreadPoolBuilder::new().thread_name(|index| format!("sessionscan-{index}"));
    if let Some(threads) = threads {
        builder = builder.num_threads(threads);
    }
    Ok(builder.build()?)
}

/// Folds the transcripts and joins their facts.
pub(crate) fn read(
    pool: &ThreadPool,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Corpus, Error> {
    let regular = transcripts.iter().filter(|file| matches!(file.found, Found::Regular));
    progress.files_total.store(regular.clone().count() as u64, Ordering::Relaxed);
    let bytes = regular.map(|file| file.size.unwrap_or(0)).sum();
    progress.bytes_total.store(bytes, Ordering::Relaxed);
    let units = options.units(transcripts);
    let folded = fold(pool, &units, transcripts, options.mmap, options.wanted(), progress)?;
    pool.install(|| join(folded, transcripts, options, progress))
}

fn join(
    folded: Vec<Folded>,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Corpus, Error> {
    let mut troubles = Vec::new();
    let mut facts = Vec::with_capacity(folded.len());
    for Folded { facts: unit, troubles: more } in folded {
        facts.push(unit);
        troubles.extend(more);
    }
    let mut corpus = Corpus::new(facts, transcripts);
    note_troubles(&mut corpus, transcripts, troubles);
    progress.check()?;
    match options.copies {
        Copies::Collapse => copies::find(&mut corpus, transcripts, options.mmap),
        Copies::Keep => copies::ignore(&mut corpus),
    }
    replays::find(&mut corpus);
    progress.check()?;
    Ok(corpus)
}

/// Files that gave no text, or not all of it.
fn note_troubles(corpus: &mut Corpus, transcripts: &[Transcript], troubles: Vec<Trouble>) {
    for (transcript, file) in transcripts.iter().zip(0..) {
        match &transcript.found {
            Found::Regular => {}
            Found::NotAFile => corpus.mark_unreadable(file, Code::NotAFile, &[]),
            Found::SymlinkLoop => corpus.mark_unreadable(file, Code::SymlinkLoop, &[]),
            Found::Unreadable(reason) => {
                corpus.mark_unreadable(file, Code::Unreadable, &[("reason", reason)]);
            }
        }
    }
    for trouble in troubles {
        match trouble {
            Trouble::Unreadable(file, reason) => {
                corpus.mark_unreadable(file, Code::Unreadable, &[("reason", &reason)]);
            }
            Trouble::Damaged(file, end) => {
                let values = [("offset", &*end.to_string())];
                corpus.mark_partial(file, Code::DecompressError, &values);
            }
        }
    }
    let truncated: Vec<u32> = (0..transcripts.len() as u32)
        .filter(|file| corpus.parts(*file).any(|(_, part)| part.truncated))
        .collect();
    for file in truncated {
        corpus.mark_partial(file, Code::TruncatedWhileReading, &[]);
    }
}

type Built = (Table, SchemaRef, Vec<RecordBatch>);

fn tables(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Vec<Built>, Error> {
    let (mut records, mut blocks) = (records(corpus), blocks(corpus));
    let ((responses, mut findings), (pairs, found)) =
        rayon::join(|| usage::responses(corpus), || tool_calls::pairs(corpus));
    progress.check()?;
    findings.extend(found);
    let findings = merge(all_findings(corpus, findings));
    let corpus = &*corpus;
    let always = |table: Table| matches!(table, Table::Files | Table::Diagnostics);
    let work: Vec<(Table, Vec<Columns>)> = Table::ALL
        .into_iter()
        .filter(|table| always(*table) || options.tables.contains(table))
        .map(|table| match table {
            Table::Records => (table, std::mem::take(&mut records)),
            Table::Blocks => (table, std::mem::take(&mut blocks)),
            _ => (table, Vec::new()),
        })
        .collect();
    let build = |(table, folded): (Table, Vec<Columns>)| {
        let parts = match table {
            Table::Records | Table::Blocks => folded,
            Table::Files => vec![arrow::files::files(corpus, transcripts)],
            Table::Usage => arrow::usage::usage(corpus, &responses),
            Table::UsageIterations => vec![arrow::usage::iterations(corpus, &responses)],
            Table::ToolCalls => arrow::tool_calls::tool_calls(corpus, &pairs),
            Table::Sessions => {
                let sessions = sessions::sessions(corpus, &responses, &pairs);
                vec![arrow::sessions::sessions(corpus, &sessions, transcripts)]
            }
            Table::Diagnostics => vec![arrow::diagnostics::diagnostics(&findings)],
            Table::Census => arrow::census::census(corpus),
            _ => Vec::new(),
        };
        progress.check()?;
        let schema = table.schema();
        let batches = batches(&schema, parts)?;
        Ok((table, schema, batches))
    };
    work.into_par_iter().map(build).collect()
}

fn all_findings(corpus: &mut Corpus, mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.append(&mut corpus.findings);
    corpus.units.iter_mut().for_each(|unit| findings.append(&mut unit.findings));
    findings
}

/// Rows of `records` of all units.
fn records(corpus: &mut Corpus) -> Vec<Columns> {
    let units = corpus.units.iter_mut().zip(&corpus.standing);
    units.flat_map(|(unit, standing)| record_rows(unit, standing)).collect()
}

/// Rows of `blocks` of all units.
fn blocks(corpus: &mut Corpus) -> Vec<Columns> {
    let units = corpus.units.iter_mut().zip(&corpus.standing);
    units.flat_map(|(unit, standing)| block_rows(unit, standing)).collect()
}

/// Takes the rows of `records`, with replays marked and copies left out.
pub(crate) fn record_rows(unit: &mut Facts, standing: &[Standing]) -> Vec<Columns> {
    let mut rows = unit.records.take();
    if let Some(rows) = rows.as_mut().filter(|_| !standing.is_empty()) {
        let replays = standing.iter().map(|standing| *standing == Standing::Replay);
        rows.set_bools(arrow::records::index("is_replay"), replays);
        let keep = standing.iter().map(|standing| *standing != Standing::Copied);
        rows.retain(&keep.collect::<Vec<_>>());
    }
    rows.into_iter().collect()
}

/// Takes the rows of `blocks` of the records that count.
pub(crate) fn block_rows(unit: &mut Facts, standing: &[Standing]) -> Vec<Columns> {
    let counts = |sketch: &u32| standing[*sketch as usize] == Standing::Counts;
    let blocks = std::mem::take(&mut unit.blocks).into_iter();
    let rows = blocks.map(|BlockRows { mut rows, sketches }| {
        if !standing.is_empty() {
            rows.retain(&sketches.iter().map(counts).collect::<Vec<_>>());
        }
        rows
    });
    rows.collect()
}
