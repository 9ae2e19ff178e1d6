//! Columns that rows are pushed to, and the record batches that they become.

mod column;
mod exchanged;
mod filled;
mod known;
mod nothing;
mod validity;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, SchemaRef};
use rayon::prelude::*;

use crate::decode::text::Raw;
use crate::strings::{Interner, Symbol};
use column::Column;
pub use filled::Filling;
use nothing::Nothing;

/// Rows are closed when their text has this many bytes: offsets are 32 bits.
pub const TEXT_LIMIT: usize = 1 << 30;

/// Rows of one table. Every row pushes one value to each column, in order. A null
/// costs nothing: a column is as long as its last value needs.
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
        Self::with_room(schema, 0)
    }

    /// No rows yet, and room for so many.
    pub fn with_room(schema: &SchemaRef, rows: usize) -> Self {
        let fields = schema.fields().iter();
        let columns = fields.map(|field| Column::new(field.data_type(), rows)).collect();
        Self::of_columns(columns, 0)
    }

    /// So many complete rows.
    fn of_columns(columns: Vec<Column>, rows: usize) -> Self {
        let text_bytes = columns.iter().map(Column::text_bytes).sum();
        Self { columns, next: 0, rows, text_bytes, stretches: None }
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

    /// The column whose turn it is, and how many rows it should have.
    #[inline]
    fn column(&mut self) -> (&mut Column, usize) {
        let column = &mut self.columns[self.next];
        self.next += 1;
        (column, self.rows)
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

    /// Pushes a null.
    #[inline]
    fn null(&mut self) {
        self.next += 1;
    }

    /// Pushes an integer or a timestamp.
    #[inline(always)]
    #[allow(clippy::inline_always)] // Most values are null: these cost no call.
    pub fn int(&mut self, value: Option<i64>) {
        match value {
            None => self.null(),
            Some(value) => self.some_int(value),
        }
    }

    fn some_int(&mut self, value: i64) {
        let (column, row) = self.column();
        column.int(row, value);
    }

    /// Pushes a fraction.
    pub fn double(&mut self, value: Option<f64>) {
        let Some(value) = value else { return self.null() };
        let (column, row) = self.column();
        column.double(row, value);
    }

    /// Pushes a boolean.
    #[inline(always)]
    #[allow(clippy::inline_always)] // As of an integer.
    pub fn bool(&mut self, value: Option<bool>) {
        match value {
            None => self.null(),
            Some(value) => self.some_bool(value),
        }
    }

    fn some_bool(&mut self, value: bool) {
        let (column, row) = self.column();
        column.bool(row, value);
    }

    /// Pushes text, to a column of strings or of a dictionary.
    #[inline]
    pub fn text(&mut self, value: Option<&str>) {
        let Some(text) = value else { return self.null() };
        let (column, row) = self.column();
        self.text_bytes += column.text(row, text);
    }

    /// Pushes the text of a JSON string.
    #[inline(always)]
    #[allow(clippy::inline_always)] // As of an integer.
    pub fn raw(&mut self, value: Option<Raw<'_>>) {
        match value {
            None => self.null(),
            Some(raw) => self.some_raw(raw),
        }
    }

    fn some_raw(&mut self, raw: Raw<'_>) {
        let (column, row) = self.column();
        self.text_bytes += column.raw(row, raw);
    }

    /// Pushes a list of text.
    pub fn list<'a>(&mut self, values: impl IntoIterator<Item = &'a str>) {
        let (column, row) = self.column();
        self.text_bytes += column.list(row, values);
    }

    /// Keeps the rows whose `keep` is true.
    pub fn retain(&mut self, keep: &[bool]) {
        if !keep.contains(&false) {
            return;
        }
        self.columns.iter_mut().for_each(|column| column.retain(keep));
        self.rows = keep.iter().filter(|keep| **keep).count();
        self.text_bytes = self.columns.iter().map(Column::text_bytes).sum();
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

    /// Takes the first so many of the rows.
    #[must_use]
    pub fn take_first(&mut self, count: usize) -> Self {
        if count == self.rows {
            return std::mem::replace(self, Self::of_columns(Vec::new(), 0));
        }
        let is_first: Vec<bool> = (0..self.rows).map(|row| row < count).collect();
        let first = self.copy_of(&is_first);
        self.retain(&is_first.iter().map(|is_first| !is_first).collect::<Vec<_>>());
        first
    }

    /// Puts columns of the same rows between its own: `is_own` says of each column
    /// whether it is one of these.
    ///
    /// # Panics
    ///
    /// Where the others have more or fewer rows.
    #[must_use]
    pub fn woven_with(self, other: Self, is_own: impl Iterator<Item = bool>) -> Self {
        assert_eq!(self.rows, other.rows, "columns of the same rows");
        let (mut own, mut others) = (self.columns.into_iter(), other.columns.into_iter());
        let columns = is_own.filter_map(|is_own| if is_own { own.next() } else { others.next() });
        Self::of_columns(columns.collect(), self.rows)
    }

    /// The rows whose `keep` is true.
    fn copy_of(&self, keep: &[bool]) -> Self {
        let mut copy = Self::of_columns(self.columns.iter().map(Column::copy).collect(), self.rows);
        copy.retain(keep);
        copy
    }

    /// Gives back memory that was reserved for more rows.
    pub fn shrink(&mut self) {
        let rows = self.rows;
        self.columns.iter_mut().for_each(|column| column.shrink(rows));
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
    dictionaries.share_all(&mut parts);
    let values = dictionaries.values();
    parts.into_par_iter().map(|part| batch(schema, part, &values)).collect()
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
            share_column(shared, column);
        }
    }

    /// The same for many rows, in their order: one column beside the other.
    fn share_all(&mut self, parts: &mut [Columns]) {
        let mut columns: Vec<Vec<&mut Column>> = self.0.iter().map(|_| Vec::new()).collect();
        for part in parts {
            columns.iter_mut().zip(&mut part.columns).for_each(|(all, column)| all.push(column));
        }
        self.0.par_iter_mut().zip(columns).for_each(|(shared, columns)| {
            for column in columns {
                share_column(shared, column);
            }
        });
    }

    /// The words as arrays.
    pub fn values(&self) -> Vec<ArrayRef> {
        self.0.iter().map(dictionary_values).collect()
    }
}

