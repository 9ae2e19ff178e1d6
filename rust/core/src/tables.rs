//! The facts of a corpus to its tables: what is judged across files first, each
//! judgement once, then every table that was asked for, side by side.

mod judged;
mod lean;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::prelude::*;

use crate::arrow;
use crate::arrow::columns::{Columns, batches};
use crate::diagnose::{Finding, merge};
use crate::discover::{Beside, Transcript};
use crate::error::Error;
use crate::facts::{BlockRows, Facts};
use crate::join::prompts::InPart;
use crate::join::{Corpus, Standing};
use crate::parallel::Progress;
use crate::scan::Options;
use crate::schema::Table;
use judged::{Judged, SaidBeside};

/// A table with its schema and rows.
pub type Built = (Table, SchemaRef, Vec<RecordBatch>);

/// Makes the tables that are asked for, and always `files` and `diagnostics`.
pub(crate) fn tables(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    beside: &Beside,
    options: &Options,
    progress: &Progress,
) -> Result<Vec<Built>, Error> {
    if options.is_lean() {
        return lean::tables(corpus, transcripts, options, progress);
    }
    let rows = rows(corpus, transcripts, beside, None, options, progress)?;
    let build = |(table, rows): (Table, Vec<Columns>)| {
        progress.check()?;
        let schema = table.schema();
        let batches = batches(&schema, rows)?;
        Ok((table, schema, batches))
    };
    rows.into_par_iter().map(build).collect()
}

/// Makes the rows of the same tables, each with words of its own in dictionaries:
/// of a corpus, or of a part of one.
pub(crate) fn rows(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    beside: &Beside,
    part: Option<InPart<'_>>,
    options: &Options,
    progress: &Progress,
) -> Result<Vec<(Table, Vec<Columns>)>, Error> {
    let (mut records, mut blocks) = (records(corpus), blocks(corpus));
    let findings = found_before(corpus);
    let said = SaidBeside::of(corpus, transcripts, beside, options);
    let corpus = &*corpus;
    let mut judged = Judged::of(corpus, transcripts, &said, part, options, progress)?;
    judged.findings.extend(findings);
    let findings = merge(std::mem::take(&mut judged.findings));
    let work: Vec<(Table, Vec<Columns>)> = Table::ALL
        .into_iter()
        .filter(|table| options.gives(*table))
        .map(|table| match table {
            Table::Records => (table, std::mem::take(&mut records)),
            Table::Blocks => (table, std::mem::take(&mut blocks)),
            _ => (table, Vec::new()),
        })
        .collect();
    let build = |(table, folded): (Table, Vec<Columns>)| {
        let parts = match table {
            Table::Records | Table::Blocks => folded,
            Table::Files => vec![arrow::files::files(corpus, transcripts)],
            Table::Diagnostics => vec![arrow::diagnostics::diagnostics(&findings)],
            _ => judged.rows(table, corpus, transcripts, options.text),
        };
        progress.check()?;
        Ok((table, parts))
    };
    work.into_par_iter().map(build).collect()
}

/// Takes what was found while reading and joining.
fn found_before(corpus: &mut Corpus) -> Vec<Finding> {
    let mut findings = std::mem::take(&mut corpus.findings);
    corpus.units.iter_mut().for_each(|unit| findings.append(&mut unit.findings));
    findings
}

/// Rows of `records` of all units.
fn records(corpus: &mut Corpus) -> Vec<Columns> {
    let Corpus { units, standing, strings, .. } = corpus;
    let (units, strings) = (units.par_iter_mut().zip(standing), &*strings);
    units.flat_map_iter(|(unit, standing)| arrow::records::rows(unit, strings, standing)).collect()
}

/// Rows of `blocks` of all units.
fn blocks(corpus: &mut Corpus) -> Vec<Columns> {
    let units = corpus.units.par_iter_mut().zip(&corpus.standing);
    units.flat_map_iter(|(unit, standing)| block_rows(unit, standing)).collect()
}

/// Takes the rows of `blocks` of the records that count.
pub(crate) fn block_rows(unit: &mut Facts, standing: &[Standing]) -> Vec<Columns> {
    let counts = |sketch: &u32| standing[*sketch as usize] == Standing::Counts;
    let blocks = std::mem::take(&mut unit.blocks).into_iter();
    let rows = blocks.map(|BlockRows { mut rows, sketches }| {
        if !standing.is_empty() {
            rows.retain(&sketches.iter().map(counts).collect::<Vec<_>>());
        }
        rows
    });
    rows.collect()
}
