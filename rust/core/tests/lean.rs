//! Usage and calls alone are read with far less in memory, and say the same.

mod cases;
mod cells;
#[allow(dead_code)] // Other tests look at a snapshot in other ways.
mod snapshot;

use std::fs;
use std::path::{Path, PathBuf};

use sessionscan_core::{Copies, Options, Root, Table};
use snapshot::Snapshot;

const LEAN: [Table; 3] = [Table::Usage, Table::UsageIterations, Table::ToolCalls];

/// Compares with a scan that is asked for one table more, which needs every record.
fn assert_lean(roots: &[Root], options: &Options, what: &str) {
    for count in 1..=LEAN.len() {
        let lean = Options { tables: LEAN[LEAN.len() - count..].to_vec(), ..options.clone() };
        let mut full = lean.clone();
        full.tables.push(Table::Events);
        let mut full = Snapshot::of(roots, &full);
        full.forget(Table::Events);
        for side_by_side in [lean.side_by_side, 0] {
            let lean = Options { side_by_side, ..lean.clone() };
            Snapshot::of(roots, &lean).assert_equals(&full, what);
        }
    }
}

fn root(path: &Path) -> Root {
    Root { label: path.display().to_string(), path: path.to_owned() }
}

#[test]
fn fixtures_say_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude");
    let folders = fs::read_dir(folder).expect("homes");
    let mut homes: Vec<PathBuf> =
        folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    homes.sort();
    let all: Vec<Root> = homes.iter().map(|home| root(home)).collect();
    for copies in [Copies::Collapse, Copies::Keep] {
        for chunk_bytes in [300, 8 << 20] {
            let options = Options { text: true, copies, chunk_bytes, ..Options::default() };
            for home in &homes {
                assert_lean(&[root(home)], &options, &home.display().to_string());
            }
            assert_lean(&all, &options, "all homes");
        }
    }
}

#[test]
fn contract_cases_say_the_same() {
    for case in cases::load() {
        assert!(!case.expect().is_empty(), "{}", case.name);
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_lean(&case.write(folder.path()), &case.options(), &case.name);
    }
}
