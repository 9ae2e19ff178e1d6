//! Facts that travel come to the same tables, and what is no facts comes to none.

use std::path::Path;

use arrow_array::{RecordBatch, UInt8Array, UInt32Array};
use arrow_schema::{DataType, Schema};
use xxhash_rust::xxh3::xxh3_64;

use super::sealed::{Seal, seal};
use super::*;
use crate::coverage::{Coverage, coverage};
use crate::discover::{Discovered, discover};
use crate::parallel::{Folded, fold};
use crate::scan::{Options, join, pool};
use crate::schema::Table;
use crate::tables::Built;
use crate::{Progress, Root};

fn roots() -> Vec<Root> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let root = |name: &str| Root { label: name.to_owned(), path: fixtures.join(name) };
    vec![root("claude"), root("corpus")]
}

fn options(chunk_bytes: u64) -> Options {
    Options { tables: Table::ALL.to_vec(), text: true, chunk_bytes, ..Options::default() }
}

fn folded(found: &Discovered, options: &Options) -> Vec<Folded> {
    let pool = pool(Some(2)).expect("threads");
    let units = options.units(&found.transcripts);
    let (wanted, progress) = (options.wanted(), Progress::default());
    let alone = vec![options.is_lean(); found.transcripts.len()];
    let folded = fold(&pool, &units, &found.transcripts, options.mmap, wanted, &alone, &progress);
    folded.expect("facts")
}

fn joined(found: &Discovered, options: &Options, units: Vec<Folded>) -> (Vec<Built>, Coverage) {
    let progress = Progress::default();
    let mut corpus = join(units, &found.transcripts, options, &progress).expect("a corpus");
    let seen = coverage(&corpus, &found.beside);
    let tables =
        crate::tables::tables(&mut corpus, &found.transcripts, &found.beside, options, &progress);
    (tables.expect("tables"), seen)
}

fn written(facts: &Facts) -> Vec<RecordBatch> {
    tables(facts).expect("tables")
}

/// What no fixture has: a uuid that is none, a hook's text, a cache that was missed.
const ODD: [&str; 2] = [
    r#"{"type":"attachment","uuid":"u1","sessionId":"s1","attachment":{
"type":"hook_additional_context","content":"remember the tide tables of the harbour"}}"#,
    r#"{"type":"assistant","uuid":"u2","sessionId":"s1","message":{"id":"m1","usage":{},
"diagnostics":{"cache_miss_reason":{"type":"tools_changed","cache_missed_input_tokens":7}}}}"#,
];

/// A rollout that tells of tokens.
const ROLLOUT: [&str; 2] = [
    r#"{"type":"turn_context","payload":{"model":"m1","effort":"low"}}"#,
    r#"{"type":"event_msg","payload":{"type":"token_count",
"info":{"total_token_usage":{"input_tokens":9}}}}"#,
];

/// Facts of all fixtures in one unit, with every batch.
fn some_facts() -> Facts {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, lines) in [("odd.jsonl", ODD), ("rollout-odd.jsonl", ROLLOUT)] {
        let text = lines.map(|line| line.replace('\n', " ")).join("\n");
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let odd = Root { label: "odd".to_owned(), path: folder.path().into() };
    let roots: Vec<Root> = roots().into_iter().chain([odd]).collect();
    let options = options(u64::MAX);
    let mut units = folded(&discover(&roots, None), &options);
    assert_eq!(units.len(), 1);
    units.remove(0).facts
}

const CHUNKS: [u64; 3] = [257, 4096, u64::MAX];

#[test]
fn tables_are_the_same_after_facts_have_travelled() {
    let found = discover(&roots(), None);
    let lean = [Table::Usage, Table::UsageIterations, Table::ToolCalls].to_vec();
    let asked = [Table::ALL.to_vec(), lean].into_iter();
    for (tables, chunk) in asked.flat_map(|tables| CHUNKS.map(|chunk| (tables.clone(), chunk))) {
        let options = Options { tables, ..options(chunk) };
        let (here, seen) = joined(&found, &options, folded(&found, &options));
        let travelled = folded(&found, &options).into_iter().map(|unit| {
            let bytes = to_bytes(&unit.facts).expect("bytes");
            let facts = from_bytes(bytes, None).expect("facts");
            assert_eq!(written(&facts), written(&unit.facts));
            Folded { facts, ..unit }
        });
        let (there, also_seen) = joined(&found, &options, travelled.collect());
        assert_eq!(seen, also_seen);
        for ((table, schema, one), (_, other_schema, other)) in here.iter().zip(&there) {
            assert_eq!(schema, other_schema);
            assert!(one == other, "{} in chunks of {chunk}", table.name());
        }
    }
}

