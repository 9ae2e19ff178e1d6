//! Facts as Arrow tables, and back: what one process has folded, another one
//! joins, on this machine or on another, now or later. `docs/facts.md` has a row
//! for every column.
//!
//! Whoever reads facts trusts nothing: every number that points at a string, a
//! record or a text is looked at, and what does not fit is [`Damaged`], never a
//! panic later on.

mod bytes;
mod census;
pub(crate) mod fields;
pub(crate) mod limits;
mod named;
pub(crate) mod rows;
pub(crate) mod sealed;
mod small;
pub(crate) mod texts;
mod unfinished;
pub(crate) mod value;

pub(crate) use self::bytes::{batches, from_section, read_stream, stream, streams};
pub use self::bytes::{from_bytes, to_bytes};
pub use self::named::{FACTS_VERSION, schemas};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use self::limits::Limits;
use self::named::{Batches, named};
use self::rows::{Context, Counted, InlineUuid, Summary, Uuid};
use self::value::{Reader, Value, Writer};
use crate::facts::kept::Runs;
use crate::facts::sketches::Sketches;
use crate::facts::{Facts, Identity};
use crate::strings::Symbol;

/// Why bytes or tables are no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are no facts of this version: {0}")]
pub struct Damaged(pub(crate) &'static str);

/// Batches that hold the facts as they are.
macro_rules! plain {
    ($use:ident) => {
        $use! {
            "parts" parts; "usages" usages; "iterations" iterations; "misses" misses;
            "calls" calls; "results" results; "rollouts" rollouts.records;
            "totals" rollouts.totals; "findings" findings;
            "notifications" further.notifications; "inline_records" further.inline_records;
            "boundaries" further.boundaries; "prompts" further.prompts; "turns" further.turns;
            "titles" further.titles; "attachments" further.attachments; "events" further.events;
            "journal" further.journal; "skills" further.skills; "tracked" further.tracked;
            "costs" further.costs;
        }
    };
}

/// The batches of facts, each with its name in the metadata of its schema.
/// A batch without rows is left out, unless its being there says something.
pub fn tables(facts: &Facts) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut batches = every_batch(facts)?;
    let says_something = |batch: &RecordBatch| {
        let name = named::name(batch);
        name == "records" || census::NAMES.contains(&name)
    };
    batches.retain(|batch| batch.num_rows() > 0 || says_something(batch));
    Ok(batches)
}

/// The batches, those without rows too.
fn every_batch(facts: &Facts) -> Result<Vec<RecordBatch>, ArrowError> {
    let strings = (0..facts.strings.len()).map(|index| facts.strings.text_of_index(index));
    let words = (0..facts.words.len() as u32).map(|number| facts.words.text(number));
    let texts = facts.texts.iter().map(String::as_str);
    let mut batches = vec![
        ("strings", texts::batch(strings)?),
        ("words", texts::batch(words)?),
        ("texts", texts::batch(texts)?),
        ("block_types", batch(&block_types(facts))?),
        ("types", batch(&types(facts))?),
        ("envelopes", batch(facts.sketches.envelopes())?),
        ("sketches", batch(&facts.sketches.loose())?),
        ("leaves", batch(&uuids(facts.sketches.leaves()))?),
        ("tallies", batch(facts.tallies.values())?),
        ("attributions", batch(facts.attributions.values())?),
        ("inline_uuids", batch(&inline_uuids(facts))?),
        ("summaries", batch(&summaries(facts))?),
        ("forks", batch(&uuids(&facts.further.forks))?),
        ("odd_uuids", batch(&uuids(&facts.further.odd_uuids))?),
        ("contexts", batch(&contexts(facts))?),
    ];
    macro_rules! write {
        ($($name:literal $($path:ident).+;)*) => {
            $(batches.push(($name, batch(&facts.$($path).+)?));)*
        };
    }
    plain!(write);
    batches.extend(unfinished::batches(facts)?);
    if let Some(census) = &facts.census {
        batches.extend(census::NAMES.into_iter().zip(census.to_batches()?));
    }
    batches.into_iter().map(|(name, batch)| named(name, &batch)).collect()
}

/// A batch of these values.
pub(crate) fn batch<T: Value>(rows: &[T]) -> Result<RecordBatch, ArrowError> {
    let mut writer = Writer::default();
    T::write("", rows.iter(), &mut writer);
    writer.batch(rows.len())
}

/// The facts of such batches. Where `files` is given, the facts are of as many
/// files as it has numbers, which take the place of their own, in order.
pub fn facts(batches: &[RecordBatch], files: Option<&[u32]>) -> Result<Facts, Damaged> {
    let batches = Batches::of(batches)?;
    let mut facts = Facts::new();
    facts.strings = texts::strings(batches.get("strings")?)?;
    let limits = limits(&batches, facts.strings.len(), files)?;
    facts.words = texts::words(batches.get("words")?)?;
    facts.texts = texts::owned(batches.get("texts")?)?;
    macro_rules! read {
        ($($name:literal $($path:ident).+;)*) => {
            $(facts.$($path).+ = all(&batches, $name, &limits)?;)*
        };
    }
    plain!(read);
    read_counted(&batches, &limits, &mut facts)?;
    facts.sketches = sketches(&batches, &limits)?;
    facts.tallies = Runs::of(all(&batches, "tallies", &limits)?);
    facts.attributions = Runs::of(all(&batches, "attributions", &limits)?);
    facts.inline_uuids = read_inline_uuids(&batches, &limits)?;
    let summaries: Vec<Summary> = all(&batches, "summaries", &limits)?;
    facts.further.summaries = summaries.into_iter().map(|summary| summary.sketch).collect();
    facts.further.forks = read_uuids(&batches, "forks", &limits)?;
    facts.further.odd_uuids = read_uuids(&batches, "odd_uuids", &limits)?;
    let pair = |context: Context| (context.sketch, context.text);
    facts.further.contexts = all(&batches, "contexts", &limits)?.into_iter().map(pair).collect();
    unfinished::read(&batches, &limits, &mut facts)?;
    facts.census = census::read(&batches, &limits)?;
    facts.shrink();
    Ok(facts)
}

