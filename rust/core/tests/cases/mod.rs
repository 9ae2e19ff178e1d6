//! Reads the contract cases and puts their files on disk; `fixtures/README.md`
//! has the format.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sessionscan_core::{Copies, Options, Root};
use toml::{Table, Value};

/// One case of a file.
pub(crate) struct Case {
    /// Name of the file and the case.
    pub(crate) name: String,
    table: Table,
}

/// Every case, in order.
pub(crate) fn load() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contract");
    let entries = fs::read_dir(&folder).expect("the folder of cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths.iter().flat_map(|path| cases(path)).collect()
}

fn cases(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("a file of cases");
    let parsed: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    array(&parsed["case"])
        .iter()
        .map(|case| {
            let table = case.as_table().expect("a case is a table").clone();
            Case { name: format!("{stem}: {}", text_of(&table["name"])), table }
        })
        .collect()
}

impl Case {
    /// What must come out, by table.
    pub(crate) fn expect(&self) -> Table {
        let mut expect = self.table["expect"].as_table().expect("expect is a table").clone();
        // No diagnostics are expected where a case names none.
        expect.entry("diagnostics").or_insert_with(|| Value::Array(Vec::new()));
        expect
    }

    /// How it is scanned.
    pub(crate) fn options(&self) -> Options {
        let tables = sessionscan_core::Table::ALL.to_vec();
        let mut options = Options { tables, threads: Some(1), ..Options::default() };
        let asked = self.table.get("options").and_then(Value::as_table).cloned();
        for (name, value) in asked.unwrap_or_default() {
            match (name.as_str(), &value) {
                ("max_line_bytes", Value::Integer(limit)) => {
                    options.max_line_bytes = Some(*limit as u64);
                }
                ("text", Value::Boolean(text)) => options.text = *text,
                ("copies", Value::String(copies)) if copies == "keep" => {
                    options.copies = Copies::Keep;
                }
                _ => panic!("{}: unknown option {name} = {value:?}", self.name),
            }
        }
        options
    }

    /// Writes its files below `folder`; gives the roots to scan.
    pub(crate) fn write(&self, folder: &Path) -> Vec<Root> {
        for entry in array(&self.table["files"]) {
            let entry = entry.as_table().expect("a file is a table");
            write_entry(entry, &folder.join(text_of(&entry["path"])));
        }
        let whole = [Value::from(".")];
        let roots = self.table.get("roots").map_or(&whole[..], |roots| array(roots));
        roots.iter().map(|root| root_at(folder, text_of(root))).collect()
    }
}

fn root_at(folder: &Path, root: &str) -> Root {
    let path = if root == "." { folder.to_owned() } else { folder.join(root) };
    Root { label: path.to_str().expect("a path in UTF-8").to_owned(), path }
}

fn write_entry(entry: &Table, path: &Path) {
    let parent = path.parent().expect("a path below the case's folder");
    fs::create_dir_all(parent).expect("a folder for the file");
    if let Some(target) = entry.get("symlink") {
        symlink(text_of(target), path).expect("a link");
    } else if entry.contains_key("folder") {
        fs::create_dir_all(path).expect("a folder");
    } else {
        fs::write(path, packed(entry, content(entry))).expect("a file");
    }
}

/// The bytes that an entry describes, before compression.
fn content(entry: &Table) -> Vec<u8> {
    if let Some(lines) = entry.get("lines") {
        let lines = array(lines).iter().map(|line| format!("{}\n", text_of(line)));
        return lines.collect::<String>().into_bytes();
    }
    match entry.get("text") {
        Some(text) => text_of(text).as_bytes().to_vec(),
        None => bytes_of(text_of(&entry["hex"])),
    }
}

fn packed(entry: &Table, bytes: Vec<u8>) -> Vec<u8> {
    let Some(method) = entry.get("compress") else { return bytes };
    let mut packed = match text_of(method) {
        "gzip" => gzip(&bytes),
        "zstd" => zstd::bulk::compress(&bytes, 1).expect("zstd"),
        other => panic!("no compression is called {other}"),
    };
    let drop = entry.get("drop").and_then(Value::as_integer).unwrap_or(0);
    packed.truncate(packed.len() - drop as usize);
    packed.extend(entry.get("append_hex").map(text_of).map(bytes_of).unwrap_or_default());
    packed
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}

/// White space between the digits means nothing.
fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn text_of(value: &Value) -> &str {
    value.as_str().expect("a string")
}
