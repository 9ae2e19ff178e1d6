//! Tables do not depend on how the work was done: not on threads, on where
//! files are cut, on the order in which roots are named, on whether files are
//! mapped or streamed.

mod cells;
mod odd_file;
mod snapshot;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sessionscan_core::{MmapPolicy, Options, Progress, Root, Table, reader};
use snapshot::Snapshot;
use tempfile::TempDir;
use toml::Table as Row;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn root(path: &Path) -> Root {
    Root { label: path.display().to_string(), path: path.to_owned() }
}

fn all_fixtures() -> Vec<Root> {
    vec![root(&fixtures().join("claude")), root(&fixtures().join("corpus"))]
}

/// With text, so that every column has something to differ in.
fn options(threads: usize, chunk_bytes: u64) -> Options {
    let tables = Table::ALL.to_vec();
    Options { tables, threads: Some(threads), chunk_bytes, text: true, ..Options::default() }
}

/// A folder that holds the odd file.
fn odd() -> (TempDir, Vec<Root>, u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = odd_file::lines().join(&b'\n');
    fs::write(folder.path().join("odd.jsonl"), &bytes).expect("the odd file");
    let roots = vec![root(folder.path())];
    (folder, roots, bytes.len() as u64)
}

#[test]
fn threads_change_nothing() {
    let roots = all_fixtures();
    let alone = Snapshot::of(&roots, &options(1, 4096));
    assert!(alone.rows(Table::Records).len() > 500, "the fixtures are found");
    for threads in [2, 8] {
        let together = Snapshot::of(&roots, &options(threads, 4096));
        alone.assert_equals(&together, &format!("{threads} threads"));
    }
}

#[test]
fn no_cut_of_a_file_changes_anything() {
    let (_folder, roots, size) = odd();
    let whole = Snapshot::of(&roots, &options(1, size));
    assert!(whole.rows(Table::Records).len() > 10);
    assert!(whole.rows(Table::Diagnostics).len() > 15);
    // A file is cut into equal parts, so only their number says where. The
    // largest number puts a cut before every byte.
    let mut chunks: Vec<u64> = (1..size).collect();
    chunks.dedup_by_key(|chunk| size.div_ceil(*chunk));
    assert!(chunks.len() > 50 && chunks[0] == 1);
    for chunk in chunks {
        let cut = Snapshot::of(&roots, &options(1 + chunk as usize % 2, chunk));
        whole.assert_equals(&cut, &format!("chunks of {chunk} bytes"));
    }
}

#[test]
fn no_cut_of_a_corpus_changes_anything() {
    let roots = all_fixtures();
    let whole = Snapshot::of(&roots, &options(1, u64::MAX));
    for chunk in [211, 1009, 30_000, 1 << 20] {
        let cut = Snapshot::of(&roots, &options(2, chunk));
        whole.assert_equals(&cut, &format!("chunks of {chunk} bytes"));
    }
}

#[test]
fn mapping_changes_nothing() {
    let roots = all_fixtures();
    let read = Options { mmap: MmapPolicy::Never, ..options(1, 777) };
    let mapped = Options { mmap: MmapPolicy::Always, ..options(1, 777) };
    Snapshot::of(&roots, &read).assert_equals(&Snapshot::of(&roots, &mapped), "mapped");
}

/// The small homes, each a root of its own; their session ids differ, so that
/// nothing in them is judged by the order of files of two homes.
fn homes() -> Vec<PathBuf> {
    let entries = fs::read_dir(fixtures().join("claude")).expect("the small homes");
    let mut homes: Vec<PathBuf> = entries.map(|entry| entry.expect("a home").path()).collect();
    homes.sort();
    homes
}

#[test]
fn roots_of_one_label_may_be_named_in_any_order() {
    let labelled = |home: &PathBuf| Root { label: "all".to_owned(), path: home.clone() };
    let roots: Vec<Root> = homes().iter().map(labelled).collect();
    let sorted = Snapshot::of(&roots, &options(1, 4096));
    for step in [1, 7, 19] {
        let shuffled = Snapshot::of(&shuffled(&roots, step), &options(2, 4096));
        sorted.assert_equals(&shuffled, &format!("every {step}th root backwards"));
    }
}

