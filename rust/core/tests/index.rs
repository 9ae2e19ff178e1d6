//! A scan with an index gives the tables of a scan without one, whatever the
//! index knows, and reads what it has to.

#[allow(dead_code)] // What must come out of a case is held against scans elsewhere.
mod cases;
mod cells;
mod odd_file;
mod snapshot;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::{Options, Root, Table};
use snapshot::Snapshot;
use tempfile::TempDir;

/// Longer than a file is doubted for after it was changed.
const SETTLED: Duration = Duration::from_millis(2100);

/// A tick of the clocks of this machine's file systems, and more.
const TICK: Duration = Duration::from_millis(30);

/// Longer than that.
const TICKED: Duration = Duration::from_millis(80);

fn root(path: &Path) -> Root {
    Root { label: path.display().to_string(), path: path.to_owned() }
}

/// A folder to scan, an index beside it, and how to scan.
struct Indexed {
    _folder: TempDir,
    home: PathBuf,
    index: PathBuf,
    roots: Vec<Root>,
    options: Options,
}

impl Indexed {
    fn new(options: Options) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (home, index) = (folder.path().join("home"), folder.path().join("index"));
        fs::create_dir(&home).expect("a folder");
        let roots = vec![root(&home)];
        Self { _folder: folder, home, index, roots, options }
    }

    /// Scans without the index.
    fn expected(&self) -> Snapshot {
        Snapshot::of(&self.roots, &self.options)
    }

    /// Scans with the index, and holds that against a scan without it.
    fn scan_as(&self, expected: &Snapshot, what: &str) -> Snapshot {
        let with = Options { index: Some(self.index.clone()), ..self.options.clone() };
        let indexed = Snapshot::of(&self.roots, &with);
        expected.assert_equals(&indexed, what);
        indexed
    }

    /// Scans with and without the index, and holds them together.
    fn scan(&self, what: &str) -> Snapshot {
        self.scan_as(&self.expected(), what)
    }

    /// The inodes of what is kept, by the beginning of its name: what is
    /// written anew gets another one.
    fn kept(&self, are_tables: bool) -> BTreeMap<String, u64> {
        let entries = fs::read_dir(&self.index).expect("the index").flatten();
        let kept = entries.map(|entry| {
            let name = entry.file_name().into_string().expect("a name");
            (name, entry.metadata().expect("metadata").ino())
        });
        let ours = kept.filter(|(name, _)| name.ends_with(".ssindex"));
        ours.filter(|(name, _)| name.contains('-') == are_tables).collect()
    }

    fn segments(&self) -> BTreeMap<String, u64> {
        self.kept(false)
    }

    fn tables(&self) -> BTreeMap<String, u64> {
        self.kept(true)
    }
}

fn all(chunk_bytes: u64) -> Options {
    Options { tables: Table::ALL.to_vec(), text: true, chunk_bytes, ..Options::default() }
}

/// Tables that a finished scan may serve.
fn core(chunk_bytes: u64) -> Options {
    Options { text: true, chunk_bytes, ..Options::default() }
}

fn append(path: &Path, bytes: &[u8]) {
    let file = File::options().append(true).create(true).open(path);
    file.expect("a file").write_all(bytes).expect("more bytes");
}

#[test]
fn every_contract_case_is_the_same_from_an_index() {
    let mut scans = Vec::new();
    for case in cases::load() {
        for (tables, chunk) in [(Table::ALL.to_vec(), 61), (Options::default().tables, u64::MAX)] {
            let options = Options { tables, chunk_bytes: chunk, ..case.options() };
            let mut indexed = Indexed::new(options);
            indexed.roots = case.write(&indexed.home);
            let expected = indexed.expected();
            indexed.scan_as(&expected, &format!("{}, new", case.name));
            if chunk == 61 {
                indexed.scan_as(&expected, &format!("{}, doubted", case.name));
            } else {
                scans.push((case.name.clone(), indexed, expected));
            }
        }
    }
    sleep(SETTLED);
    let mut finished = 0;
    for (name, indexed, expected) in &scans {
        indexed.scan_as(expected, &format!("{name}, settled"));
        let tables = indexed.tables();
        indexed.scan_as(expected, &format!("{name}, finished"));
        assert_eq!(tables, indexed.tables(), "{name}");
        finished += usize::from(!tables.is_empty());
    }
    assert!(finished > scans.len() / 2, "{finished} of {}", scans.len());
}

