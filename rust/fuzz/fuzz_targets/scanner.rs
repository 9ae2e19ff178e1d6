//! The scanner against serde_json. Differences that are tolerated:
//!
//! - Unpaired surrogate escapes: serde_json skips over them and does not decode
//!   them; the scanner takes and counts them.
//! - Nesting beyond 512: the scanner stops there, serde_json has no limit here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;
use sessionscan_core::decode::scanner::{Reason, Scanner, Step};

fuzz_target!(|text: &str| {
    let skipped = read(text, Scanner::skip);
    assert_eq!(skipped, read(text, walk), "skipping and walking agree");
    match skipped {
        Ok(lone_surrogates) => {
            assert!(serde_json::from_str::<&RawValue>(text).is_ok(), "it is no JSON");
            compare_string(text.trim_matches([' ', '\t', '\r', '\n']), lone_surrogates);
        }
        Err(stop) => {
            assert_eq!(stop.reason == Reason::End, stop.at == text.len());
            assert!(text.is_char_boundary(stop.at), "a stop inside a character");
            if stop.reason != Reason::TooDeep {
                assert!(serde_json::from_str::<&RawValue>(text).is_err(), "it is JSON");
            }
        }
    }
});

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

/// A text that is one string stands for the same characters in both.
fn compare_string(text: &str, lone_surrogates: u32) {
    if !text.starts_with('"') {
        return;
    }
    let raw = Scanner::new(text, 0, text.len()).string().expect("it was read before");
    assert_eq!(raw.chars(), raw.text().chars().count());
    match serde_json::from_str::<String>(text) {
        Ok(decoded) => assert_eq!(raw.text(), decoded),
        Err(_) => assert!(lone_surrogates > 0, "serde_json refuses a sound string"),
    }
}
