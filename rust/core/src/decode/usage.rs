//! `message.usage`, its iterations, and `message.diagnostics`.

use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step};
use crate::decode::text::Raw;
use crate::record::{Counts, Flaws, Iteration, Usage};

const INPUT: usize = 0;
const OUTPUT: usize = 1;
const CACHE_CREATION_FLAT: usize = 2;
const CACHE_READ: usize = 3;
const CACHE_CREATION: usize = 4;
const OUTPUT_DETAILS: usize = 5;
const ITERATIONS: usize = 6;
const TYPE: usize = 7;
const MODEL: usize = 8;

static KEYS: Keys<9, 64> = Keys::new(
    ObjectKind::Usage,
    [
        "input_tokens",
        "output_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "cache_creation",
        "output_tokens_details",
        "iterations",
        "type",
        "model",
    ],
);

/// The keys that only an entry of `iterations` has.
const OF_ENTRIES: u64 = 1 << TYPE | 1 << MODEL;

/// Reads the usage object at the cursor.
pub fn usage<'a>(scanner: &mut Scanner<'a>) -> Step<Usage<'a>> {
    let Some(shapes) = scanner.guesses().map(|guesses| &guesses.usage) else {
        return read(scanner);
    };
    if let Some((usage, length, quotes)) = shapes.find(scanner.ahead()) {
        scanner.pass(length, quotes);
        return Ok(usage);
    }
    let start = scanner.at;
    let usage = read(scanner)?;
    shapes.learn(scanner.since(start), read);
    Ok(usage)
}

/// The same without a memory.
pub(super) fn read<'a>(scanner: &mut Scanner<'a>) -> Step<Usage<'a>> {
    let start = scanner.at;
    let mut usage = Usage::default();
    let mut members = Members::default();
    let mut parts = Parts::default();
    let mut in_iterations = Flaws::default();
    scanner.members(&KEYS, |scanner, number| match number {
        Some(ITERATIONS) => {
            usage.iterations.clear();
            in_iterations = Flaws::default();
            if scanner.peek() == Some(b'[') {
                in_iterations = iterations(scanner, &mut usage.iterations)?;
                members.note(ITERATIONS);
            } else if members.anything(scanner, ITERATIONS)? {
                members.mark_bad(ITERATIONS);
            }
            Ok(())
        }
        _ => parts.member(scanner, number, &mut members, &mut usage.counts),
    })?;
    usage.flaws = members.flaws(!OF_ENTRIES, scanner.since(start), |key| KEYS.number(key));
    usage.flaws += parts.cache_creation;
    usage.flaws += parts.output_details;
    usage.flaws += in_iterations;
    Ok(usage)
}

/// Flaws of the two objects below a usage object or an iteration.
#[derive(Default)]
struct Parts {
    cache_creation: Flaws,
    output_details: Flaws,
}

impl Parts {
    fn member(
        &mut self,
        scanner: &mut Scanner<'_>,
        number: Option<usize>,
        members: &mut Members,
        counts: &mut Counts,
    ) -> Step<()> {
        match number {
            Some(INPUT) => counts.input = members.count(scanner, INPUT)?,
            Some(OUTPUT) => counts.output = members.count(scanner, OUTPUT)?,
            Some(CACHE_CREATION_FLAT) => {
                counts.cache_creation = members.count(scanner, CACHE_CREATION_FLAT)?;
            }
            Some(CACHE_READ) => counts.cache_read = members.count(scanner, CACHE_READ)?,
            Some(CACHE_CREATION) => {
                let read = members.object(scanner, CACHE_CREATION, cache_creation)?;
                let (five, hour, flaws) = read.unwrap_or_default();
                (counts.cache_creation_5m, counts.cache_creation_1h) = (five, hour);
                self.cache_creation = flaws;
            }
            Some(OUTPUT_DETAILS) => {
                let read = members.object(scanner, OUTPUT_DETAILS, output_details)?;
                let (thinking, flaws) = read.unwrap_or_default();
                counts.thinking = thinking;
                self.output_details = flaws;
            }
            _ => scanner.skip()?,
        }
        Ok(())
    }
}

