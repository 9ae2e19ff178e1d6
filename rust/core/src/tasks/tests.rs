//! Facts of tasks come to the tables of a scan, and what is not the facts of a task
//! comes to none.

use std::path::Path;

use super::reply::{PACKAGE, of_package, to_bytes};
use super::*;
use crate::discover::{Found, Root, discover};
use crate::exchange::{self, Damaged};
use crate::parallel::{Folded, Progress, Trouble};
use crate::scan::{Options, Scan};
use crate::schema::Table;
use crate::{Coverage, scan};

fn roots() -> Vec<Root> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let root = |name: &str| Root { label: name.to_owned(), path: fixtures.join(name) };
    vec![root("claude"), root("corpus")]
}

fn options(tables: &[Table], chunk_bytes: u64) -> Options {
    Options { tables: tables.to_vec(), text: true, chunk_bytes, ..Options::default() }
}

fn plan(options: &Options, task_bytes: u64) -> Plan {
    Plan::of("p".to_owned(), &roots(), options.clone(), task_bytes).expect("a plan")
}

fn folded(plan: &Plan) -> Vec<Vec<u8>> {
    let folded = plan.tasks().map(|task| task.fold(&plan.options, &Progress::default()));
    folded.collect::<Result<_, _>>().expect("facts")
}

fn joined(plan: &Plan, facts: Vec<Vec<u8>>) -> Scan {
    let mut gathered = plan.gather();
    for bytes in facts {
        gathered.put(plan.read(bytes).expect("facts"));
    }
    plan.check(&gathered).expect("all facts");
    plan.join(gathered, &Progress::default()).expect("tables")
}

const LEAN: [Table; 3] = [Table::Usage, Table::UsageIterations, Table::ToolCalls];

#[test]
fn tables_are_those_of_a_scan_whatever_the_tasks() {
    for tables in [&Table::ALL[..], &LEAN] {
        for (chunk, task) in [(1021, 3000), (4096, 9000), (u64::MAX, 50_000), (4096, u64::MAX)] {
            let options = options(tables, chunk);
            let plan = plan(&options, task);
            let mut facts = folded(&plan);
            assert_eq!(facts.len() > 1, task < u64::MAX);
            facts.reverse();
            let (there, here) = (joined(&plan, facts), whole(&plan));
            assert_eq!(there.coverage, here.coverage);
            for ((table, _, one), (_, _, other)) in there.tables.iter().zip(&here.tables) {
                assert!(one == other, "{} in chunks of {chunk}, tasks of {task}", table.name());
            }
        }
    }
}

/// A scan whose work is cut as that of the plan is.
fn whole(plan: &Plan) -> Scan {
    scan(&roots(), &plan.options, &Progress::default()).expect("a scan")
}

#[test]
fn a_lean_plan_has_its_facts_reduced_where_they_are_folded() {
    let bytes = |tables: &[Table]| {
        let plan = plan(&options(tables, u64::MAX), 50_000);
        let is_reduced = plan.tasks().flat_map(|task| task.shares).any(|share| share.is_reduced);
        (is_reduced, folded(&plan).iter().map(Vec::len).sum::<usize>())
    };
    let session = Path::new("projects/x/0123abcd-0000-4000-8000-00000000000f.jsonl");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("projects/x")).expect("a folder");
    std::fs::write(folder.path().join(session), "{\"type\":\"user\"}\n").expect("a file");
    let root = Root { label: "r".to_owned(), path: folder.path().to_owned() };
    let plan = Plan::of("p".to_owned(), &[root], options(&LEAN, u64::MAX), 1 << 20);
    let share = plan.expect("a plan").tasks().flat_map(|task| task.shares).next();
    assert!(share.expect("a unit").is_reduced);
    // Some fixtures have no session in their paths, so none is known to be alone.
    assert!(!bytes(&Table::ALL).0 && !bytes(&LEAN).0);
}

#[test]
fn paths_are_absolute_and_files_are_named_as_often_as_units_read_them() {
    let plan = plan(&options(&LEAN, 4096), 9000);
    let found = discover(&roots(), None).transcripts.into_iter();
    let regular = found.filter(|file| matches!(file.found, Found::Regular));
    let mut paths: Vec<_> = plan
        .tasks()
        .flat_map(|task| task.shares)
        .flat_map(|share| share.files)
        .map(|(path, _)| path)
        .collect();
    assert!(paths.iter().all(|path| path.is_absolute()));
    paths.dedup();
    assert_eq!(paths.len(), regular.count());
}

