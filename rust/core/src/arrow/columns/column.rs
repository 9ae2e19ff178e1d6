//! One column under construction.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, PrimitiveArray, StringArray,
    TimestampMicrosecondArray,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::nothing::Nothing;
use super::validity::{Validity, bits};
use crate::decode::text::Raw;
use crate::strings::{Interner, Symbol};

/// Values up to the last one; what rows are behind it have none.
#[derive(Debug)]
pub(super) enum Column {
    /// Integers, and timestamps in microseconds.
    Int(Vec<i64>, Validity),
    /// Fractions.
    Double(Vec<f64>, Validity),
    /// Booleans.
    Bool(Vec<bool>, Validity),
    /// Text: where each value begins and the last one ends, and all values one behind
    /// the other.
    Text { offsets: Vec<i32>, bytes: String, valid: Validity },
    /// Text of a small vocabulary.
    Dictionary { codes: Vec<Symbol>, names: Interner, last: Symbol },
    /// Lists of text.
    List(ListBuilder<StringBuilder>),
}

impl Column {
    /// A column with room for so many rows; of text more is needed.
    pub(super) fn new(data_type: &DataType, rows: usize) -> Self {
        match data_type {
            DataType::Int64 | DataType::Timestamp(..) => {
                Self::Int(Vec::with_capacity(rows), Validity::default())
            }
            DataType::Float64 => Self::Double(Vec::with_capacity(rows), Validity::default()),
            DataType::Boolean => Self::Bool(Vec::with_capacity(rows), Validity::default()),
            DataType::Dictionary(..) => Self::Dictionary {
                codes: Vec::with_capacity(rows),
                names: Interner::default(),
                last: Symbol::NONE,
            },
            DataType::List(_) => Self::List(ListBuilder::new(StringBuilder::new())),
            _ => {
                let mut offsets = Vec::with_capacity(rows + 1);
                offsets.push(0);
                Self::Text { offsets, bytes: String::new(), valid: Validity::default() }
            }
        }
    }

    /// Adds an integer in a row; rows before it that have nothing get a null. So
    /// do those below.
    #[inline]
    pub(super) fn int(&mut self, row: usize, value: i64) {
        match self {
            Self::Int(values, valid) => push(values, valid, row, value),
            other => unreachable!("an integer for {other:?}"),
        }
    }

    pub(super) fn double(&mut self, row: usize, value: f64) {
        match self {
            Self::Double(values, valid) => push(values, valid, row, value),
            other => unreachable!("a fraction for {other:?}"),
        }
    }

    #[inline]
    pub(super) fn bool(&mut self, row: usize, value: bool) {
        match self {
            Self::Bool(values, valid) => push(values, valid, row, value),
            other => unreachable!("a boolean for {other:?}"),
        }
    }

    /// Gives the bytes that the column has more; words of a dictionary are few.
    #[inline]
    pub(super) fn text(&mut self, row: usize, text: &str) -> usize {
        match self {
            Self::Text { offsets, bytes, valid } => {
                make_room(bytes, offsets);
                bytes.push_str(text);
                end_text(offsets, bytes.len(), valid, row)
            }
            Self::Dictionary { codes, names, last } => {
                word(codes, names, last, row, text);
                0
            }
            other => unreachable!("text for {other:?}"),
        }
    }

    /// As `text`, of a JSON string.
    #[inline]
    pub(super) fn raw(&mut self, row: usize, raw: Raw<'_>) -> usize {
        match self {
            Self::Text { offsets, bytes, valid } => {
                make_room(bytes, offsets);
                raw.append_to(bytes);
                end_text(offsets, bytes.len(), valid, row)
            }
            Self::Dictionary { codes, names, last } if raw.is_plain() => {
                word(codes, names, last, row, raw.written());
                0
            }
            other => other.text(row, &raw.text()),
        }
    }

