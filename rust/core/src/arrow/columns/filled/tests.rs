use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

use super::*;
use crate::arrow::columns::batches;

#[test]
fn columns_are_as_rows_would_make_them_in_as_many_stretches_as_they_need() {
    let word = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
    let types = [DataType::Int64, DataType::Utf8, DataType::Boolean, word, DataType::Utf8];
    let fields = types.map(|data_type| Field::new("column", data_type, true));
    let schema: SchemaRef = Arc::new(Schema::new(fields.to_vec()));
    let mut strings = Interner::of_ids();
    let texts = [None, Some("a"), Some(""), None, Some("bc"), Some("a"), Some("bc"), None];
    let ids = texts.map(|text| text.map_or(Symbol::NONE, |text| strings.intern(text)));
    let rows: Vec<_> = ids.into_iter().zip(texts).zip(0..).collect();
    let mut one_by_one = Columns::new(&schema);
    for ((_, text), number) in &rows {
        for field in schema.fields() {
            match Column::new(field.data_type(), 0) {
                Column::Int(..) => one_by_one.int(text.map(|_| *number)),
                Column::Bool(..) => one_by_one.bool(text.map(str::is_empty)),
                _ => one_by_one.text(*text),
            }
        }
        one_by_one.end_row();
    }
    let wanted = batches(&schema, vec![one_by_one]).expect("rows of the schema").remove(0);
    for (limit, stretches) in [(TEXT_LIMIT, 1), (10, 2), (0, 7)] {
        for by_symbol in [false, true] {
            let fill = |columns: &mut Filling<'_, ((Symbol, Option<&'static str>), i64)>| {
                for field in schema.fields() {
                    match Column::new(field.data_type(), 0) {
                        Column::Int(..) => columns.int(|row| row.0.1.map(|_| row.1)),
                        Column::Bool(..) => columns.bool(|row| row.0.1.map(str::is_empty)),
                        _ if by_symbol => columns.symbol(|row| row.0.0),
                        _ => columns.text(|row| row.0.1),
                    }
                }
            };
            let all = Columns::filled_up_to(&schema, &strings, &rows, limit, &fill);
            assert!(all.len() >= stretches, "{limit}: {}", all.len());
            let batches = batches(&schema, all).expect("rows of the schema");
            let mut start = 0;
            for batch in batches {
                let rows = batch.num_rows();
                assert_eq!(batch, wanted.slice(start, rows), "{limit} {by_symbol}");
                start += rows;
            }
            assert_eq!(start, texts.len());
        }
    }
}
