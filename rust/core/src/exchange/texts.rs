//! Batches of one column of text.

use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray, RecordBatch};
use arrow_schema::ArrowError;

use super::Damaged;
use super::value::Writer;
use crate::facts::words::Words;
use crate::strings::{Interner, Symbol};

/// A batch of texts.
pub(crate) fn batch<'t>(texts: impl Iterator<Item = &'t str>) -> Result<RecordBatch, ArrowError> {
    let mut writer = Writer::default();
    let texts = LargeStringArray::from_iter_values(texts);
    let rows = texts.len();
    writer.column("text", false, texts);
    writer.batch(rows)
}

fn texts(batch: &RecordBatch) -> Result<impl Iterator<Item = &str>, Damaged> {
    let texts = batch.column(0).as_string_opt::<i64>().ok_or(Damaged("texts that are none"))?;
    Ok((0..texts.len()).map(|row| texts.value(row)))
}

/// The texts as strings, each under the number of its row.
pub(crate) fn interner(batch: &RecordBatch) -> Result<Interner, Damaged> {
    let mut strings = Interner::default();
    for (text, number) in texts(batch)?.zip(0..) {
        if strings.intern(text).index() != number {
            return Err(Damaged("a string that stands twice"));
        }
    }
    Ok(strings)
}

/// The strings of facts, of which the first is the empty one.
pub(crate) fn strings(batch: &RecordBatch) -> Result<Interner, Damaged> {
    let strings = interner(batch)?;
    let has_empty = !strings.is_empty() && strings.text(Symbol::EMPTY) == Some("");
    if has_empty { Ok(strings) } else { Err(Damaged("strings without the empty one")) }
}

/// The texts as words.
pub(crate) fn words(batch: &RecordBatch) -> Result<Words, Damaged> {
    let mut words = Words::default();
    for text in texts(batch)? {
        words.keep(text);
    }
    Ok(words)
}

/// The texts.
pub(crate) fn owned(batch: &RecordBatch) -> Result<Vec<String>, Damaged> {
    Ok(texts(batch)?.map(str::to_owned).collect())
}
