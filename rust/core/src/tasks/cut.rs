//! Units of work to tasks: so many of them, side by side, that a task is worth
//! being sent.

use crate::discover::Transcript;
use crate::parallel::Unit;

/// What a file costs at least, in bytes: to open it, and to name it in a task. So
/// a task of small files has no more than some thousand paths.
const FILE_BYTES: u64 = 64 << 10;

/// Puts units that follow each other together, up to about `bytes`.
pub(super) fn cut(units: Vec<Unit>, transcripts: &[Transcript], bytes: u64) -> Vec<Vec<Unit>> {
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
        let tasks = cut_into(&vec![10; 10_000], 1000, super::super::TASK_BYTES);
        let files = |task: &Vec<Unit>| task.iter().map(|unit| unit.files().len()).sum::<usize>();
        let counts: Vec<usize> = tasks.iter().map(files).collect();
        assert_eq!(counts.iter().sum::<usize>(), 10_000);
        assert!(counts.iter().all(|count| *count <= 4096), "{counts:?}");
    }
}
