//! The scanner takes RFC 8259, no more and no less: it is held against
//! `serde_json`, and the place where it stops against brute force.
//!
//! Differences that are tolerated, each with its reason:
//!
//! - Unpaired surrogate escapes. `serde_json` refuses to decode them and lets them
//!   pass where it skips; we take and count them (`lone_surrogate`). So what is
//!   taken is compared with its skipping, and with its decoding only where the
//!   scanner counted none.
//! - Nesting. Ours ends at 512; `serde_json`'s limit is switched off, and nothing
//!   here nests as deep. The limit has tests beside the scanner.
//! - Numbers out of range. None: `serde_json` keeps them as written, as we do.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};
use sessionscan_core::decode::scanner::{Reason, Scanner, Step, Stop};

/// A failure becomes a test beside the scanner, not a seed in a file.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() }
}

/// Reads a text that must be one value; gives the lone surrogates in it.
fn read<'a>(text: &'a str, value: impl Fn(&mut Scanner<'a>) -> Step<()>) -> Step<u32> {
    let mut scanner = Scanner::new(text, 0, text.len());
    scanner.skip_space();
    value(&mut scanner)?;
    scanner.skip_space();
    match scanner.peek() {
        Some(_) => Err(scanner.stop(Reason::Trailing)),
        None => Ok(scanner.lone_surrogates),
    }
}

/// Moves past a value by its members and items, as reading a record does.
fn walk(scanner: &mut Scanner<'_>) -> Step<()> {
    match scanner.peek() {
        Some(b'{') => scanner.object(|scanner, _| walk(scanner)),
        Some(b'[') => scanner.array(walk),
        _ => scanner.value().map(drop),
    }
}

fn serde_skips(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

fn serde_decodes(text: &str) -> bool {
    let mut decoder = Deserializer::from_str(text);
    decoder.disable_recursion_limit();
    let mut values = decoder.into_iter::<Value>();
    matches!(values.next(), Some(Ok(_))) && values.next().is_none()
}

fn number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,4})?"
}

fn string() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "b c",
        "é",
        "€",
        "😀",
        "\u{7f}",
        "\u{2028}",
        "/",
        "{",
        "]",
        ",",
        ":",
        "\\\"",
        "\\\\",
        "\\/",
        "\\b",
        "\\n",
        "\\u0000",
        "\\u00e9",
        "\\uD83D\\uDe00",
        "\\ud800",
        "\\udc00",
        "plain words, longer than eight bytes",
    ];
    vec(select(pieces.to_vec()), 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 1 => select(vec![" ", "\t", "\r\n", "  "])]
}