/// Renames the codes of a dictionary column to those of the shared dictionary, which
/// grows as rows that are still there name its words.
fn share_column(shared: &mut Interner, column: &mut Column) {
    let Column::Dictionary { codes, names, .. } = column else { return };
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
    let mut nothing = Nothing::in_rows(rows.rows);
    let columns = rows.columns.into_iter().zip(schema.fields()).zip(dictionaries);
    let arrays = columns
        .map(|((column, field), words)| column.array(field.data_type(), words, &mut nothing))
        .collect::<Result<_, _>>()?;
    RecordBatch::try_new(schema.clone(), arrays)
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, Field};

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

    #[test]
    fn columns_of_the_same_rows_are_put_together_stretch_by_stretch() {
        let word = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
        let types = [DataType::Int64, word, DataType::Utf8, DataType::Boolean];
        let fields = types.map(|data_type| Field::new("column", data_type, true));
        let schema_of = |columns: &[usize]| -> SchemaRef {
            let fields = columns.iter().map(|column| fields[*column].clone());
            Arc::new(arrow_schema::Schema::new(fields.collect::<Vec<_>>()))
        };
        let texts = [Some("a"), None, Some("bc"), None, Some("a")];
        let rows = |columns: &[usize]| {
            let mut rows = Columns::new(&schema_of(columns));
            for (text, number) in texts.iter().zip(0..) {
                for column in columns {
                    match column {
                        0 => rows.int(Some(number)),
                        3 => rows.bool(text.map(str::is_empty)),
                        _ => rows.text(*text),
                    }
                }
                rows.end_row();
            }
            rows
        };
        let all = schema_of(&[0, 1, 2, 3]);
        let wanted = batches(&all, vec![rows(&[0, 1, 2, 3])]).expect("rows of the schema");
        for first in 0..=texts.len() {
            let (mut own, mut others) = (rows(&[0, 2]), rows(&[1, 3]));
            let stretches = [first, texts.len() - first].map(|count| {
                let (own, others) = (own.take_first(count), others.take_first(count));
                own.woven_with(others, [true, false, true, false].into_iter())
            });
            let text_bytes: usize = stretches.iter().map(Columns::text_bytes).sum();
            assert_eq!(text_bytes, 4);
            let batches = batches(&all, stretches.into()).expect("rows of the schema");
            let mut start = 0;
            for batch in batches {
                assert_eq!(batch, wanted[0].slice(start, batch.num_rows()), "{first}");
                start += batch.num_rows();
            }
            assert_eq!(start, texts.len());
        }
    }
}