    /// Gives the bytes that the column has more.
    pub(super) fn list<'a>(
        &mut self,
        row: usize,
        values: impl IntoIterator<Item = &'a str>,
    ) -> usize {
        self.pad(row);
        let Self::List(builder) = self else { unreachable!("a list for {self:?}") };
        let before = builder.values().values_slice().len();
        values.into_iter().for_each(|value| builder.values().append_value(value));
        builder.append(true);
        builder.values().values_slice().len() - before
    }

    /// Rows up to the last one that has a value.
    fn rows(&self) -> usize {
        match self {
            Self::Int(values, _) => values.len(),
            Self::Double(values, _) => values.len(),
            Self::Bool(values, _) => values.len(),
            Self::Text { offsets, .. } => offsets.len() - 1,
            Self::Dictionary { codes, .. } => codes.len(),
            Self::List(builder) => builder.len(),
        }
    }

    /// Adds nulls until there are `rows`.
    fn pad(&mut self, rows: usize) {
        match self {
            Self::Int(values, valid) => pad(values, valid, rows),
            Self::Double(values, valid) => pad(values, valid, rows),
            Self::Bool(values, valid) => pad(values, valid, rows),
            Self::Text { offsets, bytes, valid } => {
                offsets.resize(rows + 1, bytes.len() as i32);
                valid.pad(rows);
            }
            Self::Dictionary { codes, .. } => codes.resize(rows, Symbol::NONE),
            Self::List(builder) => (builder.len()..rows).for_each(|_| builder.append(false)),
        }
    }

    /// Keeps the rows whose `keep` is true.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        fn filter<T>(values: &mut Vec<T>, keep: &[bool]) {
            let mut kept = keep.iter();
            values.retain(|_| kept.next() == Some(&true));
        }
        match self {
            Self::Int(values, valid) => {
                filter(values, keep);
                valid.retain(keep);
            }
            Self::Double(values, valid) => {
                filter(values, keep);
                valid.retain(keep);
            }
            Self::Bool(values, valid) => {
                filter(values, keep);
                valid.retain(keep);
            }
            Self::Dictionary { codes, .. } => filter(codes, keep),
            Self::Text { offsets, bytes, valid } => {
                let mut kept = String::with_capacity(bytes.len());
                let mut kept_offsets = vec![0];
                for (span, _) in offsets.windows(2).zip(keep).filter(|(_, keep)| **keep) {
                    kept.push_str(&bytes[span[0] as usize..span[1] as usize]);
                    kept_offsets.push(kept.len() as i32);
                }
                (*offsets, *bytes) = (kept_offsets, kept);
                valid.retain(keep);
            }
            Self::List(_) => unreachable!("only tables with lists are built after filtering"),
        }
    }

    /// A copy of it.
    pub(super) fn copy(&self) -> Self {
        match self {
            Self::Int(values, valid) => Self::Int(values.clone(), valid.clone()),
            Self::Double(values, valid) => Self::Double(values.clone(), valid.clone()),
            Self::Bool(values, valid) => Self::Bool(values.clone(), valid.clone()),
            Self::Text { offsets, bytes, valid } => {
                Self::Text { offsets: offsets.clone(), bytes: bytes.clone(), valid: valid.clone() }
            }
            Self::Dictionary { codes, names, last } => {
                Self::Dictionary { codes: codes.clone(), names: names.clone(), last: *last }
            }
            Self::List(_) => unreachable!("only tables with lists are built after filtering"),
        }
    }

    /// Bytes of its text; words of a dictionary are few.
    pub(super) fn text_bytes(&self) -> usize {
        if let Self::Text { bytes, .. } = self { bytes.len() } else { 0 }
    }

    /// Gives back memory that was reserved for more than these rows. A column with a
    /// value keeps that of rows to come without one: it need not be moved for them.
    pub(super) fn shrink(&mut self, rows: usize) {
        let rows = if self.rows() == 0 { 0 } else { rows };
        match self {
            Self::Int(values, valid) => {
                values.shrink_to(rows);
                valid.shrink();
            }
            Self::Double(values, valid) => {
                values.shrink_to(rows);
                valid.shrink();
            }
            Self::Bool(values, valid) => {
                values.shrink_to(rows);
                valid.shrink();
            }
            Self::Text { offsets, bytes, valid } => {
                offsets.shrink_to(rows + 1);
                bytes.shrink_to_fit();
                valid.shrink();
            }
            Self::Dictionary { codes, .. } => codes.shrink_to(rows),
            Self::List(_) => {}
        }
    }

    /// An array of as many rows as `nothing` has, with the words of `dictionary` where it
    /// has some.
    pub(super) fn array(
        mut self,
        data_type: &DataType,
        dictionary: &ArrayRef,
        nothing: &mut Nothing,
    ) -> Result<ArrayRef, ArrowError> {
        if self.rows() == 0 {
            return Ok(nothing.array(data_type, dictionary));
        }
        self.pad(nothing.rows());
        Ok(match self {
            Self::Int(values, valid) if matches!(data_type, DataType::Timestamp(..)) => Arc::new(
                TimestampMicrosecondArray::try_new(values.into(), valid.nulls())?
                    .with_timezone("UTC"),
            ),
            Self::Int(values, valid) => {
                Arc::new(Int64Array::try_new(values.into(), valid.nulls())?)
            }
            Self::Double(values, valid) => {
                Arc::new(Float64Array::try_new(values.into(), valid.nulls())?)
            }
            Self::Bool(values, valid) => Arc::new(BooleanArray::new(bits(&values), valid.nulls())),
            Self::Text { offsets, bytes, valid } => {
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                let bytes = Buffer::from_vec(bytes.into_bytes());
                Arc::new(StringArray::try_new(offsets, bytes, valid.nulls())?)
            }
            Self::Dictionary { codes, .. } => {
                Arc::new(DictionaryArray::try_new(keys(codes)?, dictionary.clone())?)
            }
            Self::List(mut builder) => Arc::new(builder.finish()),
        })
    }
}