#[test]
fn roots_in_another_order_give_the_same_rows_for_each_path() {
    let roots: Vec<Root> = homes().iter().map(|home| root(home)).collect();
    let sorted = by_path(&Snapshot::of(&roots, &options(1, 4096)));
    for step in [1, 7, 19] {
        let shuffled = by_path(&Snapshot::of(&shuffled(&roots, step), &options(1, 4096)));
        // The file in which a name is seen first is another where files are in another order.
        let tables = sorted.iter().zip(&shuffled).filter(|((table, _), _)| *table != Table::Census);
        for ((table, rows), (_, others)) in tables {
            for (one, another) in rows.iter().zip(others) {
                assert_eq!(one, another, "every {step}th root backwards: {}", table.name());
            }
            assert_eq!(rows.len(), others.len(), "{}", table.name());
        }
    }
}

/// Deals the roots to `step` piles and takes these up from behind.
fn shuffled(roots: &[Root], step: usize) -> Vec<Root> {
    let piles = (0..step).map(|pile| roots.iter().skip(pile).step_by(step).rev().cloned());
    piles.rev().flatten().collect()
}

/// Rows with paths for file ids, sorted by path; those of one file stay in order.
fn by_path(snapshot: &Snapshot) -> Vec<(Table, Vec<(String, Row)>)> {
    let files = snapshot.rows(Table::Files);
    let path = |id: &toml::Value| id.as_integer().map(|id| files[id as usize]["path"].clone());
    let named = |row: &Row| {
        let mut row = row.clone();
        let ids: Vec<String> = row.keys().filter(|key| key.ends_with("file_id")).cloned().collect();
        for key in ids {
            if let Some(path) = path(&row[&key]) {
                row.insert(key, path);
            }
        }
        (row["file_id"].as_str().unwrap_or_default().to_owned(), row)
    };
    let tables = snapshot.tables.iter().map(|(table, rows)| {
        let mut rows: Vec<(String, Row)> = rows.iter().map(named).collect();
        rows.sort_by(|(one, _), (another, _)| one.cmp(another));
        (*table, rows)
    });
    tables.collect()
}

#[test]
fn streams_hold_the_rows_of_tables() {
    let (_folder, mut roots, _) = odd();
    roots.extend(all_fixtures());
    let mut whole = Snapshot::of(&roots, &options(1, 1 << 20));
    // Findings about side files come with the tables that need these (ruling 37).
    let alone = Options { tables: vec![Table::Diagnostics], ..options(1, 1 << 20) };
    let findings = Snapshot::of(&roots, &alone).rows(Table::Diagnostics).to_vec();
    let mut tables = whole.tables.iter_mut();
    tables.find(|(table, _)| *table == Table::Diagnostics).expect("diagnostics").1 = findings;
    for (batch_rows, chunk) in [(1, 1 << 20), (7, 300), (100_000, 5000)] {
        for (table, rows) in &whole.tables {
            let options = Options { segment_bytes: chunk, ..options(2, chunk) };
            let stream = reader(roots.clone(), *table, batch_rows, options, Arc::default());
            let batches: Vec<_> =
                stream.expect("a stream").map(|batch| batch.expect("a batch")).collect();
            assert!(batches.iter().all(|batch| batch.num_rows() <= batch_rows));
            let name = table.name();
            assert!(
                cells::rows(&batches) == *rows,
                "{name} in batches of {batch_rows} from chunks of {chunk}"
            );
        }
    }
}

#[test]
fn a_cancelled_scan_is_an_error() {
    let (_folder, roots, size) = odd();
    let progress = Progress::default();
    progress.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    let scan = sessionscan_core::scan(&roots, &options(1, size), &progress);
    assert!(matches!(scan, Err(sessionscan_core::Error::Cancelled)));
}
