//! The table `compactions`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::compactions::Compaction;
use crate::schema::Table;

/// Rows of `compactions`.
pub fn compactions(corpus: &Corpus, compactions: &[Compaction]) -> Columns {
    let text = |symbol| corpus.strings.text(symbol);
    let mut rows = Columns::in_stretches(&Table::Compactions.schema());
    for compaction in compactions {
        let said = corpus.boundary(compaction.boundary);
        let sketch = corpus.sketch(compaction.boundary.unit, said.sketch);
        let kind = if said.is_micro { "microcompact_boundary" } else { "compact_boundary" };
        rows.int(Some(i64::from(said.file)));
        rows.int(Some(sketch.line as i64));
        rows.text(text(compaction.session));
        rows.int(sketch.timestamp);
        rows.text(Some(kind));
        rows.text(text(said.trigger));
        rows.int(said.pre_tokens);
        rows.int(said.post_tokens);
        rows.int(said.duration_ms);
        rows.int(said.cumulative_dropped_tokens);
        rows.int(said.preserved_messages);
        rows.int(compaction.summary_line.map(|line| line as i64));
        rows.end_row();
    }
    rows
}
