use std::fmt::Write;

use super::sum::sum;
use super::*;

/// A row as text: item, name, JSON type, version, count, file and line.
fn shown((rows, strings): &(Vec<Row>, Interner)) -> Vec<String> {
    let show = |row: &Row| {
        let mut text = format!("{} {}", row.item.name(), strings.text(row.name).unwrap_or("?"));
        let more = [row.json_type.map(JsonType::name), strings.text(row.version)];
        more.into_iter().flatten().for_each(|word| text.extend([" ", word]));
        let (file, line) = row.first;
        write!(text, " x{} @{file}:{line}", row.count).expect("a string takes all");
        text
    };
    rows.iter().map(show).collect()
}

fn census(files: &[(u32, &[&str])]) -> Census {
    let mut census = Census::default();
    for (file, records) in files {
        census.begin(*file);
        records.iter().zip(1..).for_each(|(json, line)| census.record(json, line));
    }
    census
}

/// The rows of one record, without count and place.
fn names(json: &str) -> Vec<String> {
    let census = census(&[(0, &[json])]);
    let rows = shown(&sum([&census].into_iter(), |_| true));
    rows.into_iter().map(|row| row.replace(" x1 @0:1", "")).collect()
}

fn items(json: &str, item: &str) -> Vec<String> {
    names(json).into_iter().filter(|row| row.starts_with(item)).collect()
}

#[test]
fn every_json_type_has_its_word() {
    let json = r#"{"a":"","b":-0,"c":99999999999999999999,"d":1.0,"e":1e2,"f":true,"g":null,"h":{},"i":[]}"#;
    let expected = [
        "record (none)",
        "field a string",
        "field b integer",
        "field c integer",
        "field d number",
        "field e number",
        "field f boolean",
        "field g null",
        "field h object",
        "field i array",
    ];
    assert_eq!(names(json), expected);
}

