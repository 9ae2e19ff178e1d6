use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use arrow_array::RecordBatch;

use super::*;
use crate::join::side_paths::{Located, in_session, session_folder};
use crate::parallel::Progress;
use crate::scan::pool;
use crate::{Copies, Error, Options, Scan, Table, scan};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Files in memory, and how they were asked for.
#[derive(Debug, Default)]
struct Shelf {
    /// What stands before paths in tables.
    prefix: String,
    files: BTreeMap<String, Vec<u8>>,
    /// Files that are shorter by now than they are said to be.
    shrunk: BTreeMap<String, usize>,
    /// The file that cannot be read from this offset on.
    failing: Option<(String, u64)>,
    cannot_list: bool,
    reads: Mutex<Vec<(String, u64, usize)>>,
    looks: Mutex<Vec<String>>,
}

impl Store for Shelf {
    fn list(&self, root: &Path) -> Result<Listing, StoreError> {
        if self.cannot_list {
            return Err("closed on Sundays".into());
        }
        let root = root.to_str().ok_or("no text")?;
        let listed = self.files.iter().filter_map(|(path, bytes)| {
            let rest = path.strip_prefix(root)?;
            let below = if rest.is_empty() { rest } else { rest.strip_prefix('/')? }.to_owned();
            Some(Listed { below, kind: Kind::File, size: bytes.len() as u64, modified: None })
        });
        let folder = Listed { below: String::new(), kind: Kind::Folder, size: 0, modified: None };
        let is_folder = !self.files.contains_key(root);
        let listed = listed.chain(is_folder.then_some(folder)).collect();
        Ok(Listing { shown: format!("{}{root}", self.prefix), listed })
    }

    fn look(&self, path: &Path) -> io::Result<Option<Listed>> {
        let path = path.to_string_lossy().into_owned();
        let found = self.files.get(&path).map(|bytes| Listed {
            below: String::new(),
            kind: Kind::File,
            size: bytes.len() as u64,
            modified: None,
        });
        let is_folder = self.files.keys().any(|key| key.starts_with(&format!("{path}/")));
        self.looks.lock().expect("a lock").push(path);
        let folder = Listed { below: String::new(), kind: Kind::Folder, size: 0, modified: None };
        Ok(found.or_else(|| is_folder.then_some(folder)))
    }

    fn read_at(&self, path: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let path = path.to_string_lossy().into_owned();
        self.reads.lock().expect("a lock").push((path.clone(), offset, buffer.len()));
        if let Some((failing, from)) = &self.failing
            && *failing == path
            && offset + buffer.len() as u64 > *from
        {
            return Err(io::Error::other("torn page"));
        }
        let bytes = &self.files[&path];
        let end = self.shrunk.get(&path).copied().unwrap_or(bytes.len());
        let bytes = bytes[..end].get(offset as usize..).unwrap_or_default();
        let read = bytes.len().min(buffer.len());
        buffer[..read].copy_from_slice(&bytes[..read]);
        Ok(read)
    }
}

const SESSION: &str = "0f8e1a2b-3c4d-4e6f-8a8b-9c0d1e2f3a4b";

fn record(number: u64) -> String {
    format!(
        "{{\"type\":\"user\",\"sessionId\":\"{SESSION}\",\"uuid\":\"u{number}\",\
         \"message\":{{\"role\":\"user\",\"content\":\"words {number}\"}}}}\n"
    )
}

fn records(count: u64) -> Vec<u8> {
    (0..count).flat_map(|number| record(number).into_bytes()).collect()
}

fn shelf(files: &[(&str, Vec<u8>)]) -> Shelf {
    let files = files.iter().map(|(path, bytes)| ((*path).replace("ID", SESSION), bytes.clone()));
    Shelf { files: files.collect(), ..Shelf::default() }
}

fn home() -> Vec<(&'static str, Vec<u8>)> {
    let packed = zstd::bulk::compress(&records(40), 1).expect("a text to pack");
    vec![
        ("h/projects/p/ID.jsonl", records(200)),
        ("h/projects/p/ID/subagents/agent-a.jsonl", records(3)),
        ("h/projects/p/ID/subagents/agent-a.meta.json", br#"{"agentType":"scout"}"#.to_vec()),
        ("h/projects/p/ID/tool-results/out.txt", b"out".to_vec()),
        ("h/projects/p/memory/notes.md", b"#".to_vec()),
        ("h/projects/p-copy/ID.jsonl", records(120)),
        ("h/projects/p-packed/x.jsonl.zst", packed),
        ("h/projects/q/odd.jsonl", b"{\"type\":\n{}\n".to_vec()),
        ("h/history.jsonl", records(1)),
    ]
}

fn root(path: &str) -> Root {
    Root { label: "label".to_owned(), path: path.replace("ID", SESSION).into() }
}

fn options(store: Shelf) -> (Arc<Shelf>, Options) {
    let store = Arc::new(store);
    let tables = Table::ALL.to_vec();
    let shared: Arc<dyn Store> = Arc::clone(&store) as _;
    (store, Options { tables, text: true, store: Some(shared), ..Options::default() })
}

fn scanned(roots: &[Root], options: &Options) -> Result<Scan, Error> {
    scan(roots, options, &Progress::default())
}

/// The rows of a table, however they are cut into batches.
fn rows(batches: &[RecordBatch]) -> impl Iterator<Item = RecordBatch> {
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| batch.slice(row, 1)))
}

