//! The tables `usage` and `usage_iterations`.

use rayon::prelude::*;

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::usage::Response;
use crate::record::Counts;
use crate::schema::Table;

/// Rows that are made at a time.
const ROWS: usize = 8192;

/// Rows of `usage`, in stretches that are made side by side.
pub fn usage(corpus: &Corpus, responses: &[Response]) -> Vec<Columns> {
    let stretch = |responses: &[Response]| {
        let mut rows = Columns::new(&Table::Usage.schema());
        for response in responses {
            push(&mut rows, corpus, response);
        }
        rows.shrink();
        rows
    };
    responses.par_chunks(ROWS).map(stretch).collect()
}

fn push(rows: &mut Columns, corpus: &Corpus, response: &Response) {
    let carrier = corpus.carrier(response.retained);
    let said = corpus.envelope(response.retained);
    let unit = &corpus.units[response.retained.unit as usize];
    let text = |symbol| corpus.strings.text(symbol);
    let (file, line, _) = response.position;
    let has_final = carrier.stop_reason.is_some();
    let agent = if carrier.is_inline { carrier.agent } else { corpus.agent(carrier.agent, file) };
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.text(text(said.session));
    rows.text(text(carrier.message));
    rows.text(text(carrier.request));
    rows.text(text(said.model));
    rows.text(text(agent));
    rows.bool(carrier.is_sidechain);
    rows.text(Some(if carrier.is_inline { "inline" } else { "file" }));
    rows.int(response.first_timestamp);
    rows.int(response.last_timestamp);
    rows.int(Some(response.n_records));
    rows.bool(Some(response.has_conflict()));
    rows.text(Some(response.certainty(has_final)));
    rows.bool((!response.is_growth).then_some(has_final));
    rows.text(text(carrier.stop_reason));
    rows.bool(text(said.model).map(|model| model == "<synthetic>"));
    rows.bool(carrier.is_api_error);
    rows.bool(Some(response.copy.is_copy));
    rows.text(text(response.copy.session));
    tokens(rows, &corpus.counts(response.retained));
    let miss = carrier.miss.map(|miss| unit.misses[miss.get() as usize]).unwrap_or_default();
    rows.text(text(miss.kind));
    rows.int(miss.missed_input_tokens);
    rows.text(text(said.cwd));
    rows.text(text(said.git_branch));
    rows.text(text(said.version));
    rows.text(text(said.entrypoint));
    rows.text(text(carrier.effort));
    unit.attributions.get(carrier.attribution).0.iter().for_each(|symbol| rows.text(text(*symbol)));
    rows.end_row();
}

fn tokens(rows: &mut Columns, counts: &Counts) {
    counts.columns().into_iter().for_each(|count| rows.int(count));
}

/// Rows of `usage_iterations`.
pub fn iterations(corpus: &Corpus, responses: &[Response]) -> Columns {
    let mut rows = Columns::new(&Table::UsageIterations.schema());
    let text = |symbol| corpus.strings.text(symbol);
    for response in responses {
        let carrier = corpus.carrier(response.retained);
        let said = corpus.envelope(response.retained);
        let (file, line, _) = response.position;
        let unit = &corpus.units[response.retained.unit as usize];
        let entries = carrier.iterations.start as usize..carrier.iterations.end as usize;
        for entry in &unit.iterations[entries] {
            rows.int(Some(i64::from(file)));
            rows.int(Some(line as i64));
            rows.text(text(said.session));
            rows.text(text(carrier.message));
            rows.int(Some(i64::from(entry.index)));
            rows.text(text(entry.kind));
            rows.text(text(entry.model));
            tokens(&mut rows, &entry.counts.into());
            rows.end_row();
        }
    }
    rows
}
