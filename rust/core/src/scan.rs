//! The flow from end to end.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::coverage::{Coverage, coverage};
use crate::decode::lanes::Machine;
use crate::diagnose::Code;
use crate::discover::{Beside, Discovered, Found, Root, Transcript, discover_in};
use crate::error::Error;
use crate::fold::Wanted;
use crate::index::Index;
use crate::join::files::Status;
use crate::join::{Corpus, copies, replays, rollouts};
use crate::map::MmapPolicy;
use crate::parallel::{CHUNK_BYTES, Folded, Progress, Trouble, Unit, units};
use crate::schema::Table;
use crate::segments::SEGMENT_BYTES;
use crate::storage::{Storage, Store};
use crate::tables::{Built, tables};
use crate::tasks::{TASK_BYTES, Workers, fold_units};

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
    /// The folder of the index, where one is used.
    pub index: Option<PathBuf>,
    /// How long after a file was changed the index doubts what the file system says
    /// of it: the longest tick of its clocks.
    pub settle: Duration,
    /// How strings are found; only speed depends on it.
    pub machine: Machine,
    /// Bytes of transcripts that are scanned together where tables are streamed.
    pub segment_bytes: u64,
    /// Where the roots are; on the disk of this machine where it is none. What is
    /// elsewhere has no stamps, and no index.
    pub store: Option<Arc<dyn Store>>,
    /// Who folds; the threads of this process where it is none. They have no index.
    pub workers: Option<Arc<dyn Workers>>,
    /// Bytes of transcripts that a task of theirs folds.
    pub task_bytes: u64,
    /// Facts of usage and calls up to which both tables are made side by side, where no
    /// others are asked for: that is quicker, and takes the memory of both.
    pub side_by_side: usize,
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
            index: None,
            settle: Duration::from_secs(2),
            machine: Machine::default(),
            segment_bytes: SEGMENT_BYTES,
            store: None,
            workers: None,
            task_bytes: TASK_BYTES,
            side_by_side: SIDE_BY_SIDE,
        }
    }
}

/// Facts of usage and calls that take some 20 MB.
const SIDE_BY_SIDE: usize = 150_000;

/// Threads that wait for a store, where the cores are fewer.
const WAITING: usize = 16;

/// Tables that stand on facts which no other table needs.
const OF_FURTHER_FACTS: [Table; 6] = [
    Table::Attachments,
    Table::Events,
    Table::Skills,
    Table::Sidecars,
    Table::FileHistory,
    Table::Ledger,
];

/// Tables of usage and calls, and those that always come.
const LEAN: [Table; 5] =
    [Table::Usage, Table::UsageIterations, Table::ToolCalls, Table::Files, Table::Diagnostics];