/// A table of a few rows as text.
fn told(scan: &Scan, asked: Table) -> String {
    let rows = scan.tables.iter().find(|(table, _, _)| *table == asked);
    format!("{:?}", rows.map(|(_, _, rows)| rows))
}

#[test]
fn a_store_gives_the_tables_of_the_disk() -> Outcome {
    let folder = tempfile::tempdir()?;
    for (path, bytes) in home() {
        let path = folder.path().join(path.replace("ID", SESSION));
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(path, bytes)?;
    }
    let prefix = format!("{}/", folder.path().display());
    let (_, mut elsewhere) = options(Shelf { prefix: prefix.clone(), ..shelf(&home()) });
    for (chunk_bytes, copies) in [(8 << 20, Copies::Collapse), (97, Copies::Keep)] {
        (elsewhere.chunk_bytes, elsewhere.copies) = (chunk_bytes, copies);
        let on_disk = Options { store: None, ..elsewhere.clone() };
        for path in [
            "h",
            "h/projects",
            "h/projects/p",
            "h/projects/p/ID.jsonl",
            "h/projects/p/ID/subagents/agent-a.jsonl",
            "h/history.jsonl",
        ] {
            let disk = scanned(&[root(&format!("{prefix}{path}"))], &on_disk)?;
            let store = scanned(&[root(path)], &elsewhere)?;
            assert_eq!(store.coverage, disk.coverage, "{path}");
            for ((table, _, ours), (_, _, theirs)) in store.tables.iter().zip(&disk.tables) {
                assert!(rows(ours).eq(rows(theirs)), "{path}: {}", table.name());
            }
        }
    }
    Ok(())
}

#[test]
fn roots_that_overlap_are_walked_once() -> Outcome {
    let (_, options) = options(shelf(&home()));
    let both =
        scanned(&[root("h/projects/p"), root("h"), root("h/projects/p/ID.jsonl")], &options)?;
    assert_eq!(both.coverage.files_found, 5);
    Ok(())
}

#[test]
fn small_files_are_read_at_once_and_large_ones_in_pieces() -> Outcome {
    let line = "x".repeat(99) + "\n";
    let large = line.repeat(200_000).into_bytes();
    let len = large.len() as u64;
    let (store, options) = options(shelf(&[("l/a.jsonl", large), ("l/b.jsonl", records(9))]));
    let options = Options { copies: Copies::Keep, ..options };
    let scan = scanned(&[root("l")], &options)?;
    assert_eq!(scan.coverage.lines_lost, 200_000);
    let reads = store.reads.lock().expect("a lock");
    let (small, large): (Vec<_>, Vec<_>) = reads.iter().partition(|(path, ..)| path == "l/b.jsonl");
    assert_eq!(small.len(), 1);
    // Two pieces for each of three chunks.
    assert_eq!(large.len(), 6);
    let asked: u64 = large.iter().map(|(_, _, length)| *length as u64).sum();
    assert!(asked <= len + 3 * (257 << 10), "{asked} of {len} bytes");
    Ok(())
}

#[test]
fn lines_longer_than_a_chunk_are_whole() -> Outcome {
    let line = |length: usize| [vec![b'x'; length], b"\n".to_vec()].concat();
    let text = [line(2 << 20), line(9), line(3 << 20), line(1), vec![b'x'; 1 << 20]].concat();
    let len = text.len() as u64;
    let (_, options) = options(shelf(&[("l/a.jsonl", text)]));
    let scan = scanned(&[root("l")], &Options { chunk_bytes: 1 << 20, ..options })?;
    // The last one has no line feed: it is still being written.
    assert_eq!((scan.coverage.lines_lost, scan.coverage.bytes), (4, len));
    Ok(())
}

#[test]
fn many_small_files_are_work_for_many_threads() {
    let files: Vec<_> = (0..64).map(|number| (format!("m/{number}.jsonl"), records(1))).collect();
    let files: Vec<_> = files.iter().map(|(path, bytes)| (&**path, bytes.clone())).collect();
    let (_, options) = options(shelf(&files));
    let found = options.discover(&pool(Some(1)).expect("a pool"), &[root("m")]).expect("a listing");
    assert_eq!(options.units(&found.transcripts).len(), 16);
    assert!(options.threads() >= Some(16));
    assert_eq!(Options { threads: Some(3), ..options }.threads(), Some(3));
}

