//! However the strings of a line are found, the same records and findings come
//! out: every machine that can run here is held against the bytewise one.

mod damage;
mod odd_file;

use std::fs;
use std::path::Path;

use damage::damaged;
use proptest::prelude::*;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context};

/// A failure becomes a contract case, not a seed in a file.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// All that decoding says of lines, one after the other.
fn said(machine: Machine, lines: &[&[u8]]) -> Vec<String> {
    let mut marks = Marks::of(machine);
    let mut said = Vec::new();
    for (line, number) in lines.iter().zip(0..) {
        let context = Context {
            is_first: number == 0,
            terminated: number + 1 < lines.len(),
            max_line_bytes: None,
        };
        let mut found = Vec::new();
        let outcome =
            decode::line(line, context, &mut marks, &mut found, &mut |record, place, span| {
                said.push(format!("{number}: {place} {span:?} {record:?}"));
            });
        said.push(format!("{number}: {outcome:?} {found:?}"));
    }
    said
}

fn assert_all_alike(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let expected = said(Machine::Bytewise, &lines);
    for machine in Machine::all() {
        for (found, expected) in said(machine, &lines).iter().zip(&expected) {
            assert_eq!(found, expected, "{}", machine.name());
        }
    }
}

#[test]
fn every_machine_has_a_name_of_its_own() {
    let mut names: Vec<_> = Machine::all().into_iter().map(Machine::name).collect();
    assert_eq!(names[..3], ["bytewise", "portable", "sixteen"]);
    names.dedup();
    assert_eq!(names.len(), Machine::all().len());
}

#[test]
fn machines_agree_on_every_transcript_of_the_fixtures() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut folders = vec![fixtures.join("claude"), fixtures.join("corpus")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|name| name == "jsonl") {
                assert_all_alike(&fs::read(path).expect("a transcript"));
                files += 1;
            }
        }
    }
    assert!(files > 100, "only {files} transcripts");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn machines_agree_on_damaged_lines(bytes in damaged()) {
        assert_all_alike(&bytes);
    }

    /// Blocks end inside runs of backslashes, escapes and strings.
    #[test]
    fn machines_agree_on_strings_of_any_length(
        text in r#"([ a-zé€]{0,70}|\\{1,9}"?|\\[nu"]|\\u00e9|\\ud83d(\\ude00)?|"){0,12}"#,
        lead in 0..70_usize,
    ) {
        let line = format!("{}{{\"type\":\"{text}\",\"uuid\":\"{text}\"}}", " ".repeat(lead));
        assert_all_alike(line.as_bytes());
    }
}
