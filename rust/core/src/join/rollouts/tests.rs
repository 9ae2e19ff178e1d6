//! Sessions, forks and usage of rollouts, each file in one unit or cut into lines.

use std::sync::atomic::AtomicBool;

use crate::discover::Transcript;
use crate::facts::Facts;
use crate::fold::{Folder, Stretch, Wanted};
use crate::join::{Corpus, Standing, copies, replays, rollouts};
use crate::storage::Storage;

/// Each file by its name and lines.
type Files<'f> = [(&'f str, Vec<String>)];

fn fold(file: u32, lines: &[String]) -> Facts {
    let mut folder = Folder::new(Wanted::default());
    folder.begin(file);
    let bytes = lines.join("\n") + "\n";
    let stretch = Stretch { bytes: bytes.as_bytes(), offset: 0, truncated: false };
    folder.stretch(stretch, &AtomicBool::new(false));
    folder.finish()
}

fn joined(files: &Files<'_>, lines_at_once: usize) -> Corpus {
    let transcripts: Vec<Transcript> =
        files.iter().map(|(name, _)| Transcript::at((*name).into(), 0, Storage::Disk)).collect();
    let units = files.iter().zip(0..).flat_map(|((_, lines), file)| {
        lines.chunks(lines_at_once).map(move |lines| fold(file, lines))
    });
    let mut corpus = Corpus::new(units.collect(), &transcripts);
    copies::ignore(&mut corpus);
    replays::find(&mut corpus);
    rollouts::judge(&mut corpus);
    corpus
}

/// What is looked at, of files that are cut in every way.
fn looked<T: PartialEq + std::fmt::Debug>(files: &Files<'_>, look: impl Fn(&Corpus) -> T) -> T {
    let whole = look(&joined(files, usize::MAX));
    for lines in [1, 2, 3] {
        assert_eq!(look(&joined(files, lines)), whole, "{lines} lines at once");
    }
    whole
}

