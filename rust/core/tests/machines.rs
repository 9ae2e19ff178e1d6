//! However the strings of a line are found, and whatever is remembered of the lines
//! before, the same records and findings come out: every machine that can run here is
//! held against the bytewise one that remembers nothing.

mod damage;
mod odd_file;

use std::fs;
use std::path::Path;

use damage::{apply, damage, damaged};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context};
use sessionscan_core::record::{Flag, Likeness, Record, Str};

/// A failure becomes a contract case, not a seed in a file.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// All that decoding says of lines, one after the other. Where it is forgetful, nothing
/// of a line helps with the next.
fn said(machine: Machine, lines: &[&[u8]], is_forgetful: bool) -> Vec<String> {
    let mut marks = Marks::of(machine);
    let mut said = Vec::new();
    let mut alike = Vec::new();
    for (line, number) in lines.iter().zip(0..) {
        let context = Context {
            is_first: number == 0,
            terminated: number + 1 < lines.len(),
            max_line_bytes: None,
        };
        let mut found = Vec::new();
        let outcome =
            decode::line(line, context, &mut marks, &mut found, &mut |record, place, span| {
                assert_alike(&mut alike, record);
                let record = format!("{record:?}");
                // Its last field tells of the lines before.
                let (record, _) = record.rsplit_once("likeness: ").expect("a likeness");
                said.push(format!("{number}: {place} {span:?} {record}"));
            });
        said.push(format!("{number}: {outcome:?} {found:?}"));
        if is_forgetful {
            marks = Marks::of(machine);
        }
    }
    said
}

/// Records of one likeness have the same in common.
fn assert_alike(known: &mut Vec<(Likeness, String)>, record: &Record<'_>) {
    let fields = [Str::Type, Str::Version, Str::Cwd, Str::GitBranch, Str::Entrypoint, Str::AgentId];
    let strings = fields.map(|field| record.string(field).map(|raw| raw.text().into_owned()));
    let is_api_error = record.flag(Flag::IsApiErrorMessage) == Some(true);
    let session = record.session_id().map(|raw| raw.text());
    let common = format!("{strings:?} {session:?} {is_api_error}");
    if let Some(likeness) = record.likeness {
        for (_, others) in known.iter().filter(|(other, _)| *other == likeness) {
            assert_eq!(*others, common);
        }
        known.push((likeness, common));
    }
}

fn assert_all_alike(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let expected = said(Machine::Bytewise, &lines, true);
    for machine in Machine::all() {
        for (found, expected) in said(machine, &lines, false).iter().zip(&expected) {
            assert_eq!(found, expected, "{}", machine.name());
        }
    }
}

/// Records as clients write them, one of each sort.
const RECORDS: [&str; 5] = [
    r#"{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/home/ada/fjord","sessionId":"5f0c1f8e-43a1-4c0b-9a53-0d5a4f1f7d10","session_id":null,"version":"2.1.9","gitBranch":"main","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a\nb"}]},"uuid":"0c5d7a52-6a52-4f0e-8b8e-2b1a7ad1a001","timestamp":"2026-08-12T03:11:41.382Z","isMeta":true}"#,
    r#"{"parentUuid":"0c5d7a52-6a52-4f0e-8b8e-2b1a7ad1a001","isSidechain":true,"agentId":"a1","message":{"model":"m-1","id":"msg_1","role":"assistant","content":[{"type":"text","text":"ja"}],"usage":{"input_tokens":3,"output_tokens":63,"iterations":[{"input_tokens":3,"type":"message","model":"m-1"},{"output_tokens":-1}]}},"requestId":"req_1","type":"assistant","uuid":"0c5d7a52-6a52-4f0e-8b8e-2b1a7ad1a002","timestamp":"2026-08-12T03:11:41.999Z","cwd":"/home/ada/fjord","isApiErrorMessage":true}"#,
    r#"{"message":{"id":"msg_2","role":"assistant","usage":{"input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":40},"output_tokens":63,"server_tool_use":{"web_search_requests":0},"iterations":[{"input_tokens":3,"type":"message"}]}},"requestId":"req_2","type":"assistant","timestamp":"2026-08-12T03:11:41.999Z"}"#,
    r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"go"},"cwd":"/home/ada/fjord","sessionId":"5f0c1f8e-43a1-4c0b-9a53-0d5a4f1f7d10","entrypoint":"cli","timestamp":"2026-08-12T03:11:42.000Z"}"#,
    r#"{"type":"system","subtype":"compact_boundary","level":"info","sessionId":"5f0c1f8e-43a1-4c0b-9a53-0d5a4f1f7d10","forkedFrom":{"sessionId":"s"}}"#,
];

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

    /// What is remembered of a record says nothing else of one that is nearly the same.
    #[test]
    fn what_is_remembered_changes_nothing(
        lines in vec((select(RECORDS.to_vec()), vec(damage(), 0..3)), 2..12),
    ) {
        let mut bytes = Vec::new();
        for (record, damages) in lines {
            let mut line = record.as_bytes().to_vec();
            for damage in &damages {
                apply(&mut line, damage);
            }
            bytes.extend(line);
            bytes.push(b'\n');
        }
        assert_all_alike(&bytes);
    }

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
