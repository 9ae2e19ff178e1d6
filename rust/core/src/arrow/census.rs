//! The table `census`.

use std::collections::HashSet;

use crate::arrow::columns::Columns;
use crate::census::{Item, rows as summed};
use crate::decode::json_type::JsonType;
use crate::join::Corpus;
use crate::schema::{Table, vocabulary};

/// Rows of `census`.
pub fn census(corpus: &Corpus) -> Columns {
    let known = |item: Item| vocabulary(item.known()).collect::<HashSet<&str>>();
    // By the place of the item in the vocabulary.
    let known = [Item::Record, Item::Block, Item::Attachment, Item::Field].map(known);
    let mut rows = Columns::in_stretches(&Table::Census.schema());
    let (sums, strings) = summed(corpus);
    for row in &sums {
        let name = strings.text(row.name).unwrap_or_default();
        let (file, line) = row.first;
        rows.int(Some(i64::from(file)));
        rows.int(Some(line as i64));
        rows.text(Some(row.item.name()));
        rows.text(Some(name));
        rows.text(row.json_type.map(JsonType::name));
        rows.text(strings.text(row.version));
        rows.int(Some(row.count as i64));
        rows.bool(Some(known[row.item as usize].contains(name)));
        rows.end_row();
    }
    rows
}
