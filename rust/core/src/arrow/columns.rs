//! Columns that rows are pushed to, and the record batches that they become.

mod exchanged;

use std::sync::Arc;

use arrow_array::builder::ListBuilder;
use arrow_array::builder::StringBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, PrimitiveArray, RecordBatch,
    StringArray, TimestampMicrosecondArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, SchemaRef};

use crate::decode::text::Raw;
use crate::strings::{Interner, Symbol};

/// Rows are closed when their text has this many bytes: offsets are 32 bits.
pub const TEXT_LIMIT: usize = 1 << 30;

/// One column under construction.
#[derive(Debug)]
enum Column {
    /// Integers, and timestamps in microseconds.
    Int(Vec<i64>, Vec<bool>),
    /// Fractions.
    Double(Vec<Option<f64>>),
    /// Booleans.
    Bool(Vec<Option<bool>>),
    /// Text: where each value ends, and all values one behind the other.
    Text { ends: Vec<i32>, bytes: String, valid: Vec<bool> },
    /// Text of a small vocabulary.
    Dictionary { codes: Vec<Symbol>, names: Interner, last: Symbol },
    /// Lists of text.
    List(ListBuilder<StringBuilder>),
}

impl Column {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Int64 | DataType::Timestamp(..) => Self::Int(Vec::new(), Vec::new()),
            DataType::Float64 => Self::Double(Vec::new()),
            DataType::Boolean => Self::Bool(Vec::new()),
            DataType::Dictionary(..) => Self::Dictionary {
                codes: Vec::new(),
                names: Interner::default(),
                last: Symbol::NONE,
            },
            DataType::List(_) => Self::List(ListBuilder::new(StringBuilder::new())),
            _ => Self::Text { ends: Vec::new(), bytes: String::new(), valid: Vec::new() },
        }
    }

    /// Keeps the rows whose `keep` is true.
    fn retain(&mut self, keep: &[bool]) {
        fn filter<T: Copy>(values: &mut Vec<T>, keep: &[bool]) {
            let mut kept = keep.iter();
            values.retain(|_| kept.next() == Some(&true));
        }
        match self {
            Self::Int(values, valid) => {
                filter(values, keep);
                filter(valid, keep);
            }
            Self::Double(values) => filter(values, keep),
            Self::Bool(values) => filter(values, keep),
            Self::Dictionary { codes, .. } => filter(codes, keep),
            Self::Text { ends, bytes, valid } => {
                let mut kept = String::with_capacity(bytes.len());
                let mut start = 0;
                for (end, keep) in ends.iter_mut().zip(keep) {
                    let old = *end as usize;
                    if *keep {
                        kept.push_str(&bytes[start..old]);
                    }
                    start = old;
                    *end = kept.len() as i32;
                }
                filter(ends, keep);
                filter(valid, keep);
                *bytes = kept;
            }
            Self::List(_) => unreachable!("only tables with lists are built after filtering"),
        }
    }

    fn shrink(&mut self) {
        match self {
            Self::Int(values, valid) => {
                values.shrink_to_fit();
                valid.shrink_to_fit();
            }
            Self::Double(values) => values.shrink_to_fit(),
            Self::Bool(values) => values.shrink_to_fit(),
            Self::Text { ends, bytes, valid } => {
                ends.shrink_to_fit();
                bytes.shrink_to_fit();
                valid.shrink_to_fit();
            }
            Self::Dictionary { codes, .. } => codes.shrink_to_fit(),
            Self::List(_) => {}
        }
    }
}

/// Rows of one table. Every row pushes one value to each column, in order.
#[derive(Debug)]
#[allow(clippy::struct_field_names)] // Rows are made of columns; no other word is as clear.
pub struct Columns {
    columns: Vec<Column>,
    next: usize,
    rows: usize,
    text_bytes: usize,
    stretches: Option<Stretches>,
}

/// Rows that were closed, and how those behind them begin.
#[derive(Debug)]
struct Stretches {
    closed: Vec<Columns>,
    schema: SchemaRef,
    text_limit: usize,
}

impl Columns {
    /// No rows of a table of this schema.
    pub fn new(schema: &SchemaRef) -> Self {
        let columns = schema.fields().iter().map(|field| Column::new(field.data_type())).collect();
        Self { columns, next: 0, rows: 0, text_bytes: 0, stretches: None }
    }

    /// No rows of a table whose text may outgrow a column: what one record says
    /// once, such as a session's id, may stand in every row. [`batches`] takes
    /// them in as many stretches as their text needs.
    pub fn in_stretches(schema: &SchemaRef) -> Self {
        Self::in_stretches_of(schema, TEXT_LIMIT)
    }

    fn in_stretches_of(schema: &SchemaRef, text_limit: usize) -> Self {
        let stretches = Stretches { closed: Vec::new(), schema: schema.clone(), text_limit };
        Self { stretches: Some(stretches), ..Self::new(schema) }
    }

