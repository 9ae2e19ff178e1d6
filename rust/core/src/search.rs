//! Words over what a person could see, found in the transcripts themselves: no index,
//! no tables (SPEC section 7, rulings 85 to 91).
//!
//! ```text
//! discover -> map -> prefilter -> decode -> segments -> matches -> join -> rows
//!
//! query      what is looked for: patterns over folded text
//! fold_case  letters that differ in case alone, made equal
//! prefilter  the lines whose bytes may hold it; never too few
//! segments   a record to the texts that a person could see
//! look       the records of a unit that hold it
//! hit        what is kept of them
//! calls      the calls that results are of
//! around     what their file says of them: session, project, tools
//! outputs    outputs that stand in files of their own
//! join       identical records once, in order
//! rows       hits as Arrow rows
//! ```

mod around;
mod calls;
mod fold_case;
mod hit;
mod join;
mod leaves;
mod look;
mod outputs;
mod prefilter;
mod query;
mod rows;
mod segments;

use std::sync::atomic::Ordering;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::prelude::*;

pub use self::query::{BadPattern, Query, Term};
use crate::discover::{Found, Root, Transcript};
use crate::error::Error;
use crate::parallel::{Buffers, Progress};
use crate::scan::{Options, announce, pool};
use look::Looked;
use prefilter::Prefilter;

/// What was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Searched {
    pub files_found: u64,
    pub files_read: u64,
    pub files_partial: u64,
    pub files_unreadable: u64,
    pub sidecars: u64,
    /// Bytes of text, sidecars included.
    pub bytes: u64,
    /// Lines of transcripts.
    pub lines: u64,
    /// Lines that give no record, though the words stand in them as they are.
    pub lines_lost: u64,
}

/// Hits, and what was searched for them.
#[derive(Debug)]
pub struct Hits {
    /// One for each text that holds words, in order of file, line, place and text.
    pub rows: RecordBatch,
    /// Of `rows`.
    pub schema: SchemaRef,
    /// What was searched.
    pub searched: Searched,
}

/// Searches everything below the roots; of `options` it takes threads, store,
/// maps and the size of chunks.
pub fn search(
    roots: &[Root],
    query: &Query,
    with_sidecars: bool,
    options: &Options,
    progress: &Progress,
) -> Result<Hits, Error> {
    let pool = pool(options.threads())?;
    let transcripts = options.discover(&pool, roots)?.transcripts;
    announce(&transcripts, 1, progress);
    let call_lines = calls::call_lines();
    let (mut looked, outputs) = pool.install(|| {
        let looked = look_everywhere(&transcripts, query, &call_lines, options, progress);
        let outputs = if with_sidecars { outputs::search(&transcripts, query) } else { Vec::new() };
        (looked, outputs)
    });
    progress.check()?;
    let mut searched = sum_up(&transcripts, &mut looked);
    searched.sidecars = outputs.len() as u64;
    searched.bytes += outputs.iter().map(|output| output.bytes).sum::<u64>();
    let calls = calls::of_files(&mut looked);
    let mut records: Vec<_> = looked.into_iter().flat_map(|unit| unit.records).collect();
    pool.install(|| {
        let policy = options.mmap;
        around::complete(&mut records, calls, &call_lines, &transcripts, policy, progress);
    });
    progress.check()?;
    let hits = join::hits(records, outputs, &transcripts);
    let schema = rows::schema();
    let rows = rows::batch(&schema, &hits)?;
    Ok(Hits { rows, schema, searched })
}

fn look_everywhere(
    transcripts: &[Transcript],
    query: &Query,
    call_lines: &Prefilter,
    options: &Options,
    progress: &Progress,
) -> Vec<Looked> {
    let units = options.units(transcripts);
    let task = look::Task { transcripts, query, call_lines, policy: options.mmap, progress };
    let buffers = Buffers::default();
    let look = |unit| buffers.with(|buffer| task.look(unit, buffer));
    let per_unit: Vec<Vec<Looked>> = units.par_iter().with_max_len(1).map(look).collect();
    per_unit.into_iter().flatten().collect()
}

/// Numbers the lines of chunks as those of their file, drops what was found in files
/// that could not be read to their end, and counts.
fn sum_up(transcripts: &[Transcript], looked: &mut Vec<Looked>) -> Searched {
    let mut unreadable: Vec<bool> =
        transcripts.iter().map(|file| !matches!(file.found, Found::Regular)).collect();
    let mut partial = vec![false; transcripts.len()];
    for part in &*looked {
        unreadable[part.file as usize] |= part.unreadable;
        partial[part.file as usize] |= part.partial;
    }
    looked.retain(|part| !unreadable[part.file as usize]);
    let (mut file, mut before) = (None, 0);
    let mut searched = Searched::default();
    for part in looked.iter_mut() {
        if file.replace(part.file) != Some(part.file) {
            before = 0;
        }
        part.records.iter_mut().for_each(|record| record.line += before);
        before += part.line_feeds;
        searched.bytes += part.bytes;
        searched.lines += part.lines;
        searched.lines_lost += part.lines_lost;
    }
    searched.files_found = transcripts.len() as u64;
    let counted = unreadable.iter().zip(&partial);
    for (is_unreadable, is_partial) in counted {
        searched.files_unreadable += u64::from(*is_unreadable);
        searched.files_read += u64::from(!is_unreadable);
        searched.files_partial += u64::from(!is_unreadable && *is_partial);
    }
    searched
}

/// Whether the search was told to end.
fn is_cancelled(progress: &Progress) -> bool {
    progress.cancelled.load(Ordering::Relaxed)
}