static CREATION_KEYS: Keys<2, 8> = Keys::new(
    ObjectKind::CacheCreation,
    ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"],
);

fn cache_creation(scanner: &mut Scanner<'_>) -> Step<(Option<i64>, Option<i64>, Flaws)> {
    let start = scanner.at;
    let mut members = Members::default();
    let (mut five, mut hour) = (None, None);
    scanner.members(&CREATION_KEYS, |scanner, number| {
        match number {
            Some(0) => five = members.count(scanner, 0)?,
            Some(1) => hour = members.count(scanner, 1)?,
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let number = |key: Raw<'_>| CREATION_KEYS.number(key);
    Ok((five, hour, members.flaws(u64::MAX, scanner.since(start), number)))
}

fn output_details(scanner: &mut Scanner<'_>) -> Step<(Option<i64>, Flaws)> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut thinking = None;
    scanner.object(|scanner, key| {
        if key.is("thinking_tokens") {
            thinking = members.count(scanner, 0)?;
            return Ok(());
        }
        scanner.skip()
    })?;
    let keys = ["thinking_tokens"];
    Ok((thinking, members.flaws(u64::MAX, scanner.since(start), number(keys))))
}

fn iterations<'a>(scanner: &mut Scanner<'a>, into: &mut Vec<Iteration<'a>>) -> Step<Flaws> {
    let mut flaws = Flaws::default();
    let mut index = 0;
    scanner.array(|scanner| {
        if scanner.peek() == Some(b'{') {
            let (mut entry, found) = iteration(scanner)?;
            entry.index = index;
            into.push(entry);
            flaws += found;
        } else {
            scanner.skip()?;
            flaws.bad_values += 1;
        }
        index += 1;
        Ok(())
    })?;
    Ok(flaws)
}

fn iteration<'a>(scanner: &mut Scanner<'a>) -> Step<(Iteration<'a>, Flaws)> {
    let start = scanner.at;
    let mut entry = Iteration::default();
    let mut members = Members::default();
    let mut parts = Parts::default();
    scanner.members(&KEYS, |scanner, number| {
        match number {
            Some(TYPE) => entry.kind = members.string(scanner, TYPE)?,
            Some(MODEL) => entry.model = members.string(scanner, MODEL)?,
            _ => parts.member(scanner, number, &mut members, &mut entry.counts)?,
        }
        Ok(())
    })?;
    let mut flaws = members.flaws(!(1 << ITERATIONS), scanner.since(start), |key| KEYS.number(key));
    flaws += parts.cache_creation;
    flaws += parts.output_details;
    Ok((entry, flaws))
}

/// `message.diagnostics`: why the cache was missed.
#[derive(Debug, Default)]
pub struct CacheMiss<'a> {
    /// `cache_miss_reason.type`
    pub kind: Option<Raw<'a>>,
    /// `cache_miss_reason.cache_missed_input_tokens`
    pub missed_input_tokens: Option<i64>,
    /// Flaws in it and below.
    pub flaws: Flaws,
}

/// Reads the diagnostics object at the cursor.
pub fn diagnostics<'a>(scanner: &mut Scanner<'a>) -> Step<CacheMiss<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut miss = CacheMiss::default();
    scanner.object(|scanner, key| {
        if key.is("cache_miss_reason") {
            miss = members.object(scanner, 0, cache_miss_reason)?.unwrap_or_default();
            return Ok(());
        }
        scanner.skip()
    })?;
    let keys = ["cache_miss_reason"];
    miss.flaws += members.flaws(u64::MAX, scanner.since(start), number(keys));
    Ok(miss)
}

fn cache_miss_reason<'a>(scanner: &mut Scanner<'a>) -> Step<CacheMiss<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut miss = CacheMiss::default();
    scanner.object(|scanner, key| {
        match &*key.text() {
            "type" => miss.kind = members.string(scanner, 0)?,
            "cache_missed_input_tokens" => miss.missed_input_tokens = members.count(scanner, 1)?,
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let keys = ["type", "cache_missed_input_tokens"];
    miss.flaws = members.flaws(u64::MAX, scanner.since(start), number(keys));
    Ok(miss)
}
