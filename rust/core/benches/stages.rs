//! What each stage of the flow costs, on lines as long and as full of strings
//! as those of transcripts. The corpus is made here, the same at every run.
//!
//! `memchr` alone is the floor: no reader of lines can be faster.
#![allow(missing_docs)] // `criterion_group!` makes a public function without any.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use memchr::memchr_iter;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::scanner::Scanner;
use sessionscan_core::decode::{self, Context};
use sessionscan_core::fold::{Folder, Stretch, Wanted};
use sessionscan_core::split::lines;
use sessionscan_core::{Options, Progress, Root, scan};

const BYTES: usize = 8 << 20;
/// Files of the whole scan; one of them alone is a unit of work.
const FILES: usize = 16;

const CONTEXT: Context = Context { is_first: false, terminated: true, max_line_bytes: None };

/// A small generator of numbers, so that runs can be compared.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        // Knuth's MMIX constants; the low bits of such a generator are poor.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// Words as they stand in a JSON string: mostly plain, with line feeds and
    /// quotes escaped, and now and then a character outside ASCII.
    fn words(&mut self, bytes: usize) -> String {
        const WORDS: [&str; 16] = [
            "harbour",
            "lantern",
            "the",
            "of",
            "ferry",
            "let",
            "self",
            "tide",
            "\\n",
            "    ",
            "\\\"north\\\"",
            "fn",
            "buoy",
            "größer",
            "->",
            "0x1f",
        ];
        let mut text = String::with_capacity(bytes + 16);
        while text.len() < bytes {
            text.push_str(WORDS[self.below(WORDS.len() as u64) as usize]);
            text.push(' ');
        }
        text
    }
}

/// Turns of a session: a call, its result, an answer in two copies.
fn corpus() -> Vec<u8> {
    let mut numbers = Numbers(7);
    let mut text = String::with_capacity(BYTES + (1 << 16));
    let mut turn = 0;
    while text.len() < BYTES {
        turn += 1;
        call(&mut text, turn, &mut numbers);
        result(&mut text, turn, &mut numbers);
        answer(&mut text, turn, 3, &mut numbers);
        answer(&mut text, turn, 400, &mut numbers);
    }
    text.into_bytes()
}

/// The members that every record begins with.
fn head(text: &mut String, turn: u64, place: u64, kind: &str) {
    let written = write!(
        text,
        r#"{{"parentUuid":"{turn:08x}-0000-4000-8000-{:012x}","isSidechain":false,"userType":"external","cwd":"/home/mira/lighthouse","sessionId":"58a263db-e016-4204-a236-{:012x}","version":"2.1.250","gitBranch":"main","type":"{kind}","uuid":"{turn:08x}-0000-4000-8000-{place:012x}","timestamp":"2026-05-{:02}T{:02}:{:02}:00.{place}Z","#,
        place + 1,
        turn / 500,
        turn / 1440 % 28 + 1,
        turn / 60 % 24,
        turn % 60,
    );
    written.expect("writing to a string");
}

fn usage(output: u64) -> String {
    format!(
        r#""usage":{{"input_tokens":4,"cache_creation_input_tokens":812,"cache_read_input_tokens":50112,"cache_creation":{{"ephemeral_5m_input_tokens":812,"ephemeral_1h_input_tokens":0}},"output_tokens":{output},"service_tier":"standard"}}"#
    )
}

fn call(text: &mut String, turn: u64, numbers: &mut Numbers) {
    head(text, turn, 1, "assistant");
    let command = numbers.words(120);
    let usage = usage(3);
    let written = writeln!(
        text,
        r#""requestId":"req_{turn}a","message":{{"id":"msg_{turn}a","type":"message","role":"assistant","model":"invented-opus-1","content":[{{"type":"tool_use","id":"toolu_{turn}","name":"Bash","input":{{"command":"{command}","description":"look"}}}}],"stop_reason":"tool_use",{usage}}}}}"#
    );
    written.expect("writing to a string");
}

/// Most bytes of a transcript are results, which stand in a record twice.
fn result(text: &mut String, turn: u64, numbers: &mut Numbers) {
    head(text, turn, 2, "user");
    let length = 400 + numbers.below(7000) as usize;
    let output = numbers.words(length);
    let written = writeln!(
        text,
        r#""message":{{"role":"user","content":[{{"tool_use_id":"toolu_{turn}","type":"tool_result","content":"{output}","is_error":false}}]}},"toolUseResult":{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false}}}}"#
    );
    written.expect("writing to a string");
}

