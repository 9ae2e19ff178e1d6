//! A scan whose tasks are folded by nobody that the engine knows.

use super::cut::Cut;
use super::gathered::{Gathered, Refused};
use super::task::Task;
use crate::discover::{Discovered, Root};
use crate::error::Error;
use crate::parallel::{Folded, Progress};
use crate::scan::{Options, Scan, finish, join, pool};

/// What is to be folded, and by which tasks.
#[derive(Debug)]
pub struct Plan {
    cut: Cut,
    found: Discovered,
    pub(super) options: Options,
    /// The files that are read as one with no other, where facts are reduced.
    alone: Vec<bool>,
}

impl Plan {
    /// Finds what is below the roots, and cuts it into tasks of about `task_bytes`.
    /// The name is to tell the plan from every other.
    pub fn of(
        name: String,
        roots: &[Root],
        options: Options,
        task_bytes: u64,
    ) -> Result<Self, Error> {
        let found = options.discover(&pool(options.threads())?, roots)?;
        let options = Options { chunk_bytes: options.chunk_bytes.min(task_bytes), ..options };
        let cut = Cut::of(name, options.units(&found.transcripts), &found.transcripts, task_bytes);
        let alone = options.alone(&found.transcripts);
        Ok(Self { cut, found, options, alone })
    }

    /// The tasks, in the order of the files.
    pub fn tasks(&self) -> impl Iterator<Item = Task> {
        self.cut.tasks(&self.found.transcripts, &self.alone)
    }

    /// Nothing of its facts yet.
    pub fn gather(&self) -> Gathered {
        Gathered::of(&self.cut)
    }

    /// The facts of one of its tasks, and which one that is.
    pub fn read(&self, bytes: Vec<u8>) -> Result<(usize, Vec<Folded>), Refused> {
        self.cut.read(bytes)
    }

    /// An error where facts of a task are missing.
    pub fn check(&self, gathered: &Gathered) -> Result<(), Refused> {
        let Some((first, missing)) = gathered.missing() else { return Ok(()) };
        let path = self.cut.first(first, &self.found.transcripts).to_owned();
        Err(Refused::Missing { missing, tasks: self.cut.len(), first, path })
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
}
