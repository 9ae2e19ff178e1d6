//! Columns without a value.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, new_null_array};
use arrow_schema::DataType;

/// The columns of some rows that have no value: those of one type share their memory.
pub(super) struct Nothing {
    rows: usize,
    arrays: HashMap<DataType, ArrayRef>,
}

impl Nothing {
    /// Of so many rows.
    pub(super) fn in_rows(rows: usize) -> Self {
        Self { rows, arrays: HashMap::new() }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Nulls, with the words of `dictionary` where they are of one.
    pub(super) fn array(&mut self, data_type: &DataType, dictionary: &ArrayRef) -> ArrayRef {
        let rows = self.rows;
        let nulls =
            self.arrays.entry(data_type.clone()).or_insert_with(|| new_null_array(data_type, rows));
        match nulls.as_dictionary_opt::<Int32Type>() {
            Some(codes) => Arc::new(codes.with_values(dictionary.clone())),
            None => nulls.clone(),
        }
    }
}