fn answer(text: &mut String, turn: u64, output: u64, numbers: &mut Numbers) {
    head(text, turn, output, "assistant");
    let words = numbers.words(300);
    let thoughts = numbers.words(600);
    let usage = usage(output);
    let written = writeln!(
        text,
        r#""requestId":"req_{turn}b","message":{{"id":"msg_{turn}b","type":"message","role":"assistant","model":"invented-opus-1","content":[{{"type":"thinking","thinking":"{thoughts}","signature":"{turn:0256x}"}},{{"type":"text","text":"{words}"}}],"stop_reason":null,{usage}}}}}"#
    );
    written.expect("writing to a string");
}

fn lines_alone(criterion: &mut Criterion, corpus: &[u8]) {
    let mut group = criterion.benchmark_group("line");
    group.throughput(Throughput::Bytes(corpus.len() as u64));
    group.bench_function("memchr", |bencher| {
        bencher.iter(|| memchr_iter(b'\n', black_box(corpus)).fold(0, |sum, at| sum ^ at));
    });
    group.bench_function("utf8", |bencher| {
        bencher.iter(|| {
            let valid = |bytes| simdutf8::basic::from_utf8(bytes).is_ok();
            lines(black_box(corpus)).all(|line| valid(line.bytes))
        });
    });
    for machine in Machine::all().into_iter().filter(|machine| *machine != Machine::Bytewise) {
        group.bench_function(format!("marks, {}", machine.name()), |bencher| {
            let mut marks = Marks::of(machine);
            bencher.iter(|| {
                lines(black_box(corpus)).all(|line| {
                    line.bytes.is_empty() || !marks.find(line.bytes, 0).marks.is_empty()
                })
            });
        });
    }
    group.bench_function("skip", |bencher| {
        let text = str::from_utf8(corpus).expect("the corpus is UTF-8");
        bencher.iter(|| {
            lines(black_box(text.as_bytes())).all(|line| {
                let end = line.offset + line.bytes.len();
                Scanner::new(text, line.offset, end).skip().is_ok()
            })
        });
    });
    group.bench_function("decode", |bencher| {
        let (mut found, mut marks) = (Vec::new(), Marks::default());
        bencher.iter(|| {
            for line in lines(black_box(corpus)) {
                decode::line(line.bytes, CONTEXT, &mut marks, &mut found, &mut |record, _, _| {
                    black_box(record);
                });
            }
        });
        assert!(found.is_empty(), "every line of the corpus is sound: {found:?}");
    });
    group.finish();
}

fn folds(criterion: &mut Criterion, corpus: &[u8]) {
    let facts = Wanted::default();
    let rows = Wanted { records: true, blocks: true, ..facts };
    let texts = Wanted { text: true, ..rows };
    let mut group = criterion.benchmark_group("fold");
    group.throughput(Throughput::Bytes(corpus.len() as u64));
    for (name, wanted) in [("facts", facts), ("facts_and_rows", rows), ("with_text", texts)] {
        group.bench_function(name, |bencher| {
            let stretch = Stretch { bytes: corpus, offset: 0, truncated: false };
            bencher.iter(|| {
                let mut folder = Folder::new(wanted);
                folder.begin(0);
                folder.stretch(black_box(stretch), &AtomicBool::new(false));
                folder.finish()
            });
        });
    }
    group.finish();
}

fn scans(criterion: &mut Criterion, corpus: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text: Vec<&[u8]> = corpus.split_inclusive(|byte| *byte == b'\n').collect();
    for (number, lines) in text.chunks(text.len().div_ceil(FILES)).enumerate() {
        let path = folder.path().join(format!("{number:02}.jsonl"));
        fs::write(path, lines.concat()).expect("a file of the corpus");
    }
    let roots = [Root { label: "bench".to_owned(), path: folder.path().to_owned() }];
    let mut group = criterion.benchmark_group("scan");
    group.throughput(Throughput::Bytes(corpus.len() as u64));
    for threads in [1, 2] {
        let chunk_bytes = (BYTES / FILES) as u64;
        let options = Options { threads: Some(threads), chunk_bytes, ..Options::default() };
        group.bench_function(format!("threads_{threads}"), |bencher| {
            bencher.iter(|| scan(&roots, &options, &Progress::default()).expect("a scan"));
        });
    }
    group.finish();
}

fn stages(criterion: &mut Criterion) {
    let corpus = corpus();
    lines_alone(criterion, &corpus);
    folds(criterion, &corpus);
    scans(criterion, &corpus);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = stages
}
criterion_main!(benches);