/// Facts of the same, of which a lean scan needs little.
fn lean_facts() -> Facts {
    let mut facts = some_facts();
    (facts.records, facts.blocks, facts.census) = (None, Vec::new(), None);
    facts.thin();
    facts
}

#[test]
fn facts_that_were_reduced_keep_what_their_records_were_together() {
    let facts = lean_facts();
    let back = from_bytes(to_bytes(&facts).expect("bytes"), None).expect("facts");
    let sums = |facts: &Facts| facts.parts.iter().map(|part| part.sums.clone()).collect::<Vec<_>>();
    assert_eq!(sums(&back), sums(&facts));
    assert!(sums(&back).iter().flatten().any(|sums| !sums.types.is_empty()));
    let mut batches = written(&facts);
    assert!(super::facts(&with_column(&batches, "types", "part", 250_000), None).is_err());
    batches.retain(|batch| named::name(batch) != "parts");
    batches
        .extend(written(&some_facts()).into_iter().filter(|batch| named::name(batch) == "parts"));
    assert!(super::facts(&batches, None).is_err());
}

#[test]
fn every_batch_has_rows_in_the_fixtures() {
    let mut written = written(&some_facts());
    written.extend(super::tables(&lean_facts()).expect("tables"));
    let empty = schemas().iter().map(|(name, _)| name.as_str()).filter(|known| {
        !written.iter().any(|batch| named::name(batch) == *known && batch.num_rows() > 0)
    });
    assert_eq!(empty.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn files_get_the_numbers_that_they_have_where_facts_are_read() {
    let facts = some_facts();
    let mut old: Vec<u32> = facts.parts.iter().map(|part| part.file).collect();
    old.dedup();
    let new: Vec<u32> = old.iter().map(|file| file * 3 + 7).collect();
    let bytes = to_bytes(&facts).expect("bytes");
    let moved = from_bytes(bytes.clone(), Some(&new)).expect("facts");
    let files: Vec<u32> = moved.parts.iter().map(|part| part.file).collect();
    assert_eq!(files, new);
    assert_eq!(moved.findings[0].file, facts.findings[0].file * 3 + 7);
    let back = from_bytes(to_bytes(&moved).expect("bytes"), Some(&old)).expect("facts");
    assert_eq!(written(&back), written(&facts));
    assert!(from_bytes(bytes, Some(&new[1..])).is_err());
}

#[test]
fn no_byte_can_be_changed_or_lost() {
    let bytes = to_bytes(&some_facts()).expect("bytes");
    let step = bytes.len() / 199;
    for at in (0..64).chain((64..bytes.len()).step_by(step)) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(from_bytes(changed, None).is_err(), "byte {at}");
        assert!(from_bytes(bytes[..at].to_vec(), None).is_err(), "{at} bytes");
    }
    let longer = [&bytes[..], b"\0"].concat();
    assert!(from_bytes(longer, None).is_err());
}

/// Whoever seals what is no facts gets an error, or facts that can be joined.
#[test]
fn a_seal_makes_no_facts_of_anything() {
    const STRANGE: Seal = Seal { magic: *b"ssfacts\n", version: FACTS_VERSION };
    let found = discover(&roots(), None);
    let options = options(u64::MAX);
    let facts = folded(&found, &options).remove(0).facts;
    let streams = bytes::streams(&written(&facts)).expect("streams");
    let mut random = 1_u64;
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..300 {
        let mut changed = streams.clone();
        random = xxh3_64(&random.to_le_bytes());
        let stream = &mut changed[random as usize % streams.len()];
        let at = (random >> 16) as usize % stream.len();
        stream[at] ^= 1 << (random >> 61);
        match from_bytes(seal(STRANGE, &changed), None) {
            Err(_) => refused += 1,
            Ok(facts) => {
                taken += 1;
                let unit = Folded { facts, troubles: Vec::new(), texts: Vec::new() };
                joined(&found, &options, vec![unit]);
            }
        }
    }
    assert!(refused > 50 && taken > 10, "{refused} refused, {taken} taken");
}

/// Replaces a column of a batch, as a stranger might.
fn with_column(batches: &[RecordBatch], name: &str, column: &str, value: u32) -> Vec<RecordBatch> {
    let forged = batches.iter().map(|batch| {
        if named::name(batch) != name {
            return batch.clone();
        }
        let schema = batch.schema();
        let place = schema.index_of(column).expect("a column");
        let mut columns = batch.columns().to_vec();
        let rows = batch.num_rows();
        columns[place] = match schema.field(place).data_type() {
            DataType::UInt8 => std::sync::Arc::new(UInt8Array::from(vec![value as u8; rows])),
            DataType::UInt32 => std::sync::Arc::new(UInt32Array::from(vec![value; rows])),
            _ => std::sync::Arc::new(arrow_array::UInt64Array::from(vec![u64::from(value); rows])),
        };
        RecordBatch::try_new(schema, columns).expect("a forged batch")
    });
    forged.collect()
}

#[test]
fn a_number_that_points_at_nothing_is_refused() {
    let batches = written(&some_facts());
    assert!(super::facts(&batches, None).is_ok());
    for (batch, column) in [
        ("envelopes", "session"),
        ("sketches", "envelope"),
        ("leaves", "sketch"),
        ("attributions", "mcp_tool"),
        ("usages", "attribution"),
        ("usages", "counts"),
        ("usages", "miss"),
        ("usages", "envelope"),
        ("inline_uuids", "usage"),
        ("calls", "attribution"),
        ("results", "rare.persisted_in_text"),
        ("calls", "launch.skill"),
        ("calls", "sketch"),
        ("calls", "input_json"),
        ("results", "file"),
        ("results", "kind"),
        ("usages", "iterations.end"),
        ("usages", "iterations.start"),
        ("parts", "sketches.end"),
        ("parts", "results.start"),
        ("block_types", "part"),
        ("turns", "words.end"),
        ("turns", "last"),
        ("contexts", "text"),
        ("forks", "sketch"),
        ("findings", "code"),
        ("blocks", "sketch"),
        ("census_files", "first"),
        ("census_files", "file"),
        ("census_names", "name"),
        ("census_names", "holder"),
    ] {
        let forged = with_column(&batches, batch, column, 250_000);
        assert!(super::facts(&forged, None).is_err(), "{batch}.{column}");
    }
}

#[test]
fn batches_of_other_schemas_names_and_versions_are_refused() {
    let batches = written(&some_facts());
    let renamed = |key: &str, value: &str| {
        let mut metadata = batches[3].schema_ref().metadata().clone();
        metadata.insert(key.to_owned(), value.to_owned());
        let fields = batches[3].schema_ref().fields().clone();
        let schema = std::sync::Arc::new(Schema::new_with_metadata(fields, metadata));
        let mut batches = batches.clone();
        batches[3] = RecordBatch::try_new(schema, batches[3].columns().to_vec()).expect("a batch");
        super::facts(&batches, None)
    };
    assert!(renamed("batch", named::name(&batches[3])).is_ok());
    assert!(renamed("batch", "other").is_err());
    assert!(renamed("batch", "calls").is_err());
    assert!(renamed("facts_version", "0").is_err());
    assert!(renamed("schema_version", "0").is_err());
    let twice = [&batches[..], &batches[..1]].concat();
    assert!(super::facts(&twice, None).is_err());
    let without_strings = &batches[1..];
    assert!(super::facts(without_strings, None).is_err());
}

/// Changes with every column, type and vocabulary: then [`FACTS_VERSION`] is
/// raised, and this number is the new one of the message.
#[test]
fn a_layout_of_facts_has_a_version_of_its_own() {
    let layout: String = schemas()
        .iter()
        .flat_map(|(name, schema)| {
            let fields = schema.fields().iter();
            fields.map(move |field| format!("{name} {} {}\n", field.name(), field.data_type()))
        })
        .collect();
    let words = format!("{:?}", crate::diagnose::Code::ALL);
    let layout = xxh3_64(format!("{FACTS_VERSION}\n{layout}{words}").as_bytes());
    assert_eq!(layout, 5_183_675_353_647_258_176, "the layout of version {FACTS_VERSION}");
}

/// Prints what `docs/facts.md` must list; the test below compares.
fn described(field: &arrow_schema::Field) -> String {
    let name = match field.data_type() {
        DataType::LargeUtf8 => "large_string".to_owned(),
        DataType::Utf8 => "string".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::FixedSizeBinary(bytes) => format!("fixed_size_binary[{bytes}]"),
        other => other.to_string().to_lowercase(),
    };
    if field.is_nullable() { format!("{name}, null") } else { name }
}

#[test]
fn the_page_about_facts_lists_every_column() {
    let page = include_str!("../../../../docs/facts.md");
    let mut listed = Vec::new();
    let mut batch = "";
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            batch = title.trim_matches('`');
        }
        if let Some((column, rest)) =
            line.strip_prefix("| `").and_then(|row| row.split_once("` | "))
        {
            let (data_type, meaning) = rest.split_once(" | ").expect("a meaning");
            assert!(meaning.len() > 4, "{batch}.{column} means something");
            listed.push(format!("{batch}.{column}: {data_type}"));
        }
    }
    let own = schemas().iter().filter(|(name, _)| name != "records" && name != "blocks");
    let there: Vec<String> = own
        .flat_map(|(name, schema)| {
            let fields = schema.fields().iter();
            fields.map(move |field| format!("{name}.{}: {}", field.name(), described(field)))
        })
        .collect();
    assert_eq!(listed, there);
}