impl Options {
    /// What folding keeps for these tables.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            records: self.asks_for(&[Table::Records]),
            blocks: self.asks_for(&[Table::Blocks]),
            census: self.asks_for(&[Table::Census]),
            iterations: self.asks_for(&[Table::UsageIterations]),
            journal: self.asks_for(&[Table::Journal]),
            further: self.asks_for(&OF_FURTHER_FACTS),
            words: self.asks_for(&[Table::Sessions, Table::Prompts, Table::Endings]),
            text: self.text,
            max_line_bytes: self.max_line_bytes,
            machine: self.machine,
            ..Wanted::default()
        }
    }

    /// Whether any of these tables is to be made.
    pub(crate) fn asks_for(&self, tables: &[Table]) -> bool {
        tables.iter().any(|table| self.tables.contains(table))
    }

    /// Whether a scan gives this table.
    pub(crate) fn gives(&self, table: Table) -> bool {
        matches!(table, Table::Files | Table::Diagnostics) || self.tables.contains(&table)
    }

    /// Whether only tables are asked for that need nothing of most records.
    pub(crate) fn is_lean(&self) -> bool {
        !self.tables.is_empty() && self.tables.iter().all(|table| LEAN.contains(table))
    }

    /// Finds what is below the roots, on the threads of a pool.
    pub(crate) fn discover(&self, pool: &ThreadPool, roots: &[Root]) -> Result<Discovered, Error> {
        let storage = Storage::of(self.store.as_ref(), roots).map_err(Error::Storage)?;
        Ok(pool.install(|| discover_in(&storage, roots, self.sizes.as_ref())))
    }

    /// As many threads as are asked for, or as answers of a store are worth
    /// waiting for at the same time.
    pub(crate) fn threads(&self) -> Option<usize> {
        let cores = || available_parallelism().map_or(1, usize::from);
        self.threads.or_else(|| self.store.as_ref().map(|_| cores().max(WAITING)))
    }

    /// The files that are read as one with no other, where their facts may be reduced.
    pub(crate) fn alone(&self, transcripts: &[Transcript]) -> Vec<bool> {
        if self.is_lean() { copies::alone(transcripts, self.copies) } else { Vec::new() }
    }

    /// How the work is cut.
    pub(crate) fn units(&self, transcripts: &[Transcript]) -> Vec<Unit> {
        let most = if self.workers.is_some() { self.task_bytes } else { u64::MAX };
        units(transcripts, self.chunk_bytes.min(most).max(1))
    }

    /// How many units are worth folding at a time where not all are, with so many threads.
    pub(crate) fn units_at_once(&self, threads: usize) -> usize {
        if self.workers.is_none() {
            return threads;
        }
        // A segment has as much work for workers.
        let chunk = self.chunk_bytes.min(self.task_bytes).max(1);
        usize::try_from(self.segment_bytes / chunk).unwrap_or(usize::MAX).max(1)
    }
}

/// The tables of a corpus.
#[derive(Debug)]
pub struct Scan {
    /// The tables that were asked for, with `files` and `diagnostics`.
    pub tables: Vec<Built>,
    /// What was seen.
    pub coverage: Coverage,
    /// Why the index could not be kept, in a sentence.
    pub warning: Option<String>,
}

/// Scans everything below the roots. Damage in the input is a row of
/// `diagnostics`, never an error.
pub fn scan(roots: &[Root], options: &Options, progress: &Progress) -> Result<Scan, Error> {
    let pool = pool(options.threads())?;
    let has_index = options.store.is_none() && options.workers.is_none();
    let folder = options.index.as_ref().filter(|_| has_index);
    let index = folder.map(|folder| Index::open(folder, roots, options));
    let found = options.discover(&pool, roots)?;
    announce(&found.transcripts, 1, progress);
    match index {
        None => scan_found(&pool, &found, options, progress),
        Some(index) => pool.install(|| scan_again(&index, &found, options, progress)),
    }
}

fn scan_found(
    pool: &ThreadPool,
    found: &Discovered,
    options: &Options,
    progress: &Progress,
) -> Result<Scan, Error> {
    let Discovered { transcripts, beside } = found;
    let mut corpus = read(pool, transcripts, options, progress)?;
    pool.install(|| finish(&mut corpus, transcripts, beside, options, progress))
}

/// Scans what an index may know.
fn scan_again(
    index: &Index,
    found: &Discovered,
    options: &Options,
    progress: &Progress,
) -> Result<Scan, Error> {
    let Discovered { transcripts, beside } = found;
    let state = index.state(found, options);
    if let Some(scan) = state.as_ref().and_then(|state| index.finished(state, options)) {
        progress.files_done.store(progress.files_total.load(Ordering::Relaxed), Ordering::Relaxed);
        progress.bytes_done.store(progress.bytes_total.load(Ordering::Relaxed), Ordering::Relaxed);
        return Ok(scan);
    }
    let folded = index.fold(transcripts, options, progress);
    progress.check()?;
    let is_whole = folded.iter().all(|unit| unit.troubles.is_empty());
    let mut corpus = join(folded, transcripts, options, progress)?;
    let scan = finish(&mut corpus, transcripts, beside, options, progress)?;
    if let Some(state) = state.filter(|_| is_whole) {
        index.keep(&state, &scan.tables, &scan.coverage);
    }
    index.tidy();
    Ok(Scan { warning: index.warning(), ..scan })
}

