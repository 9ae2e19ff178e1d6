//! The table `tool_calls`.

use rayon::prelude::*;

use crate::arrow::columns::{Columns, Filling};
use crate::facts::{Attribution, Call, Facts, RareOfResult, ToolResult};
use crate::join::Corpus;
use crate::join::tool_calls::{Outcome, Pair, outcome};
use crate::record::ResultKind;
use crate::schema::Table;
use crate::strings::Symbol;

/// Rows that are made at a time.
const ROWS: usize = 8192;

/// Rows of `tool_calls`, in stretches that are made side by side.
/// `notified` is the status that the last task notification has for each pair.
pub fn tool_calls(corpus: &Corpus, pairs: &[Pair], notified: &[Symbol]) -> Vec<Columns> {
    let schema = Table::ToolCalls.schema();
    let stretch = |(pairs, notified): (&[Pair], &[Symbol])| {
        let rows = pairs.iter().zip(notified);
        let rows: Vec<Row<'_>> =
            rows.map(|(pair, notified)| Row::of(corpus, pair, *notified)).collect();
        Columns::filled(&schema, &corpus.strings, &rows, |columns| fill(columns, corpus))
    };
    pairs.par_chunks(ROWS).zip(notified.par_chunks(ROWS)).flat_map_iter(stretch).collect()
}

/// A call with its result, and what they are told by.
struct Row<'c> {
    pair: &'c Pair,
    call: &'c Call,
    /// The unit of the call.
    unit: &'c Facts,
    session: Symbol,
    called: Option<i64>,
    attribution: &'c Attribution,
    answer: Option<Answer<'c>>,
    outcome: Outcome,
    notified: Symbol,
}

/// A result, and what its record says.
struct Answer<'c> {
    result: &'c ToolResult,
    unit: &'c Facts,
    line: u64,
    place: u32,
    timestamp: Option<i64>,
}

impl<'c> Row<'c> {
    fn of(corpus: &'c Corpus, pair: &'c Pair, notified: Symbol) -> Self {
        let call = corpus.call(pair.call);
        let unit = &corpus.units[pair.call.unit as usize];
        let sketch = unit.sketches.get(call.sketch as usize);
        let answer = pair.result.map(|place| {
            let result = corpus.result(place);
            let unit = &corpus.units[place.unit as usize];
            let sketch = unit.sketches.get(result.sketch as usize);
            let (line, place, timestamp) = (sketch.line, sketch.place, sketch.timestamp);
            Answer { result, unit, line, place, timestamp }
        });
        Self {
            pair,
            call,
            unit,
            session: sketch.session,
            called: sketch.timestamp,
            attribution: unit.attributions.get(call.attribution),
            outcome: outcome(corpus, call, answer.as_ref().map(|answer| answer.result)),
            answer,
            notified,
        }
    }

    fn result(&self) -> Option<&'c ToolResult> {
        self.answer.as_ref().map(|answer| answer.result)
    }

    /// Its result, where that has content.
    fn content(&self) -> Option<&'c ToolResult> {
        self.result().filter(|result| result.kind != ResultKind::Absent)
    }

    fn rare(&self) -> Option<&'c RareOfResult> {
        self.result().and_then(|result| result.rare.as_deref())
    }

    fn wall_ms(&self) -> Option<i64> {
        let micros = self.answer.as_ref()?.timestamp?.checked_sub(self.called?)?;
        (micros >= 0).then_some(micros / 1000)
    }

    /// The server and its tool, where the call is one of MCP.
    fn mcp(&self, corpus: &'c Corpus) -> Option<(&'c str, &'c str)> {
        corpus.strings.text(self.call.name)?.strip_prefix("mcp__")?.split_once("__")
    }
}

impl Answer<'_> {
    fn line_beside(&self, call: &Call) -> Option<i64> {
        (self.result.file == call.file).then_some(self.line as i64)
    }

    fn is_before(&self, pair: &Pair) -> bool {
        let (file, line, record) = pair.position;
        let place = (self.result.file, self.line, self.place, self.result.block);
        place < (file, line, record, pair.block)
    }
}

fn fill<'c>(columns: &mut Filling<'c, Row<'c>>, corpus: &'c Corpus) {
    columns.int(|row| Some(i64::from(row.pair.position.0)));
    columns.int(|row| Some(row.pair.position.1 as i64));
    columns.symbol(|row| row.session);
    columns.symbol(|row| corpus.agent(row.call.agent, row.pair.position.0));
    columns.bool(|row| row.call.is_sidechain);
    columns.symbol(|row| row.call.id);
    columns.symbol(|row| row.call.name);
    columns.text(|row| row.mcp(corpus).map(|(server, _)| server));
    columns.text(|row| row.mcp(corpus).map(|(_, tool)| tool));
    columns.bool(|row| Some(row.call.is_server));
    columns.symbol(|row| row.call.message);
    columns.int(|row| Some(i64::from(row.call.block)));
    columns.int(|row| row.called);
    columns.int(|row| row.answer.as_ref()?.timestamp);
    columns.int(|row| row.answer.as_ref()?.line_beside(row.call));
    columns.bool(|row| Some(row.answer.as_ref()?.is_before(row.pair)));
    columns.int(Row::wall_ms);
    columns.int(|row| Some(row.pair.n_results));
    columns.text(|row| Some(row.outcome.outcome));
    columns.text(|row| Some(row.outcome.evidence));
    columns.bool(|row| row.result()?.is_error);
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.denial_kind));
    columns.bool(|row| row.result()?.interrupted);
    columns.int(|row| row.call.input_bytes());
    columns.text(|row| Some(row.result()?.kind.name()));
    columns.int(|row| Some(row.content()?.chars));
    columns.int(|row| Some(row.content()?.images));
    columns.text(|row| Some(row.result()?.carrier.name()));
    columns.bool(|row| row.result()?.has_structured_content);
    columns.symbol(|row| row.result().map_or(Symbol::NONE, |result| result.status));
    columns.int(|row| row.rare()?.exit_code);
    columns.int(|row| row.rare()?.timed_out_after_ms);
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.background_task));
    columns.symbol(|row| row.notified);
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.git_operation));
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.persisted_output_path));
    columns.int(|row| row.rare()?.persisted_output_bytes);
    columns.int(|row| row.result()?.stdout_chars.get());
    columns.int(|row| row.result()?.stderr_chars.get());
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.launched_agent));
    columns.symbol(|row| row.rare().map_or(Symbol::NONE, |rare| rare.resolved_model));
    columns.symbol(|row| row.call.file_path);
    columns.symbol(|row| row.call.command_name);
    for field in 0..5 {
        columns.symbol(|row| row.attribution.0[field]);
    }
    columns.bool(|row| Some(row.pair.copy.is_copy));
    columns.symbol(|row| row.pair.copy.session);
    columns.text(|row| Some(row.unit.texts[row.call.input_json?.get() as usize].as_str()));
    columns.text(|row| {
        let answer = row.answer.as_ref()?;
        Some(answer.unit.texts[answer.result.text?.get() as usize].as_str())
    });
    columns.text(|row| Some(row.unit.texts[row.call.command?.get() as usize].as_str()));
}