/// The numbers of the files that facts are of, ascending.
pub(crate) fn files(batches: &[RecordBatch]) -> Result<Vec<u32>, Damaged> {
    let files = named::files(&Batches::of(batches)?, None)?;
    Ok(files.into_iter().map(|(number, _)| number).collect())
}

/// The values of a batch.
fn all<T: Value>(batches: &Batches<'_>, name: &str, limits: &Limits) -> Result<Vec<T>, Damaged> {
    T::read(&mut Reader::of(batches.get(name)?, limits))
}

/// Counts of types, which parts and their sums hold themselves.
fn read_counted(batches: &Batches<'_>, limits: &Limits, facts: &mut Facts) -> Result<(), Damaged> {
    for Counted { part, kind, count } in all(batches, "block_types", limits)? {
        facts.parts[part as usize].block_types.insert(kind, count);
    }
    for Counted { part, kind, count } in all(batches, "types", limits)? {
        let sums = facts.parts[part as usize].sums.as_mut();
        sums.ok_or(Damaged("types without sums"))?.types.push((kind, count));
    }
    Ok(())
}

fn sketches(batches: &Batches<'_>, limits: &Limits) -> Result<Sketches, Damaged> {
    let loose: Vec<_> = all(batches, "sketches", limits)?;
    let envelopes = all(batches, "envelopes", limits)?;
    let leaves = read_uuids(batches, "leaves", limits)?;
    Sketches::of_loose(&loose, envelopes, leaves).ok_or(Damaged("too many envelopes"))
}

fn read_uuids(
    batches: &Batches<'_>,
    name: &str,
    limits: &Limits,
) -> Result<Vec<(u32, Symbol)>, Damaged> {
    let uuids: Vec<Uuid> = all(batches, name, limits)?;
    Ok(uuids.into_iter().map(|uuid| (uuid.sketch, uuid.uuid)).collect())
}

fn read_inline_uuids(
    batches: &Batches<'_>,
    limits: &Limits,
) -> Result<Vec<(u32, Identity)>, Damaged> {
    let uuids: Vec<InlineUuid> = all(batches, "inline_uuids", limits)?;
    let pair = |InlineUuid { usage, uuid }| Some((usage, uuid?));
    let pairs: Option<Vec<_>> = uuids.into_iter().map(pair).collect();
    pairs.ok_or(Damaged("a uuid that is none"))
}

/// What the numbers in some batches may point at.
fn limits(batches: &Batches<'_>, strings: usize, files: Option<&[u32]>) -> Result<Limits, Damaged> {
    let count = |name: &str| batches.get(name).map(RecordBatch::num_rows);
    Ok(Limits {
        files: named::files(batches, files)?,
        strings,
        parts: count("parts")?,
        sketches: count("sketches")?,
        envelopes: count("envelopes")?,
        usages: count("usages")?,
        tallies: count("tallies")?,
        misses: count("misses")?,
        attributions: count("attributions")?,
        calls: count("calls")?,
        results: count("results")?,
        iterations: count("iterations")?,
        texts: count("texts")?,
        words: count("words")?,
    })
}

/// In the order of their names, so that equal facts are equal tables.
fn block_types(facts: &Facts) -> Vec<Counted> {
    let mut types = Vec::new();
    for (file, part) in facts.parts.iter().zip(0..) {
        let mut counts: Vec<(Symbol, u64)> =
            file.block_types.iter().map(|(kind, count)| (*kind, *count)).collect();
        counts.sort_unstable();
        types.extend(counts.into_iter().map(|(kind, count)| Counted { part, kind, count }));
    }
    types
}

/// Of the records of the parts that have sums.
fn types(facts: &Facts) -> Vec<Counted> {
    let mut types = Vec::new();
    for (file, part) in facts.parts.iter().zip(0..) {
        let counts = file.sums.iter().flat_map(|sums| &sums.types);
        types.extend(counts.map(|(kind, count)| Counted { part, kind: *kind, count: *count }));
    }
    types
}

fn inline_uuids(facts: &Facts) -> Vec<InlineUuid> {
    let uuids = facts.inline_uuids.iter();
    uuids.map(|(usage, uuid)| InlineUuid { usage: *usage, uuid: Some(*uuid) }).collect()
}

fn summaries(facts: &Facts) -> Vec<Summary> {
    facts.further.summaries.iter().map(|sketch| Summary { sketch: *sketch }).collect()
}

fn uuids(pairs: &[(u32, Symbol)]) -> Vec<Uuid> {
    pairs.iter().map(|(sketch, uuid)| Uuid { sketch: *sketch, uuid: *uuid }).collect()
}

fn contexts(facts: &Facts) -> Vec<Context> {
    let contexts = facts.further.contexts.iter();
    contexts.map(|(sketch, text)| Context { sketch: *sketch, text: *text }).collect()
}

#[cfg(test)]
mod tests;