fn record(kind: &str, payload: &str) -> String {
    format!(r#"{{"type":"{kind}","payload":{{{payload}}}}}"#)
}

fn meta(id: &str, more: &str) -> String {
    record("session_meta", &format!(r#""id":"{id}"{more}"#))
}

fn fork(id: &str, from: &str) -> String {
    meta(id, &format!(r#","forked_from_id":"{from}""#))
}

fn said(text: &str) -> String {
    record("response_item", &format!(r#""type":"message","content":"{text}""#))
}

/// Totals of input, cached, output, reasoning; those below 0 are null.
fn total(counts: [i64; 4]) -> String {
    let names = ["input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens"];
    let all = names.iter().zip(counts).map(|(name, count)| match count {
        ..0 => format!(r#""{name}":null"#),
        _ => format!(r#""{name}":{count}"#),
    });
    let all = all.collect::<Vec<_>>().join(",");
    record(
        "event_msg",
        &format!(r#""type":"token_count","info":{{"total_token_usage":{{{all}}}}}"#),
    )
}

/// File, line and counts of every growth.
type Row = (u32, u64, [Option<i64>; 4]);

fn growths(corpus: &Corpus) -> Vec<Row> {
    let rows = corpus.carriers().map(|(place, carrier)| {
        assert!(corpus.is_growth(place));
        let (file, line, _) = corpus.position(carrier.file, place.unit, carrier.sketch);
        let counts = corpus.counts(place);
        let known = [counts.input, counts.cache_read, counts.output, counts.thinking];
        (file, line, known)
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_unstable();
    rows
}

fn row(file: u32, line: u64, counts: [i64; 4]) -> Row {
    (file, line, counts.map(|count| (count != i64::MIN).then_some(count)))
}

const NULL: i64 = i64::MIN;

#[test]
fn totals_grow_start_again_and_leave_what_they_do_not_say() {
    let lines = vec![
        total([10, 4, 3, 1]),
        total([10, 4, 3, 1]),
        total([30, -1, 5, -1]),
        total([31, 6, 5, 1]),
        record("event_msg", r#""type":"token_count","info":null"#),
        total([9, 6, 7, 1]),
        total([9, 8, 7, 1]),
        total([-1, -1, -1, -1]),
    ];
    let wanted = [
        row(0, 1, [6, 4, 3, 1]),
        row(0, 3, [20, NULL, 2, NULL]),
        row(0, 4, [-1, 2, 0, 0]),
        row(0, 6, [3, 6, 7, 1]),
        row(0, 7, [-2, 2, 0, 0]),
    ];
    assert_eq!(looked(&[("rollout-a.jsonl", lines)], growths), wanted);
}

#[test]
fn a_growth_is_told_by_the_records_before_it() {
    let context = |model: &str, effort: &str, cwd: &str| {
        let fields = [("model", model), ("effort", effort), ("cwd", cwd)];
        let fields = fields.iter().filter(|(_, value)| !value.is_empty());
        let fields = fields.map(|(name, value)| format!(r#""{name}":"{value}""#));
        record("turn_context", &fields.collect::<Vec<_>>().join(","))
    };
    let lines = vec![
        total([1, 0, 0, 0]),
        meta("s1", r#","cli_version":"1","cwd":"/hill""#),
        total([2, 0, 0, 0]),
        context("red", "low", "/dale"),
        context("blue", "", ""),
        meta("s2", r#","cli_version":"2","originator":"kiln","git":{"branch":"moss"}"#),
        total([3, 0, 0, 0]),
        meta("s3", r#","cwd":"/fen""#),
        total([4, 0, 0, 0]),
    ];
    let told = looked(&[("rollout-a.jsonl", lines)], |corpus| {
        let text = |symbol| corpus.strings.text(symbol).unwrap_or("-").to_owned();
        let told = corpus.carriers().map(|(place, carrier)| {
            let said = corpus.envelope(place);
            let symbols = [said.session, said.model, carrier.effort, said.cwd, said.version];
            let [session, model, effort, cwd, version] = symbols.map(text);
            let [branch, entrypoint] = [said.git_branch, said.entrypoint].map(text);
            [session, model, effort, cwd, version, branch, entrypoint].join(" ")
        });
        told.collect::<Vec<_>>()
    });
    let wanted = [
        "s1 - - - - - -",
        "s1 - - /hill 1 - -",
        "s1 blue low /dale 1 moss kiln",
        "s1 blue low /fen 1 moss kiln",
    ];
    assert_eq!(told, wanted);
}

fn sessions(corpus: &Corpus) -> Vec<String> {
    let sketches = corpus.units.iter().flat_map(|unit| unit.sketches.range(0..unit.sketches.len()));
    let texts =
        sketches.map(|sketch| corpus.strings.text(sketch.session).unwrap_or("-").to_owned());
    texts.collect()
}

#[test]
fn records_are_of_their_files_session() {
    let foreign = r#"{"type":"user","sessionId":"s9"}"#.to_owned();
    let plain = r#"{"type":"user"}"#.to_owned();
    let lines =
        vec![said("one"), plain.clone(), meta("s1", ""), said("two"), meta("s2", ""), foreign];
    let of = |name: &str, lines: &[String]| looked(&[(name, lines.to_vec())], sessions);
    assert_eq!(of("rollout-a.jsonl", &lines), ["s1", "-", "s1", "s1", "s1", "s9"]);
    let id = "0f8e1a2b-3c4d-5e6f-7a8b-9c0d1e2f3a4b";
    let name = format!("rollout-1-{id}.jsonl");
    assert_eq!(of(&name, &[plain, said("one")]), ["-", id]);
    assert_eq!(of(&name, &[meta("", ""), meta("s1", "")]), ["s1", "s1"]);
    assert_eq!(of(&name, &[meta("", "")]), [id]);
    assert_eq!(of("rollout-a.jsonl", &[said("one"), meta("", "")]), ["-", ""]);
}

/// Which records are replays, file by file, and how many.
fn replayed(corpus: &Corpus) -> Vec<(String, u64)> {
    let files = corpus.files.iter().zip(0..).map(|(file, number)| {
        let records = corpus.parts(number).flat_map(|(unit, part)| {
            part.sketches.clone().map(move |sketch| corpus.standing(unit, sketch as u32))
        });
        let marks = records.map(|standing| if standing == Standing::Counts { '.' } else { 'r' });
        (marks.collect(), file.replays)
    });
    files.collect()
}

fn marks(all: &[(&str, u64)]) -> Vec<(String, u64)> {
    all.iter().map(|(marks, count)| ((*marks).to_owned(), *count)).collect()
}

#[test]
fn a_fork_repeats_the_beginning_of_its_parent() {
    let parent = [meta("s1", ""), said("one"), total([5, 0, 1, 0]), said("two"), said("three")];
    let child = [
        fork("s2", "s1"),
        meta("s1", ""),
        said("one"),
        total([5, 0, 1, 0]),
        meta("s1", ""),
        said("two"),
        meta("s1", ""),
        said("other"),
        total([8, 0, 1, 0]),
    ];
    let grandchild =
        [fork("s3", "s2"), said("one"), total([5, 0, 1, 0]), said("two"), said("three")];
    let stray = [fork("s4", "s0"), said("one"), total([5, 0, 1, 0])];
    let files = [
        ("rollout-a.jsonl", grandchild.to_vec()),
        ("rollout-b.jsonl", child.to_vec()),
        ("rollout-c.jsonl", parent.to_vec()),
        ("rollout-d.jsonl", stray.to_vec()),
    ];
    let wanted = [(".rrr.", 3), (".rrrrr...", 5), (".....", 0), ("...", 0)];
    assert_eq!(looked(&files, replayed), marks(&wanted));
    let wanted = [row(1, 9, [3, 0, 0, 0]), row(2, 3, [5, 0, 1, 0]), row(3, 3, [5, 0, 1, 0])];
    assert_eq!(looked(&files, growths), wanted);
}

#[test]
fn a_parent_is_the_first_other_file_of_its_session() {
    let of = |id: &str, from: &str, text: &str| vec![fork(id, from), said(text), said("end")];
    let files = [
        ("rollout-a.jsonl", of("s1", "s1", "one")),
        ("rollout-b.jsonl", of("s1", "s1", "one")),
        ("rollout-c.jsonl", of("s1", "s1", "two")),
        ("rollout-d.jsonl", of("s2", "", "one")),
    ];
    let wanted = [(".rr", 2), (".rr", 2), ("...", 0), ("...", 0)];
    assert_eq!(looked(&files, replayed), marks(&wanted));
}
