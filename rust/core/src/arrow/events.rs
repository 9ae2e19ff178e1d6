//! The table `events`.

use crate::arrow::columns::Columns;
use crate::arrow::of_units;
use crate::join::Corpus;
use crate::schema::Table;

/// Rows of `events`.
pub fn events(corpus: &Corpus) -> Vec<Columns> {
    let text = |symbol| corpus.strings.text(symbol);
    of_units::rows(
        corpus,
        Table::Events,
        |facts| &facts.further.events,
        |rows, sketch, fact| {
            rows.int(Some(i64::from(fact.file)));
            rows.int(Some(sketch.line as i64));
            rows.text(text(sketch.kind));
            rows.text(text(fact.subtype));
            rows.text(text(fact.level));
            rows.int(sketch.timestamp);
            rows.text(text(corpus.session(sketch.session, fact.file)));
            rows.text(text(fact.operation));
            rows.text(text(fact.queue_priority));
            rows.int(fact.duration_ms);
            rows.double(fact.retry_in_ms);
            rows.int(fact.retry_attempt);
            rows.text(text(fact.status));
            rows.int(fact.hook_count);
            rows.int(fact.hook_errors);
            rows.int(fact.content_chars);
        },
    )
}
