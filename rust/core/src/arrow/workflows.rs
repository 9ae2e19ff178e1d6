//! The table `workflows`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::workflows::Workflow;
use crate::schema::Table;

/// Rows of `workflows`.
pub fn workflows(corpus: &Corpus, workflows: &[Workflow]) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Workflows.schema());
    let text = |symbol| corpus.strings.text(symbol);
    for workflow in workflows {
        let (file, line, _) = workflow.position;
        rows.int(Some(i64::from(file)));
        rows.int(Some(line as i64));
        rows.text(text(workflow.session));
        rows.text(text(workflow.id));
        rows.text(text(workflow.run));
        rows.text(text(workflow.name));
        rows.text(text(workflow.status));
        rows.int(Some(workflow.n_started));
        rows.int(Some(workflow.n_results));
        rows.int(Some(workflow.n_transcripts));
        rows.bool(Some(workflow.has_journal));
        rows.bool(Some(workflow.has_definition));
        rows.int(workflow.total_tokens);
        rows.end_row();
    }
    rows
}
