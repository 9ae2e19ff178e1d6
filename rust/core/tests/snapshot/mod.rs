//! What a scan says, in a form in which two scans can be held together.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use sessionscan_core::{Coverage, Options, Progress, Root, Scan, Table, scan};
use toml::Table as Row;

use crate::cells;

/// Rows of every table, words of every dictionary, and the coverage. How rows
/// are cut into batches is not part of it: that follows the units of work.
#[derive(Debug, PartialEq)]
pub(crate) struct Snapshot {
    /// By table.
    pub(crate) tables: Vec<(Table, Vec<Row>)>,
    dictionaries: Vec<(Table, Vec<Vec<String>>)>,
    coverage: Coverage,
}

impl Snapshot {
    /// Scans.
    pub(crate) fn of(roots: &[Root], options: &Options) -> Self {
        let scan = scan(roots, options, &Progress::default()).expect("a scan");
        Self::from(&scan)
    }

    /// Rows of one table.
    pub(crate) fn rows(&self, table: Table) -> &[Row] {
        let found = self.tables.iter().find(|(name, _)| *name == table);
        found.map(|(_, rows)| &rows[..]).expect("a table that was built")
    }

    /// Leaves a table out.
    #[allow(dead_code)] // As below.
    pub(crate) fn forget(&mut self, table: Table) {
        self.tables.retain(|(other, _)| *other != table);
        self.dictionaries.retain(|(other, _)| *other != table);
    }

    /// The dictionaries of every table.
    #[allow(dead_code)] // Not every test binary looks at them alone.
    pub(crate) fn words(&self) -> &[(Table, Vec<Vec<String>>)] {
        &self.dictionaries
    }

    /// Panics with the first row or count in which two scans differ.
    #[allow(dead_code)] // As above.
    pub(crate) fn assert_rows_equal(&self, other: &Self, what: &str) {
        self.assert_each_row_equal(other, what);
        assert!(self.tables == other.tables, "{what}: {:#?}\n{:#?}", self.tables, other.tables);
        assert_eq!(self.coverage, other.coverage, "{what}");
    }

    /// Panics with the first thing in which two scans differ.
    #[allow(dead_code)] // As above.
    pub(crate) fn assert_equals(&self, other: &Self, what: &str) {
        self.assert_each_row_equal(other, what);
        // What is left after the rows: their number, the dictionaries, the coverage.
        assert!(self == other, "{what}: {self:#?}\n{other:#?}");
    }

    fn assert_each_row_equal(&self, other: &Self, what: &str) {
        for ((table, rows), (_, others)) in self.tables.iter().zip(&other.tables) {
            for (row, (one, another)) in rows.iter().zip(others).enumerate() {
                assert_eq!(one, another, "{what}: {} row {row}", table.name());
            }
        }
    }
}

impl From<&Scan> for Snapshot {
    fn from(scan: &Scan) -> Self {
        let tables = scan.tables.iter();
        Self {
            tables: tables
                .clone()
                .map(|(table, _, batches)| (*table, cells::rows(batches)))
                .collect(),
            dictionaries: tables.map(|(table, _, batches)| (*table, words(batches))).collect(),
            coverage: scan.coverage.clone(),
        }
    }
}

/// The dictionaries of a table's first batch, which are those of all.
fn words(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let columns = batches.first().map_or(&[][..], RecordBatch::columns).iter();
    let dictionaries = columns.filter_map(|column| column.as_any_dictionary_opt());
    dictionaries
        .map(|words| {
            words.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect()
        })
        .collect()
}