/// A value, spelt with white space wherever it may stand.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number(),
        string(),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        let item = (space(), inner.clone(), space());
        let item =
            item.prop_map(|(before, value, behind)| format!("{before}{value}{behind}")).boxed();
        let member = (space(), string(), space(), item.clone());
        let member =
            member.prop_map(|(before, key, gap, value)| format!("{before}{key}{gap}:{value}"));
        prop_oneof![
            vec(item, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// A value in which some characters are replaced, inserted or gone.
fn nearly_json() -> impl Strategy<Value = String> {
    let edit = (any::<Index>(), proptest::option::of(character()), 0..3_usize);
    (json(), vec(edit, 1..3)).prop_map(|(text, edits)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (index, with, gone) in edits {
            let at = index.index(characters.len() + 1);
            characters.splice(at..(at + gone).min(characters.len()), with);
        }
        characters.into_iter().collect()
    })
}

fn character() -> impl Strategy<Value = char> {
    let characters = "{}[]\"\"\\:,.-+eE019 \t\n\0\u{b}\u{1f}truefalsnNIuéA/*'\u{feff}\u{a0}";
    select(characters.chars().collect::<Vec<char>>())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn takes_what_is_json(text in json()) {
        prop_assert!(read(&text, Scanner::skip).is_ok());
        hold_against_serde(&text)?;
    }

    #[test]
    fn takes_what_serde_json_takes(text in nearly_json()) {
        hold_against_serde(&text)?;
    }

    #[test]
    fn refuses_noise_where_it_stops_being_json(text in vec(character(), 0..12)) {
        hold_against_serde(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn unescapes_as_utf_16_does(pieces in vec(piece(), 0..8)) {
        let json = format!("\"{}\"", pieces.iter().map(|(json, _)| json.as_str()).collect::<String>());
        let units = pieces.iter().flat_map(|(_, units)| units.iter().copied());
        let decoded: Vec<_> = char::decode_utf16(units).collect();
        let lone = decoded.iter().filter(|unit| unit.is_err()).count();
        let text: String =
            decoded.iter().map(|unit| *unit.as_ref().unwrap_or(&char::REPLACEMENT_CHARACTER)).collect();
        let mut scanner = Scanner::new(&json, 0, json.len());
        let raw = scanner.string().expect("a string that is well formed");
        prop_assert_eq!(&raw.text(), &text);
        prop_assert_eq!(raw.chars(), text.chars().count());
        prop_assert_eq!(scanner.lone_surrogates as usize, lone);
        prop_assert!(raw.is(&text) && !raw.is("no such text"));
        if lone == 0 {
            prop_assert_eq!(serde_json::from_str::<String>(&json).expect("serde_json"), text);
        }
    }
}

/// A piece of a string as JSON writes it, and the UTF-16 units that it stands for.
fn piece() -> impl Strategy<Value = (String, Vec<u16>)> {
    let plain = any::<char>().prop_filter("needs an escape", |character| {
        !matches!(character, '"' | '\\' | '\0'..='\x1F')
    });
    let surrogate = prop_oneof![0xD7FE..0xE002_u16, select(vec![0xD83D, 0xDE00, 0xD800, 0xDFFF])];
    let short = select(vec![
        ('"', '"'),
        ('\\', '\\'),
        ('/', '/'),
        ('b', '\u{8}'),
        ('f', '\u{c}'),
        ('n', '\n'),
        ('r', '\r'),
        ('t', '\t'),
    ]);
    let escaped = |unit: u16, upper: bool| {
        let digits = if upper { format!("{unit:04X}") } else { format!("{unit:04x}") };
        (format!("\\u{digits}"), vec![unit])
    };
    prop_oneof![
        2 => plain.prop_map(|character| {
            (character.to_string(), character.encode_utf16(&mut [0; 2]).to_vec())
        }),
        3 => (surrogate, any::<bool>()).prop_map(move |(unit, upper)| escaped(unit, upper)),
        1 => (any::<u16>(), any::<bool>()).prop_map(move |(unit, upper)| escaped(unit, upper)),
        1 => short.prop_map(|(letter, meant)| (format!("\\{letter}"), vec![meant as u16])),
    ]
}

fn hold_against_serde(text: &str) -> Result<(), TestCaseError> {
    let skipped = read(text, Scanner::skip);
    prop_assert_eq!(&skipped, &read(text, walk), "skipping and walking agree");
    prop_assert_eq!(skipped.is_ok(), serde_skips(text));
    match skipped {
        Ok(lone) => prop_assert_eq!(serde_decodes(text), lone == 0),
        Err(stop) => check_stop(text, *stop)?,
    }
    Ok(())
}

/// What stands before the stop can become JSON; with one character more it cannot.
fn check_stop(text: &str, stop: Stop) -> Result<(), TestCaseError> {
    prop_assert_eq!(stop.reason == Reason::End, stop.at == text.len());
    prop_assert!(can_become_json(&text[..stop.at]), "{:?} is no prefix", &text[..stop.at]);
    if let Some(next) = text[stop.at..].chars().next() {
        let longer = &text[..stop.at + next.len_utf8()];
        prop_assert!(!can_become_json(longer), "{longer:?} is a prefix");
    }
    Ok(())
}

/// Whether some text makes one value of this: the end of what was begun, and
/// then all closing brackets. Tries every such end.
fn can_become_json(prefix: &str) -> bool {
    let closing = closing_brackets(prefix);
    let begun = ["\"", "n\"", "0\"", "00\"", "000\"", "0000\""];
    let keys = begun.map(|end| format!("{end}:0"));
    let values = ["", "0", ":0", "\"\":0", "rue", "ue", "e", "alse", "lse", "se", "ull", "ll", "l"];
    let ends = begun.iter().copied().chain(values).chain(keys.iter().map(String::as_str));
    let mut texts = ends.map(|end| format!("{prefix}{end}{closing}"));
    texts.any(|text| serde_skips(&text))
}

/// The brackets that close those open at the end of a text.
fn closing_brackets(text: &str) -> String {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

#[test]
fn the_brute_force_tells_prefixes_from_others() {
    for text in
        ["", " ", "[", "{", "{\"a", "{\"a\":tr", "[1,", "-", "1.", "1e+", "\"\\u00", "[\"\\"]
    {
        assert!(can_become_json(text), "{text}");
    }
    for text in ["]", "{1", "tx", "1.e", "\"\\x", "\"\\u00g", "\"\t", "[,", "{}x", "01", "+"] {
        assert!(!can_become_json(text), "{text}");
    }
}
