//! Every contract case of `fixtures/contract`, with every way of finding strings
//! and with the work cut into tiny pieces.

mod cases;
mod cells;

use std::collections::BTreeMap;
use std::path::Path;

use cases::Case;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::{Coverage, Options, Progress, scan};
use toml::{Table, Value};

/// So small that nearly every line of a case is a unit of its own.
const TINY: u64 = 61;

#[test]
fn every_case_holds() {
    let cases = cases::load();
    assert!(cases.len() >= 150, "only {} cases", cases.len());
    let failures: Vec<String> = cases.iter().flat_map(failures).collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

fn failures(case: &Case) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let roots = case.write(folder.path());
    let whole = case.options();
    let cut = Options { chunk_bytes: TINY, ..whole.clone() };
    let mut failures = Vec::new();
    let machines = Machine::all().into_iter();
    let forced = machines.map(|machine| (machine.name(), Options { machine, ..whole.clone() }));
    for (how, options) in forced.chain([("cut", cut)]) {
        let scan = scan(&roots, &options, &Progress::default());
        let scan = scan.unwrap_or_else(|error| panic!("{}, {how}: {error}", case.name));
        let mut expect = case.expect();
        if let Some(wanted) = expect.remove("coverage") {
            let found = coverage(&scan.coverage);
            let wrong = difference(table(&wanted), &found);
            failures.extend(wrong.map(|wrong| format!("{}, {how}: coverage, {wrong}", case.name)));
        }
        for (name, wanted) in expect {
            let built = scan.tables.iter().find(|(table, _, _)| table.name() == name);
            let (_, _, batches) = built.unwrap_or_else(|| panic!("{}: no table {name}", case.name));
            let found = cells::rows(batches);
            let wrong = wrong_rows(&wanted, &found, folder.path());
            failures.extend(wrong.map(|wrong| format!("{}, {how}: {name}, {wrong}", case.name)));
        }
    }
    failures
}

/// The first row and column in which a table is not what a case says.
fn wrong_rows(wanted: &Value, found: &[Table], folder: &Path) -> Option<String> {
    let wanted = wanted.as_array().expect("a table is an array of rows");
    let found: Vec<Table> = found.iter().map(|row| shown(row, folder)).collect();
    let pairs = wanted.iter().zip(&found).enumerate();
    let mut wrong =
        pairs.filter_map(|(row, (wanted, found))| Some((row, difference(table(wanted), found)?)));
    if let Some((row, wrong)) = wrong.next() {
        return Some(format!("row {row}, {wrong}"));
    }
    let counts = (wanted.len(), found.len());
    (counts.0 != counts.1)
        .then(|| format!("{} rows wanted, found {}: {found:#?}", counts.0, counts.1))
}

/// The first of the columns that a case names which is not as it says.
fn difference(wanted: &Table, found: &Table) -> Option<String> {
    let wrong = wanted.iter().find(|(column, value)| found.get(*column) != Some(*value));
    wrong.map(|(column, value)| {
        format!("column {column}: wanted {value:?}, found {:?}", found.get(column))
    })
}

fn table(value: &Value) -> &Table {
    value.as_table().expect("a row is a table")
}

/// A row with its paths relative to the case's folder.
fn shown(row: &Table, folder: &Path) -> Table {
    let mut row = row.clone();
    for name in ["path", "source", "sources", "meta_path"] {
        if let Some(value) = row.get_mut(name) {
            relate(value, folder);
        }
    }
    row
}

fn relate(value: &mut Value, folder: &Path) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| relate(item, folder)),
        Value::String(path) => {
            if let Ok(below) = Path::new(path).strip_prefix(folder) {
                *path = below.to_str().filter(|below| !below.is_empty()).unwrap_or(".").to_owned();
            }
        }
        _ => {}
    }
}

fn coverage(coverage: &Coverage) -> Table {
    let counts = [
        ("files_found", coverage.files_found),
        ("files_read", coverage.files_read),
        ("files_partial", coverage.files_partial),
        ("files_unreadable", coverage.files_unreadable),
        ("files_copied", coverage.files_copied),
        ("bytes", coverage.bytes),
        ("records", coverage.records),
        ("lines_lost", coverage.lines_lost),
        ("blank_lines", coverage.blank_lines),
    ];
    let names = [
        ("records_by_type", &coverage.records_by_type),
        ("unknown_types", &coverage.unknown_types),
        ("unknown_blocks", &coverage.unknown_blocks),
    ];
    let number = |(name, count): (&str, u64)| (name.to_owned(), Value::Integer(count as i64));
    let names = names.map(|(name, counts)| (name.to_owned(), by_name(counts)));
    let skills = [
        ("skill_listings", coverage.skill_listings),
        ("skill_listings_empty", coverage.skill_listings_empty),
        ("invoked_skills", coverage.invoked_skills),
        ("invoked_skills_empty", coverage.invoked_skills_empty),
    ];
    let beside = &coverage.beside;
    let beside = [
        ("meta", beside.meta),
        ("workflow", beside.workflow),
        ("memory", beside.memory),
        ("script", beside.script),
        ("tool_result", beside.tool_result),
    ];
    let beside = ("beside".to_owned(), Value::Table(beside.map(number).into_iter().collect()));
    let (counts, skills) = (counts.map(number), skills.map(number));
    counts.into_iter().chain(names).chain(skills).chain([beside]).collect()
}

fn by_name(counts: &BTreeMap<String, u64>) -> Value {
    let counts = counts.iter().map(|(name, count)| (name.clone(), Value::from(*count as i64)));
    Value::Table(counts.collect())
}
