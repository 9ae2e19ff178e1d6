//! Scans a folder on one thread and says what was seen: the smallest program on
//! top of the core, and the one whose instructions are counted.
//!
//! `cargo run --release --example scan -- fixtures/corpus usage tool_calls`

use std::env::args;
use std::process::ExitCode;

use arrow_array::RecordBatch;
use sessionscan_core::{Options, Progress, Root, Table, scan};

fn main() -> ExitCode {
    let mut arguments = args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("what is to be scanned? scan FOLDER TABLE...");
        return ExitCode::FAILURE;
    };
    let Some(tables) = arguments.map(|name| Table::from_name(&name)).collect() else {
        eprintln!("not every name is that of a table");
        return ExitCode::FAILURE;
    };
    let root = Root { label: folder.clone(), path: folder.into() };
    let options = Options { tables, threads: Some(1), ..Options::default() };
    match scan(&[root], &options, &Progress::default()) {
        Ok(scan) => {
            println!("{} records, {} lines lost", scan.coverage.records, scan.coverage.lines_lost);
            for (table, _, batches) in scan.tables {
                let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
                println!("{}: {rows} rows", table.name());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
