//! Whatever the bytes of a file are: nothing panics, nothing is lost in
//! silence (promise 1 of the contract), and every place that a row names lies
//! in the file.

mod cells;
mod damage;
mod odd_file;
mod snapshot;

use std::fs;
use std::io::Write;
use std::path::Path;

use damage::{apply, byte, damage, damaged};
use proptest::collection::vec;
use proptest::prelude::*;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context};
use sessionscan_core::{Options, Root, Table};
use snapshot::Snapshot;
use toml::Table as Row;

/// A failure becomes a contract case, not a seed in a file.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nothing_of_noise_is_lost_in_silence(
        bytes in vec(byte(), 0..300),
        chunk in 1..300_u64,
    ) {
        account_for(&bytes, chunk);
    }

    #[test]
    fn nothing_of_damaged_records_is_lost_in_silence(bytes in damaged(), chunk in 1..900_u64) {
        account_for(&bytes, chunk);
    }

    #[test]
    fn a_line_in_any_place_gives_spans_that_lie_in_it(
        bytes in damaged(),
        is_first: bool,
        terminated: bool,
        max_line_bytes in proptest::option::of(0..600_u64),
    ) {
        let context = Context { is_first, terminated, max_line_bytes };
        for line in bytes.split(|byte| *byte == b'\n') {
            let (mut found, mut marks) = (Vec::new(), Marks::default());
            let mut behind = 0;
            decode::line(line, context, &mut marks, &mut found, &mut |_, _, (offset, length)| {
                assert!(behind <= offset, "records stand in order");
                behind = offset + length;
                assert_eq!((line[offset], line[behind - 1]), (b'{', b'}'));
            });
            for finding in found {
                assert!(finding.offset + finding.length <= line.len(), "{finding:?}");
            }
        }
    }

    #[test]
    fn packed_files_may_be_damaged_anywhere(
        bytes in damaged(),
        damages in vec(damage(), 1..4),
        gzip: bool,
    ) {
        let mut packed = if gzip { gzipped(&bytes) } else { zstandard(&bytes) };
        for damage in &damages {
            apply(&mut packed, damage);
        }
        let snapshot = scan_one(&packed, if gzip { "a.jsonl.gz" } else { "a.jsonl.zst" }, 1 << 20);
        let [file] = snapshot.rows(Table::Files) else { panic!("one file") };
        let reported = snapshot
            .rows(Table::Diagnostics)
            .iter()
            .any(|row| row["code"].as_str() == Some("decompress_error"));
        prop_assert_eq!(reported, file["status"].as_str() == Some("partial"));
        // Gzip has a check sum: what it takes for whole is whole.
        if gzip && !reported && !packed.is_empty() {
            prop_assert_eq!(number(file, "bytes_read") % (bytes.len() as u64).max(1), 0);
        }
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("zstd")
}

fn scan_one(bytes: &[u8], name: &str, chunk_bytes: u64) -> Snapshot {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), bytes).expect("the file");
    scan_in(folder.path(), chunk_bytes)
}

fn scan_in(folder: &Path, chunk_bytes: u64) -> Snapshot {
    let root = Root { label: "root".to_owned(), path: folder.to_owned() };
    let tables = Table::ALL.to_vec();
    let options =
        Options { tables, threads: Some(1), chunk_bytes, text: true, ..Options::default() };
    Snapshot::of(&[root], &options)
}

/// Every byte is part of a record, blank, or named by a diagnostic; and how
/// the file is cut changes nothing.
fn account_for(bytes: &[u8], chunk: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.jsonl"), bytes).expect("the file");
    let whole = scan_in(folder.path(), 1 << 20);
    whole.assert_equals(&scan_in(folder.path(), chunk), "cut");
    let mut account = Account::of(bytes);
    whole.rows(Table::Records).iter().for_each(|row| account.record(row));
    whole.rows(Table::Diagnostics).iter().for_each(|row| account.finding(row));
    account.settle();
    let file = &whole.rows(Table::Files)[0];
    account.check_counts(file, whole.rows(Table::Records).len() as u64);
}

/// The bytes of a file, and which of them some row has named.
struct Account<'a> {
    bytes: &'a [u8],
    named: Vec<bool>,
    /// Of each line: where it starts, and the codes found on it.
    lines: Vec<(usize, Vec<String>)>,
}

impl<'a> Account<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let behind = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = [0].into_iter().chain(behind.map(|(at, _)| at + 1));
        let lines = starts.filter(|at| *at < bytes.len()).map(|at| (at, Vec::new())).collect();
        Self { bytes, named: vec![false; bytes.len()], lines }
    }

    fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|(start, _)| *start <= at) - 1
    }

    /// Marks the bytes that a row names; they lie in the line that it names.
    fn name(&mut self, row: &Row) -> &'a [u8] {
        let (offset, length) = (number(row, "byte_offset"), number(row, "byte_length"));
        let span = offset as usize..(offset + length) as usize;
        assert!(span.end <= self.bytes.len(), "outside the file: {row:?}");
        let text = &self.bytes[span.clone()];
        assert!(!text.contains(&b'\n'), "more than a line: {row:?}");
        assert_eq!(self.line_at(span.start) as u64 + 1, number(row, "line"), "{row:?}");
        self.named[span].fill(true);
        text
    }

    fn record(&mut self, row: &Row) {
        let text = self.name(row);
        assert!(text.starts_with(b"{") && text.ends_with(b"}"), "no object: {row:?}");
    }

    fn finding(&mut self, row: &Row) {
        let code = row["code"].as_str().unwrap_or_default().to_owned();
        if number(row, "line") > 0 {
            self.name(row);
            let line = number(row, "line") as usize - 1;
            self.lines[line].1.push(code);
        }
    }

    fn has(&self, line: usize, code: &str) -> bool {
        self.lines[line].1.iter().any(|found| found == code)
    }

    /// What no row named is white space, or NUL bytes on a line whose row of
    /// `nul_run` counts them and names the first run alone.
    fn settle(&self) {
        for (at, byte) in self.bytes.iter().enumerate().filter(|(at, _)| !self.named[*at]) {
            let line = self.line_at(at);
            let settled = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => true,
                0 => self.has(line, "nul_run"),
                _ => false,
            };
            assert!(settled, "byte {at}, {byte:#x}, of line {} is lost in silence", line + 1);
        }
    }

    fn check_counts(&self, file: &Row, records: u64) {
        const LOST: [&str; 4] = ["malformed", "too_deep", "not_an_object", "line_too_long"];
        let lines = 0..self.lines.len();
        let lost = lines.clone().filter(|line| LOST.iter().any(|code| self.has(*line, code)));
        let blank = lines.filter(|line| self.is_blank(*line));
        assert_eq!(number(file, "bytes_read"), self.bytes.len() as u64);
        assert_eq!(number(file, "records"), records);
        assert_eq!(number(file, "malformed_lines"), lost.count() as u64);
        assert_eq!(number(file, "blank_lines"), blank.count() as u64);
    }

    fn is_blank(&self, line: usize) -> bool {
        let start = self.lines[line].0;
        let text = self.bytes[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").filter(|_| start == 0).unwrap_or(text);
        text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
    }
}

fn number(row: &Row, column: &str) -> u64 {
    row[column].as_integer().unwrap_or_else(|| panic!("{column} of {row:?}")) as u64
}
