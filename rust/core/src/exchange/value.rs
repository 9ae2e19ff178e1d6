//! Values as Arrow columns: one trait, and the columns of plain values.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, LargeBinaryArray, LargeStringArray, PrimitiveArray, RecordBatch,
    RecordBatchOptions,
};
use arrow_schema::{ArrowError, Field, Schema};

use super::Damaged;
use super::limits::Limits;

/// What becomes one column, or several side by side.
pub(crate) trait Value: Sized {
    /// Writes the columns of `values`, which are called `name` or begin with it.
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer)
    where
        Self: 'v;

    /// Reads the columns that [`Self::write`] wrote.
    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged>;
}

/// The columns of a batch under construction.
#[derive(Default)]
pub(crate) struct Writer {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Writer {
    /// Adds a column.
    pub(crate) fn column(&mut self, name: &str, is_nullable: bool, array: impl Array + 'static) {
        let name = if name.is_empty() { "value" } else { name };
        self.fields.push(Field::new(name, array.data_type().clone(), is_nullable));
        self.arrays.push(Arc::new(array));
    }

    /// The batch of these columns.
    pub(crate) fn batch(self, rows: usize) -> Result<RecordBatch, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(self.fields));
        RecordBatch::try_new_with_options(schema, self.arrays, &options)
    }
}

/// The columns of a batch, to be taken in their order.
pub(crate) struct Reader<'b> {
    columns: std::slice::Iter<'b, ArrayRef>,
    pub(crate) rows: usize,
    pub(crate) limits: &'b Limits,
}

impl<'b> Reader<'b> {
    /// All columns of a batch; its schema is known to be the right one.
    pub(crate) fn of(batch: &'b RecordBatch, limits: &'b Limits) -> Self {
        Self { columns: batch.columns().iter(), rows: batch.num_rows(), limits }
    }

    /// The next column.
    pub(crate) fn column<A: 'static>(&mut self) -> Result<&'b A, Damaged> {
        let column = self.columns.next().and_then(|column| column.as_any().downcast_ref());
        column.ok_or(Damaged("a column of another type"))
    }
}

/// The name of a part of a value.
pub(crate) fn part(name: &str, of: &str) -> String {
    if name.is_empty() { of.to_owned() } else { format!("{name}.{of}") }
}

macro_rules! numbers {
    ($($number:ty: $arrow:ty),*) => {$(
        impl Value for $number {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut Writer,
            ) {
                to.column(name, false, PrimitiveArray::<$arrow>::from_iter_values(values.copied()));
            }

            fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
                Ok(from.column::<PrimitiveArray<$arrow>>()?.values().to_vec())
            }
        }

        impl Value for Option<$number> {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut Writer,
            ) {
                to.column(name, true, values.copied().collect::<PrimitiveArray<$arrow>>());
            }

            fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
                Ok(options(from.column::<PrimitiveArray<$arrow>>()?))
            }
        }
    )*};
}

numbers!(u32: UInt32Type, u64: UInt64Type, i64: Int64Type, f64: Float64Type);

/// The values of a column that may have nulls.
pub(crate) fn options<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>) -> Vec<Option<T::Native>> {
    match array.nulls() {
        None => array.values().iter().copied().map(Some).collect(),
        Some(valid) => {
            let values = array.values().iter().zip(valid.iter());
            values.map(|(value, is_valid)| is_valid.then_some(*value)).collect()
        }
    }
}

impl Value for bool {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        to.column(name, false, BooleanArray::from(values.copied().collect::<Vec<_>>()));
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        Ok(from.column::<BooleanArray>()?.values().iter().collect())
    }
}

impl Value for Option<bool> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        to.column(name, true, values.copied().collect::<BooleanArray>());
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        Ok(from.column::<BooleanArray>()?.iter().collect())
    }
}

impl Value for Vec<u8> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        to.column(name, false, LargeBinaryArray::from_iter_values(values));
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let bytes = from.column::<LargeBinaryArray>()?;
        Ok((0..bytes.len()).map(|row| bytes.value(row).to_owned()).collect())
    }
}

impl Value for [u64; 2] {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        u64::write(&part(name, "0"), values.clone().map(|[one, _]| one), to);
        u64::write(&part(name, "1"), values.map(|[_, other]| other), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let (ones, others) = (u64::read(from)?, u64::read(from)?);
        Ok(ones.into_iter().zip(others).map(<[u64; 2]>::from).collect())
    }
}

impl Value for String {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        to.column(name, false, LargeStringArray::from_iter_values(values));
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let texts = from.column::<LargeStringArray>()?;
        Ok((0..texts.len()).map(|row| texts.value(row).to_owned()).collect())
    }
}