fn refused(plan: &Plan, bytes: Vec<u8>) -> Refused {
    plan.read(bytes).expect_err("no facts of a task")
}

#[test]
fn facts_of_other_plans_and_packages_are_refused() {
    let plan = plan(&options(&LEAN, 4096), 9000);
    let units = |number: u32| {
        let (_, units) = plan.read(folded(&plan)[number as usize].clone()).expect("facts");
        units
    };
    let own = |name: &str, number| to_bytes(name, number, &units(0)).expect("bytes");
    assert_eq!(refused(&plan, own("q", 0)), Refused::OtherPlan);
    assert_eq!(refused(&plan, own("p", 70_000)), Refused::OtherPlan);
    let other = of_package("0.0.0", "p", 0, &[]).expect("bytes");
    let refusal = refused(&plan, other);
    assert_eq!(refusal, Refused::OtherPackage("0.0.0".to_owned()));
    assert!(refusal.to_string().contains(PACKAGE), "{refusal}");
}

#[test]
fn facts_of_another_task_are_refused() {
    let plan = plan(&options(&LEAN, u64::MAX), u64::MAX);
    let (_, mut units) = plan.read(folded(&plan).remove(0)).expect("facts");
    assert_eq!(units.len(), 1);
    // As the task itself numbers them: files that were not read have no number there.
    units[0].troubles.clear();
    let first = plan.tasks().next().expect("a task");
    let mentioned = first.shares[0].files.iter().map(|(path, _)| path);
    let found = discover(&roots(), None).transcripts;
    let number = |path| {
        let place = found
            .iter()
            .position(|file| std::path::absolute(&file.path).ok().as_ref() == Some(path));
        place.expect("a file") as u32
    };
    let files: Vec<u32> = mentioned.map(number).collect();
    let mut read: Vec<u32> = units[0].facts.parts.iter().map(|part| part.file).collect();
    read.dedup();
    let mentions = (0..).zip(&files).filter(|(_, file)| read.contains(file));
    let mentions: Vec<u32> = mentions.map(|(mention, _)| mention).collect();
    let facts = exchange::to_bytes(&units[0].facts).expect("bytes");
    let facts_of = |mentions: &[u32]| exchange::from_bytes(facts.clone(), Some(mentions));
    units[0].facts = facts_of(&mentions).expect("facts");
    assert!(plan.read(to_bytes("p", 0, &units).expect("bytes")).is_ok());
    let damaged = |units: &[Folded]| {
        let refusal = refused(&plan, to_bytes("p", 0, units).expect("bytes"));
        let Refused::Damaged(Damaged(reason)) = refusal else { panic!("{refusal}") };
        reason
    };
    assert_eq!(damaged(&[]), "another number of units");
    let beyond = files.len() as u32;
    units[0].troubles.push(Trouble::Unreadable(beyond, String::new()));
    assert_eq!(damaged(&units), "trouble with another file");
    units[0].troubles.clear();
    let others: Vec<u32> = mentions.iter().map(|mention| mention + beyond).collect();
    units[0].facts = facts_of(&others).expect("facts");
    assert_eq!(damaged(&units), "facts of other files");
}

#[test]
fn no_byte_can_be_changed_or_lost() {
    let plan = plan(&options(&LEAN, u64::MAX), u64::MAX);
    let bytes = folded(&plan).remove(0);
    let step = bytes.len() / 61;
    for at in (0..64).chain((64..bytes.len()).step_by(step)) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(plan.read(changed).is_err(), "byte {at}");
        assert!(plan.read(bytes[..at].to_vec()).is_err(), "{at} bytes");
    }
}

#[test]
fn what_is_missing_is_said_and_what_comes_twice_counts_once() {
    let plan = plan(&options(&LEAN, 4096), 50_000);
    let facts = folded(&plan);
    let mut gathered = plan.gather();
    for bytes in [&facts[1], &facts[0], &facts[1]] {
        gathered.put(plan.read(bytes.clone()).expect("facts"));
    }
    let Err(Refused::Missing { missing, tasks, first, path }) = plan.check(&gathered) else {
        panic!("nothing is missing");
    };
    assert_eq!((missing, tasks, first), (facts.len() - 2, facts.len(), 2));
    let task = plan.tasks().nth(2).expect("a task");
    assert!(task.shares[0].files[0].0.ends_with(&path), "{path}");
    let nothing = Plan::of("p".to_owned(), &[], options(&LEAN, 4096), 1).expect("a plan");
    assert_eq!(nothing.check(&nothing.gather()), Ok(()));
    assert_eq!(joined(&nothing, Vec::new()).coverage, Coverage::default());
}