#[test]
fn the_objects_that_are_entered_give_paths() {
    let json = r#"{"message":{"usage":{"input_tokens":1,"more":{"deep":1}},"role":"user"},
        "attachment":{"a":1},"toolUseResult":{"b":1},"data":{"c":1},"snapshot":{"d":1},
        "origin":{"e":1},"forkedFrom":{"f":1},"compactMetadata":{"g":1},
        "microcompactMetadata":{"h":1},"backup":{"i":1},"other":{"j":1},
        "usage":{"k":1}}"#;
    let paths: Vec<String> = names(json)
        .iter()
        .filter_map(|row| row.strip_prefix("field ")?.split(' ').next().map(str::to_owned))
        .filter(|name| name.contains('.'))
        .collect();
    let expected = [
        "attachment.a",
        "backup.i",
        "compactMetadata.g",
        "data.c",
        "forkedFrom.f",
        "message.role",
        "message.usage",
        "message.usage.input_tokens",
        "message.usage.more",
        "microcompactMetadata.h",
        "origin.e",
        "snapshot.d",
        "toolUseResult.b",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn blocks_are_those_of_the_content_wherever_it_stands() {
    for (json, blocks) in [
        (r#"{"message":{"content":["x",{"type":"image"},{"type":5},{},7,null,[]]}}"#, 4),
        (r#"{"message":{"content":"x"},"type":"user","content":[{}]}"#, 1),
        (r#"{"message":{"content":null},"type":"user","content":[{},{}]}"#, 2),
        (r#"{"message":{"content":5},"role":"any","content":[{},{}]}"#, 2),
        (r#"{"message":{"content":[]},"type":"user","content":[{}]}"#, 0),
        (r#"{"message":"x","type":"user","content":[{},{}]}"#, 1),
        (r#"{"message":null,"type":"assistant","content":"x"}"#, 1),
        (r#"{"type":"system","content":"x"}"#, 0),
        (r#"{"type":"system","role":null,"content":"x"}"#, 0),
        (r#"{"type":"user","content":{"type":"text"}}"#, 0),
    ] {
        let census = census(&[(0, &[json])]);
        let (rows, _) = sum([&census].into_iter(), |_| true);
        let counted: u64 =
            rows.iter().filter(|row| row.item == Item::Block).map(|row| row.count).sum();
        assert_eq!(counted, blocks, "{json}");
    }
    let json = r#"{"message":{"content":["x",{"type":"te\u0078t","a":1},{"type":5}]}}"#;
    let census = census(&[(0, &[json])]);
    let rows = shown(&sum([&census].into_iter(), |_| true));
    let expected = [
        "block (none) x1 @0:1",
        "block text x2 @0:1",
        "field content[].a integer x1 @0:1",
        "field content[].type string x1 @0:1",
        "field content[].type integer x1 @0:1",
    ];
    let about_blocks = |row: &&String| row.starts_with("block") || row.contains("[]");
    assert_eq!(rows.iter().filter(about_blocks).collect::<Vec<_>>(), expected.each_ref());
}

#[test]
fn an_attachment_has_its_type_where_its_record_is_one() {
    for (json, expected) in [
        (r#"{"type":"attachment","attachment":{"type":"model"}}"#, &["attachment model"][..]),
        (r#"{"type":"attachment","attachment":{"type":1}}"#, &["attachment (none)"]),
        (r#"{"type":"attachment","attachment":"x"}"#, &["attachment (none)"]),
        (r#"{"type":"attachment"}"#, &["attachment (none)"]),
        (r#"{"type":"user","attachment":{"type":"model"}}"#, &[]),
    ] {
        assert_eq!(items(json, "attachment "), expected, "{json}");
    }
}

#[test]
fn of_repeated_keys_the_last_counts() {
    let json = r#"{"version":"1","a":1,"a":"x","message":{"b":1},"message":{"c":1,"\u0063":[]},"version":"2"}"#;
    let expected = [
        "record (none) 2",
        "field a string 2",
        "field message object 2",
        "field message.c array 2",
        "field version string 2",
    ];
    assert_eq!(names(json), expected);
    let many =
        (0..100).map(|key| format!(r#""k{}":{key}"#, key % 50)).collect::<Vec<_>>().join(",");
    let rows = items(&format!("{{{many},\"k7\":null}}"), "field ");
    assert_eq!(rows.len(), 50);
    assert!(rows.contains(&"field k7 null".to_owned()));
    assert!(rows.contains(&"field k8 integer".to_owned()));
}

#[test]
fn a_path_and_a_key_that_reads_like_it_are_one_name() {
    let json = r#"{"message.id":"x","message":{"id":"y"}}"#;
    let census = census(&[(0, &[json])]);
    let rows = shown(&sum([&census].into_iter(), |_| true));
    assert!(rows.contains(&"field message.id string x2 @0:1".to_owned()), "{rows:?}");
}

#[test]
fn rows_are_in_the_order_of_the_table() {
    let records: [&str; 4] = [
        r#"{"version":"1.10","type":"b","é":1,"z":1}"#,
        r#"{"version":"1.9","type":"b","z":"x"}"#,
        r#"{"type":"b","z":1}"#,
        r#"{"type":"a","Z":1,"version":5}"#,
    ];
    let rows = shown(&sum([&census(&[(3, &records)])].into_iter(), |_| true));
    let expected = [
        "record a x1 @3:4",
        "record b x1 @3:3",
        "record b 1.10 x1 @3:1",
        "record b 1.9 x1 @3:2",
        "field Z integer x1 @3:4",
        "field type string x2 @3:3",
        "field type string 1.10 x1 @3:1",
        "field type string 1.9 x1 @3:2",
        "field version string 1.10 x1 @3:1",
        "field version string 1.9 x1 @3:2",
        "field version integer x1 @3:4",
        "field z string 1.9 x1 @3:2",
        "field z integer x1 @3:3",
        "field z integer 1.10 x1 @3:1",
        "field é integer 1.10 x1 @3:1",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn no_cut_and_no_order_of_units_changes_the_sums() {
    let (one, two): (&[&str], &[&str]) =
        (&[r#"{"type":"a","x":1}"#, r#"{"type":"b"}"#], &[r#"{"type":"b","y":1}"#, r#"{"x":2}"#]);
    let whole = shown(&sum([&census(&[(0, one), (1, two)])].into_iter(), |_| true));
    let mut second = census(&[(0, &one[1..])]);
    second.shift_lines(1);
    let cut = [census(&[(0, &one[..1])]), second, census(&[(1, two)])];
    assert_eq!(shown(&sum(cut.iter(), |_| true)), whole);
    assert_eq!(shown(&sum(cut.iter().rev(), |_| true)), whole);
    assert!(whole.contains(&"record b x2 @0:2".to_owned()), "{whole:?}");
    assert!(whole.contains(&"field x integer x2 @0:1".to_owned()), "{whole:?}");
}

#[test]
fn files_that_are_copies_do_not_count() {
    let record: &[&str] = &[r#"{"type":"a"}"#];
    let census = census(&[(0, record), (1, record), (2, &[])]);
    let rows = shown(&sum([&census].into_iter(), |file| file != 0));
    assert_eq!(rows, ["record a x1 @1:1", "field type string x1 @1:1"]);
}

#[test]
fn words_are_those_of_the_vocabularies() {
    use crate::schema::vocabulary;
    let items = [Item::Record, Item::Block, Item::Attachment, Item::Field];
    assert_eq!(
        vocabulary("census_item").collect::<Vec<_>>(),
        items.map(Item::name),
        "rows are sorted by this order"
    );
    for item in items {
        assert!(vocabulary(item.known()).count() > 5, "{}", item.known());
    }
    let types = [
        JsonType::String,
        JsonType::Integer,
        JsonType::Number,
        JsonType::Boolean,
        JsonType::Null,
        JsonType::Object,
        JsonType::Array,
    ];
    assert_eq!(vocabulary("json_type").collect::<Vec<_>>(), types.map(JsonType::name));
}
