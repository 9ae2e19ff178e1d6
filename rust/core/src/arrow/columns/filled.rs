//! Rows that are made column by column, where all of them are known before: a
//! column then gets all its room at once, and one value after the other without
//! a look at what kind of column it is.

use arrow_schema::SchemaRef;

use super::column::{Column, pad};
use super::known::{KnownSymbols, KnownWords};
use super::validity::Validity;
use super::{Columns, TEXT_LIMIT};
use crate::strings::{Interner, Symbol};

/// The columns of some rows, filled one after the other in the order of the schema.
#[derive(Debug)]
pub struct Filling<'r, R> {
    rows: &'r [R],
    strings: &'r Interner,
    columns: Columns,
    text_limit: usize,
    /// There is more text than that in these rows: they have to be cut.
    is_too_long: bool,
}

impl Columns {
    /// Fills the columns of a table; in as many stretches as the text of the rows
    /// needs. `fill` gives each column its values.
    pub fn filled<'r, R>(
        schema: &SchemaRef,
        strings: &'r Interner,
        rows: &'r [R],
        fill: impl Fn(&mut Filling<'r, R>),
    ) -> Vec<Self> {
        Self::filled_up_to(schema, strings, rows, TEXT_LIMIT, &fill)
    }

    fn filled_up_to<'r, R>(
        schema: &SchemaRef,
        strings: &'r Interner,
        rows: &'r [R],
        text_limit: usize,
        fill: &impl Fn(&mut Filling<'r, R>),
    ) -> Vec<Self> {
        let columns = Self::new(schema);
        let mut filling = Filling { rows, strings, columns, text_limit, is_too_long: false };
        fill(&mut filling);
        let Filling { mut columns, is_too_long, .. } = filling;
        assert_eq!(columns.next, columns.columns.len(), "every column is filled");
        if is_too_long {
            drop(columns);
            let (first, second) = rows.split_at(rows.len() / 2);
            let mut all = Self::filled_up_to(schema, strings, first, text_limit, fill);
            all.extend(Self::filled_up_to(schema, strings, second, text_limit, fill));
            return all;
        }
        (columns.next, columns.rows) = (0, rows.len());
        vec![columns]
    }
}

impl<'r, R> Filling<'r, R> {
    fn next(&mut self) -> &mut Column {
        self.columns.next += 1;
        &mut self.columns.columns[self.columns.next - 1]
    }

    /// Fills a column of integers or timestamps.
    pub fn int(&mut self, value: impl Fn(&'r R) -> Option<i64>) {
        let rows = self.rows;
        match self.next() {
            Column::Int(values, valid) => fill(values, valid, rows.iter().map(&value)),
            other => unreachable!("integers for {other:?}"),
        }
    }

    /// Fills a column of booleans.
    pub fn bool(&mut self, value: impl Fn(&'r R) -> Option<bool>) {
        let rows = self.rows;
        match self.next() {
            Column::Bool(values, valid) => fill(values, valid, rows.iter().map(&value)),
            other => unreachable!("booleans for {other:?}"),
        }
    }

    /// Fills a column of strings or of a dictionary.
    pub fn text(&mut self, text: impl Fn(&'r R) -> Option<&'r str>) {
        let texts = self.rows.iter().map(&text);
        let rows = self.rows.len();
        if let Column::Dictionary { codes, names, .. } = self.next() {
            let mut known = KnownWords::default();
            fill_codes(codes, rows, texts.map(|text| known.code(text, names)));
        } else {
            self.strings(texts.clone().flatten().map(str::len).sum(), texts);
        }
    }

    /// Fills a column of strings or of a dictionary with those of symbols.
    pub fn symbol(&mut self, symbol: impl Fn(&'r R) -> Symbol) {
        let (strings, rows) = (self.strings, self.rows.len());
        let symbols = self.rows.iter().map(&symbol);
        if let Column::Dictionary { codes, names, .. } = self.next() {
            let mut known = KnownSymbols::default();
            fill_codes(codes, rows, symbols.map(|symbol| known.code(symbol, strings, names)));
        } else {
            let bytes = symbols.clone().map(|symbol| strings.bytes_of(symbol)).sum();
            // Rows of one session mostly say the same of it.
            let mut last = (Symbol::NONE, None);
            let text = move |symbol| {
                if last.0 != symbol {
                    last = (symbol, strings.text(symbol));
                }
                last.1
            };
            self.strings(bytes, symbols.map(text));
        }
    }

    /// Fills the column that was next with strings of so many bytes.
    fn strings<'t>(
        &mut self,
        text_bytes: usize,
        texts: impl ExactSizeIterator<Item = Option<&'t str>> + Clone,
    ) {
        self.columns.text_bytes += text_bytes;
        self.is_too_long |= self.columns.text_bytes > self.text_limit && self.rows.len() > 1;
        if self.is_too_long {
            return;
        }
        let Some(first) = texts.clone().position(|text| text.is_some()) else { return };
        match &mut self.columns.columns[self.columns.next - 1] {
            Column::Text { offsets, bytes, valid } => {
                offsets.reserve_exact(texts.len());
                offsets.resize(first + 1, 0);
                valid.pad(first);
                bytes.reserve_exact(text_bytes);
                let rows = texts.len();
                for text in texts.skip(first) {
                    bytes.push_str(text.unwrap_or_default());
                    offsets.push(bytes.len() as i32);
                    valid.push_whether(text.is_some(), rows);
                }
            }
            other => unreachable!("text for {other:?}"),
        }
    }
}

/// Fills a column of values. One without any takes no room.
fn fill<T: Clone + Default>(
    column: &mut Vec<T>,
    valid: &mut Validity,
    values: impl ExactSizeIterator<Item = Option<T>> + Clone,
) {
    let Some(first) = values.clone().position(|value| value.is_some()) else { return };
    let rows = values.len();
    column.reserve_exact(rows);
    pad(column, valid, first);
    for value in values.skip(first) {
        valid.push_whether(value.is_some(), rows);
        column.push(value.unwrap_or_default());
    }
}

/// Fills a column of a dictionary. One without any word takes no room.
fn fill_codes(codes: &mut Vec<Symbol>, rows: usize, all: impl Iterator<Item = Symbol>) {
    for (row, code) in all.enumerate() {
        if codes.len() == row && row > 0 {
            codes.push(code);
        } else if code.is_some() {
            codes.reserve_exact(rows);
            codes.resize(row, Symbol::NONE);
            codes.push(code);
        }
    }
}

#[cfg(test)]
mod tests;
