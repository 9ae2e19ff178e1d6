//! The table `links`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::links::Link;
use crate::schema::Table;

/// Rows of `links`.
pub fn links(corpus: &Corpus, links: &[Link]) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Links.schema());
    let text = |symbol| corpus.strings.text(symbol);
    for link in links {
        let (file, line, _) = link.position;
        rows.int(Some(i64::from(file)));
        rows.int(Some(line as i64));
        rows.text(text(link.session));
        rows.text(text(link.other));
        rows.text(Some(link.evidence.name()));
        rows.int(Some(link.n_shared));
        rows.text(link.first_shared_uuid.as_deref());
        rows.bool(Some(link.target_found));
        rows.end_row();
    }
    rows
}