#[test]
fn what_is_kept_of_the_same_bytes_is_not_read_again() {
    let indexed = Indexed::new(all(300));
    let odd = odd_file::lines().join(&b'\n');
    fs::write(indexed.home.join("a.jsonl"), &odd).expect("a file");
    fs::write(indexed.home.join("b.jsonl"), &odd[..200]).expect("a file");
    indexed.scan("new");
    let segments = indexed.segments();
    assert!(segments.len() > 3, "{segments:?}");
    indexed.scan("doubted");
    assert_eq!(segments, indexed.segments());
    // Other stamps of the same bytes: nothing is folded, but they are noted.
    fs::write(indexed.home.join("b.jsonl"), &odd[..200]).expect("a file");
    let rename = |from: &str, to: &str| {
        fs::rename(indexed.home.join(from), indexed.home.join(to)).expect("a new name");
    };
    indexed.scan("rewritten with the same bytes");
    let noted = indexed.segments();
    let others = segments.iter().filter(|(name, inode)| noted.get(*name) != Some(inode)).count();
    assert_eq!((others, noted.len()), (1, segments.len()));
    rename("b.jsonl", "c.jsonl");
    indexed.scan("renamed");
    rename("c.jsonl", "b.jsonl");
    fs::remove_file(indexed.home.join("a.jsonl")).expect("a file");
    indexed.scan("one file less");
}

#[test]
fn a_grown_file_is_read_from_its_last_chunk() {
    let indexed = Indexed::new(all(300));
    let path = indexed.home.join("a.jsonl");
    let bytes = odd_file::lines().join(&b'\n');
    for (from, to) in [(0, 400), (400, 599), (599, 600), (600, 601), (601, 1000), (1000, 1700)] {
        append(&path, &bytes[from..to]);
        let before = if from == 0 { BTreeMap::new() } else { indexed.segments() };
        indexed.scan(&format!("{to} bytes"));
        let after = indexed.segments();
        let kept = before.iter().filter(|(name, _)| after.contains_key(*name)).count();
        assert!(kept + 2 >= before.len(), "{to} bytes: {kept} of {}", before.len());
    }
    // Each of them is the same again, so that nothing but a fold has changed one.
    let segments = indexed.segments();
    indexed.scan("the same");
    assert_eq!(segments, indexed.segments());
}

#[test]
fn a_lean_scan_takes_what_other_files_say_from_no_segment() {
    let tables = vec![Table::Usage, Table::UsageIterations, Table::ToolCalls];
    let indexed = Indexed::new(Options { tables, ..core(1 << 20) });
    let project = indexed.home.join("projects/p");
    fs::create_dir_all(&project).expect("folders");
    let line = |uuid: &str, output: u32| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"s1","message":{{"id":"m{uuid}","model":"m","usage":{{"input_tokens":1,"output_tokens":{output}}}}}}}"#
        ) + "\n"
    };
    let one = project.join("00000000-0000-4000-8000-000000000001.jsonl");
    fs::write(&one, line("a", 1) + &line("a", 1) + &line("b", 2)).expect("a file");
    let alone = indexed.scan("alone");
    assert_eq!(alone.rows(Table::Usage).len(), 2);
    indexed.scan("alone, again");
    // A second file of the session: the first is read as one with it now.
    let folder = indexed.home.join("projects/q");
    fs::create_dir_all(&folder).expect("folders");
    let other = folder.join("00000000-0000-4000-8000-000000000001.jsonl");
    fs::write(&other, line("a", 1) + &line("b", 3) + &line("c", 4)).expect("a file");
    indexed.scan("two files");
    indexed.scan("two files, again");
    fs::remove_file(&other).expect("a file");
    indexed.scan("alone again");
}

