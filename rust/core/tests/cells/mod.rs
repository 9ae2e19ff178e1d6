//! Tables as rows of plain values, spelt as the contract cases spell them.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use toml::{Table, Value};

/// How a case writes null, which TOML lacks.
pub(crate) const NULL: &str = "<null>";

/// The rows of a table, however it is cut into batches.
pub(crate) fn rows(batches: &[RecordBatch]) -> Vec<Table> {
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| cells(batch, row))).collect()
}

fn cells(batch: &RecordBatch, row: usize) -> Table {
    let schema = batch.schema_ref();
    let columns = schema.fields().iter().zip(batch.columns());
    columns.map(|(field, column)| (field.name().clone(), cell(column, row))).collect()
}

fn cell(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return NULL.into();
    }
    match array.data_type() {
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Timestamp(..) => {
            let time = array.as_primitive::<TimestampMicrosecondType>().value_as_datetime(row);
            let time = time.expect("a time within the years that a table may hold");
            time.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string().into()
        }
        DataType::Dictionary(..) => {
            let words = array.as_dictionary::<Int32Type>();
            cell(words.values(), words.keys().value(row) as usize)
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            Value::Array((0..items.len()).map(|item| cell(&items, item)).collect())
        }
        other => panic!("no table has a column of type {other}"),
    }
}
