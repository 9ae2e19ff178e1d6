//! Rows that are not finished, as arrays and back: facts hold rows of `records`
//! and `blocks`, and travel as Arrow batches.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray};
use arrow_schema::{ArrowError, DataType, Fields};

use super::column::Column;
use super::nothing::Nothing;
use super::validity::Validity;
use super::{Columns, dictionary_values};
use crate::strings::{Interner, Symbol};

impl Columns {
    /// A copy of the rows as arrays.
    pub(crate) fn to_arrays(&self, fields: &Fields) -> Result<Vec<ArrayRef>, ArrowError> {
        let columns = self.columns.iter().zip(fields);
        columns.map(|(column, field)| to_array(column, field.data_type(), self.rows)).collect()
    }

    /// The rows of such arrays; none where they are no rows.
    pub(crate) fn of_arrays(arrays: &[ArrayRef], rows: usize) -> Option<Self> {
        let columns = arrays.iter().map(|array| of_array(array)).collect::<Option<Vec<_>>>()?;
        Some(Self::of_columns(columns, rows))
    }

    /// Gives every value of an integer column a new one; false where one has none.
    pub(crate) fn map_ints(&mut self, column: usize, new: impl Fn(i64) -> Option<i64>) -> bool {
        let Some(Column::Int(values, _)) = self.columns.get_mut(column) else { return false };
        values.iter_mut().all(|value| new(*value).map(|new| *value = new).is_some())
    }
}

fn to_array(column: &Column, data_type: &DataType, rows: usize) -> Result<ArrayRef, ArrowError> {
    let copy = match column {
        Column::Int(values, valid) => Column::Int(values.clone(), valid.clone()),
        Column::Double(values, valid) => Column::Double(values.clone(), valid.clone()),
        Column::Bool(values, valid) => Column::Bool(values.clone(), valid.clone()),
        Column::Text { offsets, bytes, valid } => {
            Column::Text { offsets: offsets.clone(), bytes: bytes.clone(), valid: valid.clone() }
        }
        Column::Dictionary { codes, last, .. } => {
            Column::Dictionary { codes: codes.clone(), names: Interner::default(), last: *last }
        }
        Column::List(_) => {
            let message = "only tables without lists are made while folding".to_owned();
            return Err(ArrowError::NotYetImplemented(message));
        }
    };
    let none = Interner::default();
    let words = if let Column::Dictionary { names, .. } = column { names } else { &none };
    copy.array(data_type, &dictionary_values(words), &mut Nothing::in_rows(rows))
}

fn of_array(array: &dyn Array) -> Option<Column> {
    let valid = Validity::of(array.nulls(), array.len());
    Some(match array.data_type() {
        DataType::Int64 => Column::Int(array.as_primitive::<Int64Type>().values().to_vec(), valid),
        DataType::Timestamp(..) => {
            let times = array.as_primitive_opt::<TimestampMicrosecondType>()?;
            Column::Int(times.values().to_vec(), valid)
        }
        DataType::Float64 => {
            Column::Double(array.as_primitive::<Float64Type>().values().to_vec(), valid)
        }
        DataType::Boolean => Column::Bool(array.as_boolean().values().iter().collect(), valid),
        DataType::Utf8 => text(array.as_string::<i32>(), valid),
        DataType::Dictionary(..) => dictionary(array.as_dictionary_opt::<Int32Type>()?)?,
        _ => return None,
    })
}

fn text(array: &StringArray, valid: Validity) -> Column {
    let first = array.value_offsets().first().copied().unwrap_or(0);
    let offsets = array.value_offsets().iter().map(|offset| offset - first).collect();
    let bytes = (0..array.len()).map(|row| array.value(row)).collect();
    Column::Text { offsets, bytes, valid }
}

fn dictionary(array: &DictionaryArray<Int32Type>) -> Option<Column> {
    let values = array.values().as_string_opt::<i32>()?;
    let mut names = Interner::default();
    for (row, place) in (0..values.len()).zip(0..) {
        // Codes are numbers of words, so that no word may stand twice.
        let is_new = values.is_valid(row) && names.intern(values.value(row)).index() == place;
        is_new.then_some(())?;
    }
    let code = |key: Option<i32>| match key {
        None => Some(Symbol::NONE),
        Some(key) => Symbol::of_index(usize::try_from(key).ok()?, names.len()),
    };
    let codes = array.keys().iter().map(code).collect::<Option<Vec<_>>>()?;
    Some(Column::Dictionary { codes, names, last: Symbol::NONE })
}