#[test]
fn segments_serve_however_strings_are_found_and_whatever_is_scanned_together() {
    let mut indexed = Indexed::new(all(300));
    fs::write(indexed.home.join("a.jsonl"), odd_file::lines().join(&b'\n')).expect("a file");
    indexed.scan("new");
    let segments = indexed.segments();
    for machine in Machine::all() {
        let segment_bytes = 1000 + machine.name().len() as u64;
        indexed.options = Options { machine, segment_bytes, settle: TICK, ..all(300) };
        indexed.scan(machine.name());
        let names = |kept: &BTreeMap<String, u64>| kept.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&segments), names(&indexed.segments()), "{}", machine.name());
    }
}

#[test]
fn a_rewrite_of_the_same_size_and_time_is_read() {
    let indexed = Indexed::new(Options { settle: TICK, ..core(1 << 20) });
    let path = indexed.home.join("a.jsonl");
    let line = |version: &str| format!("{{\"type\":\"user\",\"version\":\"{version}\"}}\n");
    fs::write(&path, line("1")).expect("a file");
    sleep(TICKED);
    indexed.scan("new");
    let tables = indexed.tables();
    assert!(tables.len() > 5, "{tables:?}");
    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("a time");
    fs::write(&path, line("2")).expect("a file");
    let file = File::options().write(true).open(&path).expect("a file");
    file.set_modified(modified).expect("the time from before");
    let scan = indexed.scan("rewritten");
    assert_eq!(scan.rows(Table::Records)[0]["version"].as_str(), Some("2"));
}

#[test]
fn side_files_are_looked_at_in_finished_scans() {
    let tables = [Table::Agents, Table::Workflows, Table::Sessions].to_vec();
    let indexed = Indexed::new(Options { tables, settle: TICK, ..core(1 << 20) });
    let folder = indexed.home.join("projects/p/s1/subagents");
    fs::create_dir_all(&folder).expect("folders");
    let line = r#"{"type":"user","sessionId":"s1","agentId":"a","isSidechain":true}"#;
    fs::write(folder.join("agent-a.jsonl"), line).expect("a file");
    let meta = folder.join("agent-a.meta.json");
    for text in ["", "{\"model\":\"m1\"}", "{\"model\":\"m2\"}"] {
        fs::write(&meta, text).expect("a side file");
        indexed.scan("new");
        sleep(TICKED);
        indexed.scan("settled");
        indexed.scan("finished");
        assert!(indexed.tables().len() > 4);
    }
    fs::remove_file(&meta).expect("a side file");
    indexed.scan("without");
}

#[test]
fn damage_of_the_index_is_not_seen() {
    for options in [core(200), all(200)] {
        let indexed = Indexed::new(options);
        let bytes = odd_file::lines().join(&b'\n');
        fs::write(indexed.home.join("a.jsonl"), &bytes).expect("a file");
        sleep(SETTLED);
        indexed.scan("new");
        let mut number = 0;
        for round in 0..6 {
            for entry in fs::read_dir(&indexed.index).expect("the index").flatten() {
                number += 1;
                damage(&entry.path(), number, round);
            }
            indexed.scan(&format!("damaged, round {round}"));
            indexed.scan("rebuilt");
        }
        assert!(number > 30);
    }
}

/// Damages a file in one of six ways.
fn damage(path: &Path, number: usize, way: usize) {
    let mut bytes = fs::read(path).expect("a file of the index");
    let at = (number * 7919) % bytes.len().max(1);
    match way {
        0 => bytes[at] ^= 1,
        1 => bytes.truncate(at),
        2 => bytes.extend(b"more"),
        3 => bytes = b"something else".to_vec(),
        4 => bytes[8] = bytes[8].wrapping_add(1),
        _ => {
            fs::remove_file(path).expect("a file of the index");
            fs::create_dir(path).expect("a folder in its place");
            return;
        }
    }
    fs::write(path, bytes).expect("a damaged file");
}
