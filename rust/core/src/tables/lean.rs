//! Usage and calls alone: the facts of calls are given back before there are
//! rows of usage, so that a scan of a large corpus takes little more memory than
//! its tables.

use rayon::prelude::*;

use crate::arrow;
use crate::arrow::columns::{Columns, batches};
use crate::diagnose::merge;
use crate::discover::Transcript;
use crate::error::Error;
use crate::join::notifications::{self, Notifications};
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, tool_calls, usage};
use crate::parallel::Progress;
use crate::scan::Options;
use crate::schema::Table;
use crate::spare;
use crate::tables::{Built, found_before};

/// Makes the tables that are asked for, and always `files` and `diagnostics`.
pub(super) fn tables(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Vec<Built>, Error> {
    let mut findings = found_before(corpus);
    drop_unnamed(corpus);
    // One after the other, although neither needs the other: what calls take is
    // given back before responses take theirs.
    let (pairs, of_calls) = tool_calls::pairs(corpus);
    progress.check()?;
    let mut built = Vec::new();
    if options.asks_for(&[Table::ToolCalls]) {
        built.push(made(Table::ToolCalls, calls(corpus, &pairs), progress)?);
    }
    drop(pairs);
    corpus.threads = Vec::new();
    corpus.units.iter_mut().for_each(|unit| {
        (unit.calls, unit.results, unit.texts) = (Vec::new(), Vec::new(), Vec::new());
    });
    spare::give_back();
    let (responses, of_usage) = usage::responses(corpus);
    findings.extend(of_usage);
    findings.extend(of_calls);
    corpus.units.iter_mut().for_each(|unit| {
        unit.parts = Vec::new();
        unit.sketches.clear();
    });
    spare::give_back();
    if options.asks_for(&[Table::Usage]) {
        built.push(made(Table::Usage, arrow::usage::usage(corpus, &responses), progress)?);
    }
    if options.asks_for(&[Table::UsageIterations]) {
        let rows = vec![arrow::usage::iterations(corpus, &responses)];
        built.push(made(Table::UsageIterations, rows, progress)?);
    }
    drop(responses);
    built.push(made(Table::Files, vec![arrow::files::files(corpus, transcripts)], progress)?);
    let findings = arrow::diagnostics::diagnostics(&merge(findings));
    built.push(made(Table::Diagnostics, vec![findings], progress)?);
    built.sort_by_key(|(table, _, _)| Table::ALL.iter().position(|other| other == table));
    Ok(built)
}

/// Drops the sketches of most records of the files that were not reduced when
/// they were folded. What the records are together was counted before.
fn drop_unnamed(corpus: &mut Corpus) {
    let Corpus { units, standing, .. } = corpus;
    units.par_iter_mut().zip(standing).for_each(|(unit, standing)| {
        let named = unit.drop_unnamed();
        unit.shrink();
        let mut named = named.into_iter();
        standing.retain(|_| named.next() == Some(true));
    });
    corpus.strings.freeze();
}

fn calls(corpus: &Corpus, pairs: &[Pair]) -> Vec<Columns> {
    let notifications = Notifications::of(corpus);
    let notified = notifications::statuses(corpus, &notifications, pairs);
    arrow::tool_calls::tool_calls(corpus, pairs, &notified)
}

fn made(table: Table, rows: Vec<Columns>, progress: &Progress) -> Result<Built, Error> {
    progress.check()?;
    let schema = table.schema();
    let batches = batches(&schema, rows)?;
    Ok((table, schema, batches))
}
