//! Folding in other processes, on this machine or on others.
//!
//! A [`Plan`] finds the files and cuts the work into [`Task`]s. A task is paths and
//! lengths, and is folded wherever these files can be read; what comes back are the
//! facts of its units, as bytes. [`Gathered`] takes them in any order, and the plan
//! joins them as [`scan`](crate::scan()) joins what its threads have folded: the
//! units are the same, and so are the tables.

mod cut;
mod gathered;
mod reply;
mod task;

pub use self::gathered::{Gathered, Refused};
pub use self::task::{Share, Task};

use self::cut::cut;
use crate::discover::{Discovered, Root};
use crate::error::Error;
use crate::parallel::{Progress, Unit};
use crate::scan::{Options, Scan, finish, join, pool};

/// Bytes of transcripts that one task folds, where nothing else is asked.
pub const TASK_BYTES: u64 = 256 << 20;

/// What is to be folded, and by which tasks.
#[derive(Debug)]
pub struct Plan {
    /// What tells this plan from every other.
    name: String,
    found: Discovered,
    options: Options,
    /// The units of each task.
    tasks: Vec<Vec<Unit>>,
    /// The files that are read as one with no other, where facts are reduced.
    alone: Vec<bool>,
}

impl Plan {
    /// Finds what is below the roots, and cuts it into tasks of about `task_bytes`.
    pub fn of(
        name: String,
        roots: &[Root],
        options: Options,
        task_bytes: u64,
    ) -> Result<Self, Error> {
        let found = options.discover(roots)?;
        let options = Options { chunk_bytes: options.chunk_bytes.min(task_bytes), ..options };
        let tasks = cut(options.units(&found.transcripts), &found.transcripts, task_bytes);
        let alone = options.alone(&found.transcripts);
        Ok(Self { name, found, options, tasks, alone })
    }

    /// The tasks, in the order of the files.
    pub fn tasks(&self) -> impl Iterator<Item = Task> {
        let transcripts = &self.found.transcripts;
        self.tasks.iter().zip(0..).map(move |(units, number)| {
            let shares = units.iter().map(|unit| Share::of(unit, transcripts, &self.alone));
            Task { plan: self.name.clone(), number, shares: shares.collect() }
        })
    }

    /// Joins the facts of all tasks.
    pub fn join(&self, gathered: Gathered, progress: &Progress) -> Result<Scan, Error> {
        let Discovered { transcripts, beside } = &self.found;
        let folded = gathered.into_units();
        pool(self.options.threads)?.install(|| {
            let mut corpus = join(folded, transcripts, &self.options, progress)?;
            finish(&mut corpus, transcripts, beside, &self.options, progress)
        })
    }

    /// The first file of a task, as tables show it.
    fn first(&self, number: usize) -> &str {
        let file = self.tasks[number].first().and_then(|unit| unit.files().first());
        file.map_or("", |file| &self.found.transcripts[*file as usize].shown)
    }
}

#[cfg(test)]
mod tests;
