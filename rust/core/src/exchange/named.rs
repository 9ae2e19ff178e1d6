//! Batches by their names, each of the one schema that its name has.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_schema::{ArrowError, Schema, SchemaRef};

use super::Damaged;
use crate::arrow;
use crate::census::Census;
use crate::facts::{BlockRows, Facts};
use crate::schema::version;

/// The version of the layout of facts. It is another wherever a column, a
/// vocabulary or the meaning of either is another: facts of one version are
/// nothing to a reader of another.
pub const FACTS_VERSION: u32 = 4;

/// A batch under its name.
pub(super) fn named(name: &str, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let metadata = HashMap::from([
        ("batch".to_owned(), name.to_owned()),
        ("facts_version".to_owned(), FACTS_VERSION.to_string()),
        ("schema_version".to_owned(), version().to_string()),
    ]);
    let schema = Schema::new_with_metadata(batch.schema_ref().fields().clone(), metadata);
    let rows = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(schema), batch.columns().to_vec(), &rows)
}

/// The schema of every batch, by name, in the order in which they are written.
pub fn schemas() -> &'static [(String, SchemaRef)] {
    static SCHEMAS: LazyLock<Vec<(String, SchemaRef)>> = LazyLock::new(|| {
        let batches = super::every_batch(&of_every_kind());
        let batches = batches.unwrap_or_else(|error| panic!("a batch without rows: {error}"));
        batches.iter().map(|batch| (name(batch).to_owned(), batch.schema())).collect()
    });
    &SCHEMAS
}

/// Facts of nothing that have every batch.
fn of_every_kind() -> Facts {
    let blocks = BlockRows { rows: arrow::blocks::columns(0), sketches: Vec::new() };
    Facts {
        records: Some(arrow::records::columns(0)),
        blocks: vec![blocks],
        census: Some(Census::default()),
        ..Facts::new()
    }
}

/// The name of a batch; no name where it has none.
pub(super) fn name(batch: &RecordBatch) -> &str {
    batch.schema_ref().metadata().get("batch").map_or("", String::as_str)
}

/// Batches that were checked for their schemas.
pub(super) struct Batches<'b> {
    given: &'b [RecordBatch],
}

static EMPTY: LazyLock<HashMap<&'static str, RecordBatch>> = LazyLock::new(|| {
    let empty = |(name, schema): &'static (String, SchemaRef)| {
        (name.as_str(), RecordBatch::new_empty(schema.clone()))
    };
    schemas().iter().map(empty).collect()
});

impl<'b> Batches<'b> {
    /// Checks.
    pub(super) fn of(given: &'b [RecordBatch]) -> Result<Self, Damaged> {
        let mut seen = Vec::with_capacity(given.len());
        for batch in given {
            let name = name(batch);
            let known = EMPTY.get(name).ok_or(Damaged("a batch of another name"))?;
            if known.schema_ref() != batch.schema_ref() {
                return Err(Damaged("a batch of another version"));
            }
            // Text may need several batches of rows of blocks.
            if seen.contains(&name) && name != "blocks" {
                return Err(Damaged("a batch that stands twice"));
            }
            seen.push(name);
        }
        Ok(Self { given })
    }

    /// Whether it was given.
    pub(super) fn has(&self, asked: &str) -> bool {
        self.every(asked).next().is_some()
    }

    /// Every batch of a name.
    pub(super) fn every(&self, asked: &str) -> impl Iterator<Item = &'b RecordBatch> {
        self.given.iter().filter(move |batch| name(batch) == asked)
    }

    /// A batch; it has no rows where it was left out.
    pub(super) fn get(&self, asked: &str) -> Result<&'b RecordBatch, Damaged> {
        let given = self.every(asked).next().or_else(|| EMPTY.get(asked));
        given.ok_or(Damaged("no such batch"))
    }
}

/// The numbers of the files, ascending, each with its new one.
pub(super) fn files(
    batches: &Batches<'_>,
    new: Option<&[u32]>,
) -> Result<Vec<(u32, u32)>, Damaged> {
    let parts = batches.get("parts")?;
    let numbers = parts.column_by_name("file").ok_or(Damaged("parts without files"))?;
    let mut numbers = numbers.as_primitive::<UInt32Type>().values().to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    match new {
        None => Ok(numbers.iter().map(|number| (*number, *number)).collect()),
        Some(new) if new.len() == numbers.len() => {
            Ok(numbers.into_iter().zip(new.iter().copied()).collect())
        }
        Some(_) => Err(Damaged("facts of other files")),
    }
}