pub(crate) fn finish(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    beside: &Beside,
    options: &Options,
    progress: &Progress,
) -> Result<Scan, Error> {
    // Before the facts become tables: some are given back on the way.
    let coverage = coverage(corpus, beside);
    let tables = tables(corpus, transcripts, beside, options, progress)?;
    Ok(Scan { tables, coverage, warning: None })
}

pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool, Error> {
    let mut builder = ThreadPoolBuilder::new().thread_name(|index| format!("sessionscan-{index}"));
    if let Some(threads) = threads {
        builder = builder.num_threads(threads);
    }
    Ok(builder.build()?)
}

/// Says how much there is to read, where everything is read so many times.
pub(crate) fn announce(transcripts: &[Transcript], times: u64, progress: &Progress) {
    let regular = transcripts.iter().filter(|file| matches!(file.found, Found::Regular));
    let files = regular.clone().count() as u64;
    let bytes: u64 = regular.map(|file| file.size.unwrap_or(0)).sum();
    progress.files_total.store(files * times, Ordering::Relaxed);
    progress.bytes_total.store(bytes.saturating_mul(times), Ordering::Relaxed);
}

/// Folds the transcripts and joins their facts.
pub(crate) fn read(
    pool: &ThreadPool,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Corpus, Error> {
    let units = options.units(transcripts);
    let folded = fold_units(pool, &units, transcripts, options, progress)?;
    pool.install(|| join(folded, transcripts, options, progress))
}

/// Joins facts, in the order of their units.
pub(crate) fn join(
    folded: Vec<Folded>,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Corpus, Error> {
    let mut troubles = Vec::new();
    let mut facts = Vec::with_capacity(folded.len());
    for Folded { facts: unit, troubles: more, .. } in folded {
        facts.push(unit);
        troubles.extend(more);
    }
    let mut corpus = Corpus::new(facts, transcripts);
    note_troubles(&mut corpus, transcripts, &troubles);
    progress.check()?;
    match options.copies {
        Copies::Collapse => copies::find(&mut corpus, transcripts, options.mmap),
        Copies::Keep => copies::ignore(&mut corpus),
    }
    replays::find(&mut corpus);
    rollouts::judge(&mut corpus);
    progress.check()?;
    Ok(corpus)
}

/// Files that gave no text, or not all of it.
fn note_troubles(corpus: &mut Corpus, transcripts: &[Transcript], troubles: &[Trouble]) {
    let mut unreadable = |file: u32, code, values: &[(&str, &str)]| {
        corpus.mark_unreadable(file, &transcripts[file as usize], code, values);
    };
    for (transcript, file) in transcripts.iter().zip(0..) {
        match &transcript.found {
            Found::Regular => {}
            Found::NotAFile => unreadable(file, Code::NotAFile, &[]),
            Found::SymlinkLoop => unreadable(file, Code::SymlinkLoop, &[]),
            Found::Unreadable(reason) => {
                unreadable(file, Code::Unreadable, &[("reason", reason)]);
            }
        }
    }
    let mut last = None;
    for trouble in troubles {
        // The first chunk that could not be read speaks for those behind it.
        if let Trouble::Unreadable(file, reason) = trouble
            && last.replace(*file) != Some(*file)
        {
            unreadable(*file, Code::Unreadable, &[("reason", reason)]);
        }
    }
    for trouble in troubles {
        if let Trouble::Damaged(file, end) = trouble
            && corpus.files[*file as usize].status != Status::Unreadable
        {
            let values = [("offset", &*end.to_string())];
            corpus.mark_partial(*file, Code::DecompressError, &values);
        }
    }
    let truncated: Vec<u32> = (0..transcripts.len() as u32)
        .filter(|file| corpus.parts(*file).any(|(_, part)| part.truncated))
        .collect();
    for file in truncated {
        corpus.mark_partial(file, Code::TruncatedWhileReading, &[]);
    }
}
