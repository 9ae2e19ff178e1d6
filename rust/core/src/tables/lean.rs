//! Usage and calls alone. Where there are many, the facts of calls are given back before
//! there are rows of usage, so that a scan of a large corpus takes little more memory
//! than its tables.

use rayon::prelude::*;

use crate::arrow;
use crate::arrow::columns::{Columns, batches};
use crate::diagnose::{Finding, merge};
use crate::discover::Transcript;
use crate::error::Error;
use crate::facts::Facts;
use crate::join::notifications::{self, Notifications};
use crate::join::usage::Response;
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
    progress.check()?;
    let facts = |unit: &Facts| unit.calls.len() + unit.results.len() + unit.usages.len();
    let (calls, usage) = if corpus.units.iter().map(facts).sum::<usize>() <= options.side_by_side {
        side_by_side(corpus, options)
    } else {
        one_after_the_other(corpus, options)
    };
    let ((calls, found_of_calls), (usage, found_of_usage)) = (calls?, usage?);
    progress.check()?;
    findings.extend(found_of_usage);
    findings.extend(found_of_calls);
    let files = vec![arrow::files::files(corpus, transcripts)];
    let findings = vec![arrow::diagnostics::diagnostics(&merge(findings))];
    let always = [made(Table::Files, files)?, made(Table::Diagnostics, findings)?];
    let mut built: Vec<Built> = calls.into_iter().chain(usage).chain(always).collect();
    built.sort_by_key(|(table, _, _)| Table::ALL.iter().position(|other| other == table));
    Ok(built)
}

/// Some tables, and what was found while they were made.
type Made = Result<(Vec<Built>, Vec<Finding>), Error>;

/// Neither calls nor responses need the other.
fn side_by_side(corpus: &Corpus, options: &Options) -> (Made, Made) {
    let usage = || {
        let (responses, findings) = usage::responses(corpus);
        Ok((of_usage(corpus, &responses, options)?, findings))
    };
    rayon::join(|| of_calls(corpus, options), usage)
}

/// What calls take is given back before responses take theirs.
fn one_after_the_other(corpus: &mut Corpus, options: &Options) -> (Made, Made) {
    let calls = of_calls(corpus, options);
    corpus.threads = Vec::new();
    corpus.units.iter_mut().for_each(|unit| {
        (unit.calls, unit.results, unit.texts) = (Vec::new(), Vec::new(), Vec::new());
    });
    spare::give_back();
    let (responses, findings) = usage::responses(corpus);
    corpus.units.iter_mut().for_each(|unit| {
        unit.parts = Vec::new();
        unit.sketches.clear();
    });
    spare::give_back();
    let usage = of_usage(corpus, &responses, options).map(|built| (built, findings));
    (calls, usage)
}

fn of_calls(corpus: &Corpus, options: &Options) -> Made {
    let (pairs, findings) = tool_calls::pairs(corpus);
    let mut built = Vec::new();
    if options.asks_for(&[Table::ToolCalls]) {
        let notifications = Notifications::of(corpus);
        let notified = notifications::statuses(corpus, &notifications, &pairs);
        let rows = arrow::tool_calls::tool_calls(corpus, &pairs, &notified);
        built.push(made(Table::ToolCalls, rows)?);
    }
    Ok((built, findings))
}

fn of_usage(
    corpus: &Corpus,
    responses: &[Response],
    options: &Options,
) -> Result<Vec<Built>, Error> {
    let mut built = Vec::new();
    if options.asks_for(&[Table::Usage]) {
        built.push(made(Table::Usage, arrow::usage::usage(corpus, responses))?);
    }
    if options.asks_for(&[Table::UsageIterations]) {
        let rows = vec![arrow::usage::iterations(corpus, responses)];
        built.push(made(Table::UsageIterations, rows)?);
    }
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

fn made(table: Table, rows: Vec<Columns>) -> Result<Built, Error> {
    let schema = table.schema();
    let batches = batches(&schema, rows)?;
    Ok((table, schema, batches))
}
