//! Rows of `records` and `blocks`, which are Arrow already, up to what the join
//! says of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::Damaged;
use super::limits::Limits;
use super::named::Batches;
use crate::arrow;
use crate::arrow::columns::Columns;
use crate::facts::{BlockRows, Facts};
use crate::schema::Table;

/// The place of `file_id` in `blocks`.
const FILE: usize = 0;

/// What `blocks` has besides the columns of the table.
const SKETCH: &str = "sketch";

/// The batches of rows, where rows were asked for.
pub(super) fn batches(facts: &Facts) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
    let mut batches = Vec::new();
    if let Some(rows) = &facts.records {
        batches.push(("records", records(rows)?));
    }
    for block in &facts.blocks {
        batches.push(("blocks", blocks(block)?));
    }
    Ok(batches)
}

/// A batch of `records`.
pub(super) fn records(rows: &Columns) -> Result<RecordBatch, ArrowError> {
    let schema = arrow::records::pushed();
    RecordBatch::try_new(schema.clone(), rows.to_arrays(schema.fields())?)
}

/// A batch of `blocks`.
pub(super) fn blocks(block: &BlockRows) -> Result<RecordBatch, ArrowError> {
    let schema = Table::Blocks.schema();
    let mut arrays = block.rows.to_arrays(schema.fields())?;
    arrays.push(Arc::new(UInt32Array::from(block.sketches.clone())));
    let sketch = Arc::new(Field::new(SKETCH, DataType::UInt32, false));
    let fields: Vec<_> = schema.fields().iter().cloned().chain([sketch]).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

/// Reads the rows.
pub(super) fn read(
    batches: &Batches<'_>,
    limits: &Limits,
    facts: &mut Facts,
) -> Result<(), Damaged> {
    if batches.has("records") {
        let batch = batches.get("records")?;
        if batch.num_rows() != limits.sketches {
            return Err(Damaged("records without rows"));
        }
        facts.records = Some(rows(batch, batch.num_columns())?);
    }
    for batch in batches.every("blocks") {
        let count = batch.num_columns() - 1;
        let sketches = batch.column(count).as_primitive::<UInt32Type>().values().to_vec();
        if sketches.iter().any(|sketch| *sketch as usize >= limits.sketches) {
            return Err(Damaged("a block without a record"));
        }
        let mut rows = rows(batch, count)?;
        let file = |number: i64| limits.file(u32::try_from(number).ok()?).map(i64::from);
        if !rows.map_ints(FILE, file) {
            return Err(Damaged("a row of no file"));
        }
        facts.blocks.push(BlockRows { rows, sketches });
    }
    Ok(())
}

fn rows(batch: &RecordBatch, columns: usize) -> Result<Columns, Damaged> {
    let rows = Columns::of_arrays(&batch.columns()[..columns], batch.num_rows());
    rows.ok_or(Damaged("columns that are no rows"))
}