#[test]
fn a_file_that_cannot_be_read_is_a_row_and_nothing_of_it_counts() -> Outcome {
    for (failing, chunk_bytes) in [(0, 8 << 20), (20_000, 4000), (20_000, 8 << 20)] {
        let mut store = shelf(&home());
        store.failing = Some((format!("h/projects/p/{SESSION}.jsonl"), failing));
        let (_, mut options) = options(store);
        options.chunk_bytes = chunk_bytes;
        let scan = scanned(&[root("h")], &options)?;
        let mut rest = home();
        rest.remove(0);
        let (_, mut of_rest) = self::options(shelf(&rest));
        of_rest.chunk_bytes = chunk_bytes;
        let without = scanned(&[root("h")], &of_rest)?;
        let (ours, theirs) = (&scan.coverage, &without.coverage);
        assert_eq!((ours.files_unreadable, theirs.files_unreadable), (1, 0));
        assert_eq!(ours.records, theirs.records);
        assert_eq!(ours.records_by_type, theirs.records_by_type);
        assert_eq!(ours.bytes, theirs.bytes);
        for ((table, _, ours), (_, _, others)) in scan.tables.iter().zip(&without.tables) {
            let more = usize::from(matches!(table, Table::Files | Table::Diagnostics));
            assert_eq!(rows(ours).count(), rows(others).count() + more, "{}", table.name());
        }
        let told = told(&scan, Table::Diagnostics);
        assert_eq!(told.matches("torn page").count(), 1, "{told}");
    }
    Ok(())
}

#[test]
fn an_object_that_shrank_is_cut_short() -> Outcome {
    for chunk_bytes in [8 << 20, 4000] {
        let mut store = shelf(&[("s/ID.jsonl", records(200))]);
        store.shrunk.insert(format!("s/{SESSION}.jsonl"), records(100).len() + 5);
        let (_, mut options) = options(store);
        options.chunk_bytes = chunk_bytes;
        let scan = scanned(&[root("s")], &options)?;
        assert_eq!((scan.coverage.files_partial, scan.coverage.records), (1, 100));
        assert!(told(&scan, Table::Diagnostics).contains("truncated_while_reading"));
    }
    Ok(())
}

#[test]
fn what_a_listing_says_is_not_asked_again() -> Outcome {
    let (store, options) = options(shelf(&home()));
    let found = options.discover(&pool(Some(1))?, &[root("h/projects/p/ID.jsonl")])?;
    let transcript = &found.transcripts[0];
    let folder = session_folder(&transcript.path, Some(SESSION)).ok_or("no folder")?;
    let look = |storage: &Storage, path: &str| in_session(storage, &folder, path);
    assert_eq!(look(&transcript.storage, "tool-results/out.txt"), Located::File(3));
    assert_eq!(look(&transcript.storage, "tool-results/gone.txt"), Located::Missing);
    assert_eq!(look(&transcript.storage, "tool-results"), Located::Elsewhere);
    assert!(!store.looks.lock().expect("a lock").is_empty());
    store.looks.lock().expect("a lock").clear();
    let listed = options.discover(&pool(Some(1))?, &[root("h")])?.transcripts.remove(0).storage;
    assert_eq!(look(&listed, "tool-results/out.txt"), Located::File(3));
    assert_eq!(look(&listed, "tool-results/gone.txt"), Located::Missing);
    assert_eq!(*store.looks.lock().expect("a lock"), Vec::<String>::new());
    Ok(())
}

#[test]
fn a_store_that_does_not_list_ends_the_scan_in_its_own_words() {
    let (_, options) = options(Shelf { cannot_list: true, ..shelf(&home()) });
    let error = scanned(&[root("h")], &options).expect_err("no listing");
    assert!(matches!(&error, Error::Storage(_)));
    assert_eq!(error.to_string(), "closed on Sundays");
}

#[test]
fn paths_are_shown_as_their_root_is_spelled() -> Outcome {
    let (_, options) = options(Shelf { prefix: "shelf://".to_owned(), ..shelf(&home()) });
    let scan = scanned(&[root("h/projects/q"), root("h/projects/p/ID.jsonl")], &options)?;
    let files = told(&scan, Table::Files);
    assert!(files.contains("\"shelf://h/projects/q/odd.jsonl\""), "{files}");
    assert!(files.contains(&format!("\"shelf://h/projects/p/{SESSION}.jsonl\"")), "{files}");
    Ok(())
}

#[test]
fn a_cancelled_scan_reads_nothing() {
    let (store, options) = options(shelf(&home()));
    let progress = Progress::default();
    progress.cancelled.store(true, Ordering::Relaxed);
    assert!(matches!(scan(&[root("h")], &options, &progress), Err(Error::Cancelled)));
    assert_eq!(store.reads.lock().expect("a lock").len(), 0);
}