    /// Closes the rows where they have enough text.
    fn close(&mut self) {
        let text_bytes = self.text_bytes;
        if let Some(stretches) = self.stretches.take_if(|full| text_bytes >= full.text_limit) {
            let next = Self::new(&stretches.schema);
            let full = std::mem::replace(self, next);
            self.stretches.insert(stretches).closed.push(full);
        }
    }

    /// Those that were closed, in order, and the rest.
    pub(crate) fn split(mut self) -> impl Iterator<Item = Self> {
        let closed = self.stretches.take().map_or(Vec::new(), |stretches| stretches.closed);
        closed.into_iter().chain([self])
    }

    /// How many rows are complete.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes of text in all columns.
    pub fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    fn column(&mut self) -> &mut Column {
        let column = &mut self.columns[self.next];
        self.next += 1;
        column
    }

    /// Ends the row.
    ///
    /// # Panics
    ///
    /// Where a column got no value, or one got two: a table would be wrong from here on.
    pub fn end_row(&mut self) {
        assert_eq!(self.next, self.columns.len(), "a row fills every column");
        self.next = 0;
        self.rows += 1;
        self.close();
    }

    /// Pushes an integer or a timestamp.
    #[inline]
    pub fn int(&mut self, value: Option<i64>) {
        match self.column() {
            Column::Int(values, valid) => {
                values.push(value.unwrap_or(0));
                valid.push(value.is_some());
            }
            other => unreachable!("an integer for {other:?}"),
        }
    }

    /// Pushes a fraction.
    pub fn double(&mut self, value: Option<f64>) {
        match self.column() {
            Column::Double(values) => values.push(value),
            other => unreachable!("a fraction for {other:?}"),
        }
    }

    /// Pushes a boolean.
    #[inline]
    pub fn bool(&mut self, value: Option<bool>) {
        match self.column() {
            Column::Bool(values) => values.push(value),
            other => unreachable!("a boolean for {other:?}"),
        }
    }

    /// Pushes text, to a column of strings or of a dictionary.
    #[inline]
    pub fn text(&mut self, value: Option<&str>) {
        let length = value.map_or(0, str::len);
        match self.column() {
            Column::Text { ends, bytes, valid } => {
                bytes.push_str(value.unwrap_or_default());
                ends.push(bytes.len() as i32);
                valid.push(value.is_some());
                self.text_bytes += length;
            }
            Column::Dictionary { codes, names, last } => {
                let code = match value {
                    None => Symbol::NONE,
                    // Neighbours mostly agree.
                    Some(text) if names.text(*last) == Some(text) => *last,
                    Some(text) => names.intern(text),
                };
                if code.is_some() {
                    *last = code;
                }
                codes.push(code);
            }
            other => unreachable!("text for {other:?}"),
        }
    }

    /// Pushes the text of a JSON string.
    #[inline]
    pub fn raw(&mut self, value: Option<Raw<'_>>) {
        match value {
            None => self.text(None),
            Some(raw) => self.text(Some(&raw.text())),
        }
    }

    /// Pushes a list of text.
    pub fn list<'a>(&mut self, values: impl IntoIterator<Item = &'a str>) {
        match self.column() {
            Column::List(builder) => {
                let mut length = 0;
                for value in values {
                    length += value.len();
                    builder.values().append_value(value);
                }
                builder.append(true);
                self.text_bytes += length;
            }
            other => unreachable!("a list for {other:?}"),
        }
    }

    /// Keeps the rows whose `keep` is true.
    pub fn retain(&mut self, keep: &[bool]) {
        self.columns.iter_mut().for_each(|column| column.retain(keep));
        self.rows = keep.iter().filter(|keep| **keep).count();
    }

    /// Adds `amount` to every value of an integer column.
    pub fn add_to_ints(&mut self, column: usize, amount: i64) {
        if let Column::Int(values, _) = &mut self.columns[column] {
            for value in values {
                *value += amount;
            }
        }
    }

    /// Numbers the files from `first` instead of 0, in every column that names one.
    pub(crate) fn shift_files(&mut self, schema: &SchemaRef, first: u32) {
        for (column, field) in schema.fields().iter().enumerate() {
            let name = field.name();
            if name == "file_id" || name.ends_with("_file_id") {
                self.add_to_ints(column, i64::from(first));
            }
        }
    }

    /// Replaces a boolean column.
    pub fn set_bools(&mut self, column: usize, value: impl IntoIterator<Item = bool>) {
        self.columns[column] = Column::Bool(value.into_iter().map(Some).collect());
    }

    /// Gives back memory that was reserved for more rows.
    pub fn shrink(&mut self) {
        self.columns.iter_mut().for_each(Column::shrink);
    }
}

