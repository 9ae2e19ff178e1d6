//! A corpus in segments gives what one scan gives, wherever it can be cut: rows
//! in order, words of dictionaries, coverage.

mod cases;
mod cells;
mod odd_file;
#[allow(dead_code)] // Other tests look at a snapshot in other ways.
mod snapshot;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use sessionscan_core::{Options, Progress, Root, Scan, Segments, Table, scan};
use snapshot::Snapshot;

fn root(path: &Path) -> Root {
    Root { label: path.display().to_string(), path: path.to_owned() }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Cut wherever no key spans the cut.
fn all_cuts(options: Options) -> Options {
    Options { segment_bytes: 0, ..options }
}

/// Everything that the segments give, and how often they gave something.
fn in_segments(roots: &[Root], options: &Options) -> (Scan, usize) {
    let segments = Segments::plan(roots, options.clone(), Arc::<Progress>::default());
    let mut segments = segments.expect("a plan");
    let mut all: Vec<(Table, Vec<RecordBatch>)> =
        Table::ALL.map(|table| (table, Vec::new())).into();
    let mut times = 0;
    while let Some(built) = segments.advance().expect("tables") {
        times += 1;
        for (table, _, batches) in built {
            let place = all.iter().position(|(other, _)| *other == table).expect("a table");
            all[place].1.extend(batches);
        }
    }
    let wanted = |table: &Table| {
        options.tables.contains(table) || matches!(table, Table::Files | Table::Diagnostics)
    };
    let tables = all.into_iter().filter(|(table, _)| wanted(table));
    // The last batch has every word; a snapshot looks at the first.
    let tables = tables.map(|(table, mut batches)| {
        batches.retain(|batch| batch.num_rows() > 0);
        let last = usize::from(batches.len() > 1);
        batches.rotate_right(last);
        (table, table.schema(), batches)
    });
    let coverage = segments.coverage().clone();
    (Scan { tables: tables.collect(), coverage, warning: None }, times)
}

/// Whether both say the same.
fn assert_same(roots: &[Root], options: &Options, what: &str) -> usize {
    let mut whole = scan(roots, options, &Progress::default()).expect("a scan");
    for (_, _, batches) in &mut whole.tables {
        batches.retain(|batch| batch.num_rows() > 0);
    }
    let (mut cut, times) = in_segments(roots, &all_cuts(options.clone()));
    assert_eq!(Snapshot::from(&whole).words(), Snapshot::from(&cut).words(), "{what}: words");
    for (_, _, batches) in &mut cut.tables {
        let last = usize::from(batches.len() > 1);
        batches.rotate_left(last);
    }
    Snapshot::from(&whole).assert_rows_equal(&Snapshot::from(&cut), what);
    times
}

fn everything() -> Options {
    let tables = Table::ALL.to_vec();
    Options { tables, threads: Some(2), text: true, ..Options::default() }
}

#[test]
fn fixtures_in_segments_are_fixtures_in_one_scan() {
    let folders = fs::read_dir(fixtures().join("claude")).expect("homes");
    let mut homes: Vec<PathBuf> =
        folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    homes.sort();
    assert!(homes.len() > 10, "{homes:?}");
    for home in &homes {
        assert_same(&[root(home)], &everything(), &home.display().to_string());
    }
    let roots: Vec<Root> = homes.iter().map(|home| root(home)).collect();
    assert_same(&roots, &everything(), "all homes");
    assert_same(&[root(&fixtures().join("corpus"))], &everything(), "the corpus");
}

#[test]
fn contract_cases_in_segments_are_those_in_one_scan() {
    for case in cases::load() {
        assert!(!case.expect().is_empty(), "{}", case.name);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let roots = case.write(folder.path());
        assert_same(&roots, &case.options(), &case.name);
    }
}

#[test]
fn the_same_tables_come_whichever_are_asked_for() {
    let roots = [root(&fixtures().join("corpus"))];
    for table in Table::ALL {
        let options = Options { tables: vec![table], ..everything() };
        assert_same(&roots, &options, table.name());
    }
}

/// Sessions of one file each, of which some are linked.
fn sessions(folder: &Path, lines: &[(&str, String)]) {
    for (name, line) in lines {
        fs::write(folder.join(format!("{name}.jsonl")), format!("{line}\n")).expect("a file");
    }
}

#[test]
fn what_shares_a_key_is_in_one_segment_and_nothing_else_is() {
    let record = |session: &str, uuid: &str, message: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"{session}","message":{{"id":"{message}","role":"assistant","usage":{{"output_tokens":1}}}}}}"#
        )
    };
    let id = |number: u32| format!("{number:08}-aaaa-4aaa-8aaa-000000000001");
    let ids: Vec<String> = (0..6).map(id).collect();
    let of = |file: usize, session: usize, uuid: &str, message: &str| {
        (ids[file].as_str(), record(&ids[session], uuid, message))
    };
    // 1 and 2 share a response, 3 and 4 a uuid, 5 names the session of 4.
    let lines = [
        of(0, 0, "u0", "m0"),
        of(1, 1, "u1", "m1"),
        of(2, 2, "u2", "m1"),
        of(3, 3, "u3", "m3"),
        of(4, 4, "u3", "m4"),
        of(5, 4, "u5", "m5"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    sessions(folder.path(), &lines);
    let roots = [root(folder.path())];
    let asked = |tables: &[Table]| Options { tables: tables.to_vec(), ..everything() };
    assert_eq!(assert_same(&roots, &asked(&[Table::Usage]), "usage"), 4);
    assert_eq!(assert_same(&roots, &asked(&[Table::Usage, Table::Links]), "links"), 3);
    assert_eq!(assert_same(&roots, &asked(&[Table::Prompts]), "prompts"), 4);
    assert_eq!(assert_same(&roots, &asked(&[Table::Sessions]), "sessions"), 3);
    assert_eq!(assert_same(&roots, &asked(&[Table::Usage, Table::Census]), "census"), 5);
    let whole = Options { segment_bytes: 1 << 20, ..everything() };
    assert_eq!(in_segments(&roots, &whole).1, 1, "a small corpus is one segment");
}

#[test]
fn segments_are_as_large_as_they_may_be() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: Vec<String> =
        (0..10).map(|file| format!(r#"{{"type":"user","n":{file}}}"#)).collect();
    let names: Vec<String> = (0..10).map(|file| format!("file-{file}")).collect();
    let lines: Vec<(&str, String)> = names.iter().map(String::as_str).zip(lines).collect();
    sessions(folder.path(), &lines);
    let size = lines[0].1.len() as u64 + 1;
    for (files, times) in [(1, 10), (3, 4), (5, 2)] {
        let options = Options { segment_bytes: size * files, ..everything() };
        let options = Options { tables: vec![Table::Records], ..options };
        assert_eq!(in_segments(&[root(folder.path())], &options).1, times);
    }
}

#[test]
fn a_file_of_everything_odd_is_the_same_in_segments() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["a", "b", "c"] {
        let bytes = odd_file::lines().join(&b'\n');
        fs::write(folder.path().join(format!("{name}.jsonl")), bytes).expect("the odd file");
    }
    assert_same(&[root(folder.path())], &everything(), "odd files");
}

#[test]
fn segments_that_are_cancelled_give_nothing_more() {
    let progress = Arc::<Progress>::default();
    let options = all_cuts(everything());
    let roots = [root(&fixtures().join("corpus"))];
    let mut segments = Segments::plan(&roots, options, Arc::clone(&progress)).expect("a plan");
    progress.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(segments.advance().is_err());
}
