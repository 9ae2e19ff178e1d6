//! Folding where the caller says: with threads of this process, or by workers that
//! only the caller reaches.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use rayon::ThreadPool;

use super::cut::Cut;
use super::gathered::{Gathered, Refused};
use super::task::Task;
use crate::discover::Transcript;
use crate::error::Error;
use crate::parallel::{Folded, Progress, Unit, fold};
use crate::scan::Options;

/// Why workers gave no facts, in the caller's own words.
pub type WorkersError = Box<dyn std::error::Error + Send + Sync>;

/// Whoever folds tasks, all of one scan and with its options for reading.
pub trait Workers: Debug + Send + Sync {
    /// A name that no other work has.
    fn name(&self) -> Result<String, WorkersError>;

    /// Hands out tasks, to be folded for these tables, with text or without.
    fn begin(&self, tasks: Vec<Task>, options: &Options) -> Result<(), WorkersError>;

    /// The number of a task that is done, and its facts; none where none is by then.
    fn next(&self, wait: Duration) -> Result<Option<(u32, Vec<u8>)>, WorkersError>;

    /// Gives up what was handed out and is not done.
    fn cancel(&self);
}

/// How long workers are waited for before a cancelled scan is noticed.
const LISTEN_EVERY: Duration = Duration::from_millis(50);

/// Folds units with the workers of the options, or else with the threads of `pool`;
/// the outcomes come in the order of the units.
pub(crate) fn fold_units(
    pool: &ThreadPool,
    units: &[Unit],
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Vec<Folded>, Error> {
    let alone = options.alone(transcripts);
    let Some(workers) = &options.workers else {
        let wanted = options.wanted();
        return fold(pool, units, transcripts, options.mmap, wanted, &alone, progress);
    };
    let name = workers.name().map_err(Error::Workers)?;
    let cut = Cut::of(name, units.to_vec(), transcripts, options.task_bytes);
    let tasks = cut.tasks(transcripts, &alone).collect();
    let gathered = workers.begin(tasks, options).map_err(Error::Workers);
    let gathered = gathered.and_then(|()| gather(workers, &cut, transcripts, progress));
    if gathered.is_err() {
        workers.cancel();
    }
    gathered.map(Gathered::into_units)
}

fn gather(
    workers: &Arc<dyn Workers>,
    cut: &Cut,
    transcripts: &[Transcript],
    progress: &Progress,
) -> Result<Gathered, Error> {
    let mut gathered = Gathered::of(cut);
    while gathered.missing().is_some() {
        progress.check()?;
        let done = workers.next(LISTEN_EVERY).map_err(Error::Workers)?;
        let Some((number, bytes)) = done else { continue };
        let number = number as usize;
        let read = match cut.read(bytes) {
            Ok((told, _)) if told != number => Err(Refused::OtherTask),
            read => read,
        };
        let path = || cut.first(number, transcripts).to_owned();
        let read = read.map_err(|refused| Error::Refused { path: path(), refused })?;
        cut.units(read.0).iter().for_each(|unit| passed(unit, transcripts, progress));
        gathered.put(read);
    }
    Ok(gathered)
}

/// Counts a unit as folded.
fn passed(unit: &Unit, transcripts: &[Transcript], progress: &Progress) {
    let size = |file: &u32| transcripts[*file as usize].size.unwrap_or(0);
    match unit {
        Unit::Files(files) => files.iter().for_each(|file| progress.passed(size(file), true)),
        Unit::Chunk(file, range) => {
            progress.passed(range.end - range.start, range.end == size(file));
        }
    }
}