/// Makes the batches of one table. All of them share one dictionary for each
/// dictionary column, in order of first appearance over all rows.
pub fn batches(schema: &SchemaRef, parts: Vec<Columns>) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut parts: Vec<Columns> = parts.into_iter().flat_map(Columns::split).collect();
    parts.retain(|part| part.rows > 0);
    if parts.is_empty() {
        parts.push(Columns::new(schema));
    }
    let mut dictionaries = Dictionaries::new(schema);
    for part in &mut parts {
        dictionaries.share(part);
    }
    let values = dictionaries.values();
    parts.into_iter().map(|part| batch(schema, part, &values)).collect()
}

/// The words of each dictionary column, in order of first appearance.
#[derive(Debug)]
pub struct Dictionaries(Vec<Interner>);

impl Dictionaries {
    /// No words yet.
    pub fn new(schema: &SchemaRef) -> Self {
        Self(schema.fields().iter().map(|_| Interner::default()).collect())
    }

    /// Adds the words of rows, and renames their codes.
    pub fn share(&mut self, rows: &mut Columns) {
        for (shared, column) in self.0.iter_mut().zip(&mut rows.columns) {
            if let Column::Dictionary { codes, names, .. } = column {
                share_dictionary(shared, codes, names);
            }
        }
    }

    /// The words as arrays.
    pub fn values(&self) -> Vec<ArrayRef> {
        self.0.iter().map(dictionary_values).collect()
    }
}

/// Renames the codes to those of the shared dictionary, which grows as rows
/// that are still there name its words.
fn share_dictionary(shared: &mut Interner, codes: &mut [Symbol], names: &Interner) {
    let mut renamed = vec![Symbol::NONE; names.len()];
    for code in codes.iter_mut().filter(|code| code.is_some()) {
        let name = &mut renamed[code.index()];
        if !name.is_some() {
            *name = shared.intern(names.text(*code).unwrap_or_default());
        }
        *code = *name;
    }
}

fn dictionary_values(names: &Interner) -> ArrayRef {
    let texts = (0..names.len()).map(|index| names.text_of_index(index));
    Arc::new(StringArray::from_iter_values(texts))
}

/// Makes a batch of rows whose codes are those of `dictionaries`.
pub fn batch(
    schema: &SchemaRef,
    rows: Columns,
    dictionaries: &[ArrayRef],
) -> Result<RecordBatch, ArrowError> {
    let arrays = rows
        .columns
        .into_iter()
        .zip(schema.fields())
        .zip(dictionaries)
        .map(|((column, field), dictionary)| array(column, field.data_type(), dictionary))
        .collect::<Result<_, _>>()?;
    RecordBatch::try_new(schema.clone(), arrays)
}

fn nulls(valid: &[bool]) -> Option<NullBuffer> {
    valid.contains(&false).then(|| NullBuffer::from(valid))
}

fn array(
    column: Column,
    data_type: &DataType,
    dictionary: &ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    Ok(match column {
        Column::Int(values, valid) if matches!(data_type, DataType::Timestamp(..)) => Arc::new(
            TimestampMicrosecondArray::try_new(values.into(), nulls(&valid))?.with_timezone("UTC"),
        ),
        Column::Int(values, valid) => Arc::new(Int64Array::try_new(values.into(), nulls(&valid))?),
        Column::Double(values) => Arc::new(Float64Array::from(values)),
        Column::Bool(values) => Arc::new(BooleanArray::from(values)),
        Column::Text { ends, bytes, valid } => {
            let mut offsets = Vec::with_capacity(ends.len() + 1);
            offsets.push(0);
            offsets.extend(ends);
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            let bytes = Buffer::from_vec(bytes.into_bytes());
            Arc::new(StringArray::try_new(offsets, bytes, nulls(&valid))?)
        }
        Column::Dictionary { codes, .. } => {
            let keys: PrimitiveArray<Int32Type> =
                codes.into_iter().map(|code| code.is_some().then(|| code.index() as i32)).collect();
            Arc::new(DictionaryArray::try_new(keys, dictionary.clone())?)
        }
        Column::List(mut builder) => Arc::new(builder.finish()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Table;

    #[test]
    fn rows_are_closed_before_their_text_outgrows_a_column() {
        let schema = Table::Compactions.schema();
        let texts = ["a", "bc", "", "defg", "h"];
        for (limit, stretches) in [(1, 4), (3, 3), (TEXT_LIMIT, 1)] {
            let mut rows = Columns::in_stretches_of(&schema, limit);
            for text in texts {
                for field in schema.fields() {
                    match field.data_type() {
                        DataType::Utf8 => rows.text(Some(text)),
                        DataType::Dictionary(..) => rows.text(None),
                        _ => rows.int(Some(0)),
                    }
                }
                rows.end_row();
            }
            let batches = batches(&schema, vec![rows]).expect("rows of the schema");
            assert_eq!(batches.len(), stretches, "{limit}");
            assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), texts.len());
        }
    }
}
