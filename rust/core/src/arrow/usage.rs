//! The tables `usage` and `usage_iterations`.

use rayon::prelude::*;

use crate::arrow::columns::{Columns, Filling};
use crate::facts::kept::Tally;
use crate::facts::{Attribution, CacheMiss, Envelope, Facts, UsageCarrier};
use crate::join::Corpus;
use crate::join::usage::Response;
use crate::record::Counts;
use crate::schema::Table;
use crate::strings::Symbol;

/// Rows that are made at a time.
const ROWS: usize = 8192;

/// Rows of `usage`, in stretches that are made side by side.
pub fn usage(corpus: &Corpus, responses: &[Response]) -> Vec<Columns> {
    let schema = Table::Usage.schema();
    let stretch = |responses: &[Response]| {
        let rows: Vec<Row<'_>> =
            responses.iter().map(|response| Row::of(corpus, response)).collect();
        Columns::filled(&schema, &corpus.strings, &rows, |columns| fill(columns, corpus))
    };
    responses.par_chunks(ROWS).flat_map_iter(stretch).collect()
}

/// A response with what it is told by.
struct Row<'c> {
    response: &'c Response,
    carrier: &'c UsageCarrier,
    said: &'c Envelope,
    unit: &'c Facts,
    tally: &'c Tally,
    attribution: &'c Attribution,
}

impl<'c> Row<'c> {
    fn of(corpus: &'c Corpus, response: &'c Response) -> Self {
        let carrier = corpus.carrier(response.retained);
        let unit = &corpus.units[response.retained.unit as usize];
        Self {
            response,
            carrier,
            said: corpus.envelope(response.retained),
            unit,
            tally: unit.tallies.get(carrier.counts),
            attribution: unit.attributions.get(carrier.attribution),
        }
    }

    fn has_final(&self) -> bool {
        self.carrier.stop_reason.is_some()
    }

    fn agent(&self, corpus: &Corpus) -> Symbol {
        let own = self.carrier.agent;
        if self.carrier.is_inline { own } else { corpus.agent(own, self.response.position.0) }
    }

    fn counts(&self) -> Counts {
        (*self.tally).into()
    }

    fn miss(&self) -> CacheMiss {
        let number = self.carrier.miss;
        number.map(|number| self.unit.misses[number.get() as usize]).unwrap_or_default()
    }
}

fn fill<'c>(columns: &mut Filling<'c, Row<'c>>, corpus: &'c Corpus) {
    columns.int(|row| Some(i64::from(row.response.position.0)));
    columns.int(|row| Some(row.response.position.1 as i64));
    columns.symbol(|row| row.said.session);
    columns.symbol(|row| row.carrier.message);
    columns.symbol(|row| row.carrier.request);
    columns.symbol(|row| row.said.model);
    columns.symbol(|row| row.agent(corpus));
    columns.bool(|row| row.carrier.is_sidechain);
    columns.text(|row| Some(if row.carrier.is_inline { "inline" } else { "file" }));
    columns.int(|row| row.response.first_timestamp);
    columns.int(|row| row.response.last_timestamp);
    columns.int(|row| Some(row.response.n_records));
    columns.bool(|row| Some(row.response.has_conflict()));
    columns.text(|row| Some(row.response.certainty(row.has_final())));
    columns.bool(|row| (!row.response.is_growth).then_some(row.has_final()));
    columns.symbol(|row| row.carrier.stop_reason);
    let strings = &corpus.strings;
    columns.bool(|row| {
        let model = row.said.model;
        model.is_some().then(|| strings.is(model, "<synthetic>"))
    });
    columns.bool(|row| row.carrier.is_api_error);
    columns.bool(|row| Some(row.response.copy.is_copy));
    columns.symbol(|row| row.response.copy.session);
    columns.int(|row| row.counts().input);
    columns.int(|row| row.counts().output);
    columns.int(|row| row.counts().cache_creation);
    columns.int(|row| row.counts().cache_read);
    columns.int(|row| row.counts().cache_creation_5m);
    columns.int(|row| row.counts().cache_creation_1h);
    columns.int(|row| row.counts().cache_creation_unattributed());
    columns.int(|row| row.counts().thinking);
    columns.symbol(|row| row.miss().kind);
    columns.int(|row| row.miss().missed_input_tokens);
    columns.symbol(|row| row.said.cwd);
    columns.symbol(|row| row.said.git_branch);
    columns.symbol(|row| row.said.version);
    columns.symbol(|row| row.said.entrypoint);
    columns.symbol(|row| row.carrier.effort);
    for field in 0..5 {
        columns.symbol(|row| row.attribution.0[field]);
    }
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
