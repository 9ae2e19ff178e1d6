//! Units of work to tasks: so many of them, side by side, that a task is worth
//! being sent.

use super::gathered::Refused;
use super::reply::{PACKAGE, Reply};
use super::task::{Share, Task};
use crate::discover::Transcript;
use crate::parallel::{Folded, Unit};

/// Bytes of transcripts that one task folds, where nothing else is asked.
pub const TASK_BYTES: u64 = 256 << 20;

/// What a file costs at least, in bytes: to open it, and to name it in a task. So
/// a task of small files has some thousand paths, and only where one unit has more
/// than these, of files of less than 2 KiB, has it more.
const FILE_BYTES: u64 = 64 << 10;

/// Work that was cut into tasks.
#[derive(Debug)]
pub struct Cut {
    /// What tells it from all other work.
    name: String,
    /// The units of each task.
    tasks: Vec<Vec<Unit>>,
}

impl Cut {
    /// Cuts units into tasks of about `bytes`.
    pub(super) fn of(
        name: String,
        units: Vec<Unit>,
        transcripts: &[Transcript],
        bytes: u64,
    ) -> Self {
        Self { name, tasks: cut(units, transcripts, bytes) }
    }

    /// How many tasks there are.
    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// The units of a task.
    pub(super) fn units(&self, number: usize) -> &[Unit] {
        &self.tasks[number]
    }

    /// The tasks, in the order of the units.
    pub(super) fn tasks(
        &self,
        transcripts: &[Transcript],
        alone: &[bool],
    ) -> impl Iterator<Item = Task> {
        self.tasks.iter().zip(0..).map(move |(units, number)| {
            let shares = units.iter().map(|unit| Share::of(unit, transcripts, alone));
            Task { plan: self.name.clone(), number, shares: shares.collect() }
        })
    }

    /// The first file of a task, as tables show it.
    pub(super) fn first<'t>(&self, number: usize, transcripts: &'t [Transcript]) -> &'t str {
        let units = self.tasks.get(number).and_then(|units| units.first());
        let file = units.and_then(|unit| unit.files().first());
        file.map_or("", |file| &transcripts[*file as usize].shown)
    }

    /// The facts of one of the tasks, and which one that is.
    pub(super) fn read(&self, bytes: Vec<u8>) -> Result<(usize, Vec<Folded>), Refused> {
        let reply = Reply::of(bytes)?;
        if reply.head.package != PACKAGE {
            return Err(Refused::OtherPackage(reply.head.package));
        }
        let number = reply.head.task as usize;
        if reply.head.plan != self.name || number >= self.tasks.len() {
            return Err(Refused::OtherPlan);
        }
        let files: Vec<&[u32]> = self.tasks[number].iter().map(Unit::files).collect();
        Ok((number, reply.folded(&files)?))
    }
}

/// Puts units that follow each other together, up to about `bytes`.
fn cut(units: Vec<Unit>, transcripts: &[Transcript], bytes: u64) -> Vec<Vec<Unit>> {
    let mut tasks: Vec<Vec<Unit>> = Vec::new();
    let mut size = 0_u64;
    for unit in units {
        let cost = cost(&unit, transcripts);
        size = size.saturating_add(cost);
        match tasks.last_mut() {
            Some(task) if size <= bytes => task.push(unit),
            _ => {
                tasks.push(vec![unit]);
                size = cost;
            }
        }
    }
    tasks
}

fn cost(unit: &Unit, transcripts: &[Transcript]) -> u64 {
    match unit {
        Unit::Chunk(_, range) => range.end - range.start,
        Unit::Files(files) => files
            .iter()
            .map(|file| transcripts[*file as usize].size.unwrap_or(0).max(FILE_BYTES))
            .fold(0, u64::saturating_add),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::units;
    use crate::storage::Storage;

    fn cut_into(sizes: &[u64], chunk: u64, bytes: u64) -> Vec<Vec<Unit>> {
        let file = |size: &u64| Transcript::at("a.jsonl".into(), *size, Storage::Disk);
        let files: Vec<Transcript> = sizes.iter().map(file).collect();
        cut(units(&files, chunk), &files, bytes)
    }

    #[test]
    fn a_task_has_units_that_follow_each_other_and_a_large_file_has_several() {
        let (mib, chunk) = (1 << 20, 8 << 20);
        let tasks = cut_into(&[5 * mib, 4 * mib, 40 * mib, mib], chunk, 16 * mib);
        let chunk = |index: u64| Unit::Chunk(2, index * 8 * mib..(index + 1) * 8 * mib);
        let wanted = [
            vec![Unit::Files(vec![0]), Unit::Files(vec![1])],
            vec![chunk(0), chunk(1)],
            vec![chunk(2), chunk(3)],
            vec![chunk(4), Unit::Files(vec![3])],
        ];
        assert_eq!(tasks, wanted);
        assert_eq!(cut_into(&[40 * mib], u64::MAX, mib).len(), 1);
        assert_eq!(cut_into(&[], mib, mib), Vec::<Vec<Unit>>::new());
    }

    #[test]
    fn a_task_of_small_files_names_some_thousand_of_them() {
        let tasks = cut_into(&vec![10; 10_000], 1000, TASK_BYTES);
        let files = |task: &Vec<Unit>| task.iter().map(|unit| unit.files().len()).sum::<usize>();
        let counts: Vec<usize> = tasks.iter().map(files).collect();
        assert_eq!(counts.iter().sum::<usize>(), 10_000);
        assert!(counts.iter().all(|count| *count <= 4096), "{counts:?}");
    }
}
