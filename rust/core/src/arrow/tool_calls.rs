//! The table `tool_calls`.

use rayon::prelude::*;

use crate::arrow::columns::{Columns, TEXT_LIMIT};
use crate::facts::{Call, ToolResult};
use crate::join::Corpus;
use crate::join::tool_calls::{Pair, outcome};
use crate::record::ResultKind;
use crate::schema::Table;
use crate::strings::Symbol;

/// Rows that are made at a time.
const ROWS: usize = 8192;

/// Rows of `tool_calls`, in stretches that are made side by side.
/// `notified` is the status that the last task notification has for each pair.
pub fn tool_calls(corpus: &Corpus, pairs: &[Pair], notified: &[Symbol]) -> Vec<Columns> {
    let stretches = pairs.par_chunks(ROWS).zip(notified.par_chunks(ROWS));
    stretches.flat_map_iter(|(pairs, notified)| stretch(corpus, pairs, notified)).collect()
}

fn stretch(corpus: &Corpus, pairs: &[Pair], notified: &[Symbol]) -> Vec<Columns> {
    let mut done = Vec::new();
    let mut rows = Columns::new(&Table::ToolCalls.schema());
    for (pair, notified) in pairs.iter().zip(notified) {
        if rows.text_bytes() > TEXT_LIMIT {
            let next = Columns::new(&Table::ToolCalls.schema());
            rows.shrink();
            done.push(std::mem::replace(&mut rows, next));
        }
        push(&mut rows, corpus, pair, *notified);
    }
    rows.shrink();
    done.push(rows);
    done
}

fn push(rows: &mut Columns, corpus: &Corpus, pair: &Pair, notified: Symbol) {
    let call = corpus.call(pair.call);
    let result = pair.result.map(|place| corpus.result(place));
    let text = |symbol| corpus.strings.text(symbol);
    let (file, line, _) = pair.position;
    let name = text(call.name);
    let mcp = name.and_then(|name| name.strip_prefix("mcp__")?.split_once("__"));
    let session = corpus.sketch(pair.call.unit, call.sketch).session;
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.text(text(session));
    rows.text(text(corpus.agent(call.agent, file)));
    rows.bool(call.is_sidechain);
    rows.text(text(call.id));
    rows.text(name);
    rows.text(mcp.map(|(server, _)| server));
    rows.text(mcp.map(|(_, tool)| tool));
    rows.bool(Some(call.is_server));
    rows.text(text(call.message));
    rows.int(Some(i64::from(call.block)));
    times(rows, corpus, pair, call, result);
    rows.int(Some(pair.n_results));
    let judged = outcome(corpus, call, result);
    rows.text(Some(judged.outcome));
    rows.text(Some(judged.evidence));
    rows.bool(result.and_then(|result| result.is_error));
    rows.text(result.and_then(|result| text(result.rare().denial_kind)));
    rows.bool(result.and_then(|result| result.interrupted));
    rows.int(call.input_bytes());
    content(rows, result);
    carrier(rows, corpus, result, notified);
    rows.text(text(call.file_path));
    rows.text(text(call.command_name));
    let unit = &corpus.units[pair.call.unit as usize];
    unit.attributions.get(call.attribution).0.iter().for_each(|symbol| rows.text(text(*symbol)));
    rows.bool(Some(pair.copy.is_copy));
    rows.text(text(pair.copy.session));
    let texts = &unit.texts;
    rows.text(call.input_json.map(|place| texts[place.get() as usize].as_str()));
    rows.text(pair.result.and_then(|place| {
        let unit = &corpus.units[place.unit as usize];
        let text = unit.results[place.index as usize].text?;
        Some(unit.texts[text.get() as usize].as_str())
    }));
    rows.text(call.command.map(|place| texts[place.get() as usize].as_str()));
    rows.end_row();
}

fn times(
    rows: &mut Columns,
    corpus: &Corpus,
    pair: &Pair,
    call: &Call,
    result: Option<&ToolResult>,
) {
    let called = corpus.sketch(pair.call.unit, call.sketch).timestamp;
    let answer = pair
        .result
        .zip(result)
        .map(|(place, result)| (corpus.sketch(place.unit, result.sketch), result));
    let answered = answer.and_then(|(sketch, _)| sketch.timestamp);
    rows.int(called);
    rows.int(answered);
    let line = answer
        .and_then(|(sketch, result)| (result.file == call.file).then_some(sketch.line as i64));
    rows.int(line);
    rows.bool(answer.map(|(sketch, result)| {
        let place = (result.file, sketch.line, sketch.place, result.block);
        let (file, line, record) = pair.position;
        place < (file, line, record, pair.block)
    }));
    let micros = called.zip(answered).and_then(|(from, to)| to.checked_sub(from));
    rows.int(micros.filter(|micros| *micros >= 0).map(|micros| micros / 1000));
}

fn content(rows: &mut Columns, result: Option<&ToolResult>) {
    rows.text(result.map(|result| result.kind.name()));
    let there = result.filter(|result| result.kind != ResultKind::Absent);
    rows.int(there.map(|result| result.chars));
    rows.int(there.map(|result| result.images));
}

fn carrier(rows: &mut Columns, corpus: &Corpus, result: Option<&ToolResult>, notified: Symbol) {
    let text = |symbol| corpus.strings.text(symbol);
    rows.text(result.map(|result| result.carrier.name()));
    rows.bool(result.and_then(|result| result.has_structured_content));
    rows.text(result.and_then(|result| text(result.status)));
    rows.int(result.and_then(|result| result.rare().exit_code));
    rows.int(result.and_then(|result| result.rare().timed_out_after_ms));
    rows.text(result.and_then(|result| text(result.rare().background_task)));
    rows.text(text(notified));
    rows.text(result.and_then(|result| text(result.rare().git_operation)));
    rows.text(result.and_then(|result| text(result.rare().persisted_output_path)));
    rows.int(result.and_then(|result| result.rare().persisted_output_bytes));
    rows.int(result.and_then(|result| result.stdout_chars.get()));
    rows.int(result.and_then(|result| result.stderr_chars.get()));
    rows.text(result.and_then(|result| text(result.rare().launched_agent)));
    rows.text(result.and_then(|result| text(result.rare().resolved_model)));
}
