//! What is folded elsewhere, and the folding of it.

use std::ops::Range;
use std::path::PathBuf;

use super::reply::to_bytes;
use crate::discover::Transcript;
use crate::error::Error;
use crate::parallel::{Progress, Unit, fold};
use crate::scan::{Options, pool};
use crate::storage::Storage;

/// Some units of a plan, in words that another process understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The plan that it is of.
    pub plan: String,
    /// Its place among the tasks of the plan.
    pub number: u32,
    /// Its units.
    pub shares: Vec<Share>,
}

/// A unit of work as paths and lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The files, each with how much of it there was when it was found. On disk the
    /// path is absolute: nobody knows where a worker stands.
    pub files: Vec<(PathBuf, u64)>,
    /// Where the lines start that are to be folded, if it is a chunk of one file.
    pub range: Option<Range<u64>>,
    /// Whether the facts are to be reduced to what a lean scan needs.
    pub is_reduced: bool,
}

impl Share {
    pub(super) fn of(unit: &Unit, transcripts: &[Transcript], alone: &[bool]) -> Self {
        let numbers = unit.files();
        let files = numbers.iter().map(|file| told(&transcripts[*file as usize]));
        let range = match unit {
            Unit::Chunk(_, range) => Some(range.clone()),
            Unit::Files(_) => None,
        };
        let is_alone = |file: &u32| alone.get(*file as usize) == Some(&true);
        let is_reduced = range.is_none() && numbers.iter().all(is_alone);
        Self { files: files.collect(), range, is_reduced }
    }

    /// The unit, of files that are numbered from `first` on.
    fn unit(&self, first: u32) -> Unit {
        match &self.range {
            Some(range) => Unit::Chunk(first, range.clone()),
            None => Unit::Files((first..).take(self.files.len()).collect()),
        }
    }
}

fn told(transcript: &Transcript) -> (PathBuf, u64) {
    let path = match transcript.storage {
        Storage::Disk => std::path::absolute(&transcript.path),
        Storage::Elsewhere(_) => Ok(transcript.path.clone()),
    };
    (path.unwrap_or_else(|_| transcript.path.clone()), transcript.size.unwrap_or(0))
}

impl Task {
    /// Folds it; `options` are those of the plan. What cannot be read is said in the
    /// bytes that come back, and is no error.
    pub fn fold(&self, options: &Options, progress: &Progress) -> Result<Vec<u8>, Error> {
        let storage = Storage::unlisted(options.store.as_ref());
        let file =
            |(path, size): &(PathBuf, u64)| Transcript::at(path.clone(), *size, storage.clone());
        let (mut transcripts, mut alone, mut units) = (Vec::new(), Vec::new(), Vec::new());
        for share in &self.shares {
            units.push(share.unit(transcripts.len() as u32));
            transcripts.extend(share.files.iter().map(file));
            alone.resize(transcripts.len(), share.is_reduced);
        }
        let (pool, wanted) = (pool(options.threads())?, options.wanted());
        let folded = fold(&pool, &units, &transcripts, options.mmap, wanted, &alone, progress)?;
        Ok(to_bytes(&self.plan, self.number, &folded)?)
    }
}
