//! The table `attachments`.

use crate::arrow::columns::Columns;
use crate::arrow::of_units;
use crate::join::Corpus;
use crate::schema::Table;

/// Rows of `attachments`.
pub fn attachments(corpus: &Corpus) -> Vec<Columns> {
    let text = |symbol| corpus.strings.text(symbol);
    of_units::rows(
        corpus,
        Table::Attachments,
        |facts| &facts.further.attachments,
        |rows, sketch, fact| {
            rows.int(Some(i64::from(fact.file)));
            rows.int(Some(sketch.line as i64));
            rows.text(text(fact.kind));
            rows.int(sketch.timestamp);
            rows.text(text(corpus.session(sketch.session, fact.file)));
            rows.text(text(fact.hook_name));
            rows.text(text(fact.hook_event));
            rows.int(fact.exit_code);
            rows.int(fact.duration_ms);
            rows.text(text(fact.tool_use));
            rows.text(text(fact.command_mode));
            rows.text(text(fact.origin_kind));
            rows.int(fact.names);
            rows.int(fact.chars);
        },
    )
}
