//! A record behind a cut-off one: the line does not parse, but a complete
//! record stands at its end (ruling 13).
//!
//! Each attempt starts behind the start of the one before it, at the last
//! brace that the failed one reached, so that no stretch of the line is
//! scanned more than about twice, whatever its bytes.

use memchr::{memchr, memrchr};

use crate::decode::fields::{Place, record};
use crate::decode::scanner::{Reason, Scanner, Stop};
use crate::record::{Record, Str};

/// The complete record at the end of `text[start..end]`, whose parse from
/// `start` stopped at `stop`.
pub fn record_behind(text: &str, start: usize, end: usize, stop: Stop) -> Option<Box<Record<'_>>> {
    let (mut from, mut stop) = (start, stop);
    loop {
        from = next_start(text, from, end, stop)?;
        let mut scanner = Scanner::new(text, from, end);
        let mut found = Box::new(Record::at(from));
        match record(&mut scanner, Place::File, &mut found) {
            Ok(()) if scanner.at == end => {
                return Some(found).filter(|record| identifies_itself(text, record));
            }
            Ok(()) => stop = *scanner.stop(Reason::Trailing),
            Err(failed) if failed.reason == Reason::TooDeep => return None,
            Err(failed) => stop = *failed,
        }
        if stop.reason == Reason::Trailing {
            scanner.skip_space();
            stop.at = scanner.at;
        }
    }
}

fn next_start(text: &str, from: usize, end: usize, stop: Stop) -> Option<usize> {
    let bytes = text.as_bytes();
    if stop.reason == Reason::End
        && let Some(start) = last_closed_object(&bytes[..end], from)
    {
        return Some(start);
    }
    let reached = (stop.at + 1).min(end);
    memrchr(b'{', &bytes[from + 1..reached])
        .map(|at| from + 1 + at)
        .or_else(|| memchr(b'{', &bytes[reached..end]).map(|at| reached + at))
}

/// Start of the object that the last byte closes, in JSON that is well formed
/// from `from` on but ends too early.
fn last_closed_object(bytes: &[u8], from: usize) -> Option<usize> {
    let mut open = Vec::new();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => open.push(at),
            b'}' | b']' => {
                let start = open.pop();
                if at + 1 == bytes.len() && bytes[at] == b'}' {
                    return start;
                }
            }
            b'"' => at = string_end(bytes, at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

fn string_end(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// Whether it is a record and not just some object that a record holds.
fn identifies_itself(text: &str, record: &Record<'_>) -> bool {
    const NAMES: [&str; 4] = ["uuid", "sessionId", "timestamp", "leafUuid"];
    let mut named = [false; NAMES.len()];
    let mut scanner = Scanner::new(text, record.start, record.end);
    let walked = scanner.object(|scanner, key| {
        let is_null = scanner.peek() == Some(b'n');
        if let Some(index) = NAMES.iter().position(|name| key.is(name)) {
            named[index] = !is_null;
        }
        scanner.skip()
    });
    walked.is_ok() && named.contains(&true) && record.string(Str::Type).is_some()
}