#[inline]
fn push<T: Clone + Default>(values: &mut Vec<T>, valid: &mut Validity, row: usize, value: T) {
    if values.len() < row {
        pad(values, valid, row);
    }
    values.push(value);
    valid.push();
}

/// Adds a word in a row of a dictionary column; neighbours mostly agree.
#[inline]
fn word(codes: &mut Vec<Symbol>, names: &mut Interner, last: &mut Symbol, row: usize, text: &str) {
    if !names.is(*last, text) {
        *last = names.intern(text);
    }
    if codes.len() < row {
        codes.resize(row, Symbol::NONE);
    }
    codes.push(*last);
}

/// Makes room for an id in each row that there is room for, before the first text.
#[inline]
#[allow(clippy::ptr_arg)] // Its capacity is asked for.
fn make_room(bytes: &mut String, offsets: &Vec<i32>) {
    const ID_BYTES: usize = 40;
    if bytes.capacity() == 0 {
        bytes.reserve(offsets.capacity() * ID_BYTES);
    }
}

/// Ends the text in a row, where all texts so far have `end` bytes; gives its length.
#[inline]
fn end_text(offsets: &mut Vec<i32>, end: usize, valid: &mut Validity, row: usize) -> usize {
    let start = offsets.last().copied().unwrap_or(0);
    if offsets.len() <= row {
        offsets.resize(row + 1, start);
        valid.pad(row);
    }
    offsets.push(end as i32);
    valid.push();
    end - start as usize
}

#[inline(never)]
pub(super) fn pad<T: Clone + Default>(values: &mut Vec<T>, valid: &mut Validity, rows: usize) {
    values.resize(rows, T::default());
    valid.pad(rows);
}

fn keys(codes: Vec<Symbol>) -> Result<PrimitiveArray<Int32Type>, ArrowError> {
    let valid = Validity::of_flags(codes.iter().map(|code| code.is_some()).collect());
    let key = |code: Symbol| if code.is_some() { code.index() as i32 } else { 0 };
    // In the same place: the codes are not needed any more.
    let keys: Vec<i32> = codes.into_iter().map(key).collect();
    PrimitiveArray::try_new(keys.into(), valid.nulls())
}
