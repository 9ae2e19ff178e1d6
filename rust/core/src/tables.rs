//! The facts of a corpus to its tables: what is judged across files first, each
//! judgement once, then every table that was asked for, side by side.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::prelude::*;

use crate::arrow;
use crate::arrow::columns::{Columns, batches};
use crate::diagnose::{Finding, merge};
use crate::discover::{Beside, Transcript};
use crate::error::Error;
use crate::facts::{BlockRows, Facts};
use crate::join::agents::Agent;
use crate::join::agents::metas::{self, Meta};
use crate::join::compactions::Compaction;
use crate::join::endings::Ending;
use crate::join::file_history::TrackedPath;
use crate::join::links::Link;
use crate::join::notifications::Notifications;
use crate::join::prompts::Prompt;
use crate::join::sessions::Session;
use crate::join::sidecars::Sidecar;
use crate::join::tool_calls::Pair;
use crate::join::usage::Response;
use crate::join::workflows::{Definition, Workflow};
use crate::join::{
    Corpus, Standing, agents, compactions, endings, file_history, links, notifications, prompts,
    sessions, sidecars, skills, titles, tool_calls, usage, workflows,
};
use crate::parallel::Progress;
use crate::scan::Options;
use crate::schema::Table;
use crate::side_file;
use crate::strings::Symbol;

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
    let (mut records, mut blocks) = (records(corpus), blocks(corpus));
    let findings = found_before(corpus);
    let said = SaidBeside::of(corpus, transcripts, beside, options);
    let corpus = &*corpus;
    let mut judged = Judged::of(corpus, transcripts, &said, options, progress)?;
    judged.findings.extend(findings);
    let findings = merge(std::mem::take(&mut judged.findings));
    let always = |table: Table| matches!(table, Table::Files | Table::Diagnostics);
    let work: Vec<(Table, Vec<Columns>)> = Table::ALL
        .into_iter()
        .filter(|table| always(*table) || options.tables.contains(table))
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
        let schema = table.schema();
        let batches = batches(&schema, parts)?;
        Ok((table, schema, batches))
    };
    work.into_par_iter().map(build).collect()
}

/// What the files beside the transcripts say, as far as the tables need it.
struct SaidBeside {
    metas: Vec<Meta>,
    definitions: Vec<Definition>,
}

impl SaidBeside {
    fn of(
        corpus: &mut Corpus,
        transcripts: &[Transcript],
        beside: &Beside,
        options: &Options,
    ) -> Self {
        let mut said = Self { metas: Vec::new(), definitions: Vec::new() };
        if options.asks_for(&[Table::Agents, Table::Sessions]) {
            said.metas = metas::metas(corpus, transcripts, &side_file::metas(beside));
        }
        if options.asks_for(&[Table::Workflows]) {
            let files = side_file::workflows(beside);
            said.definitions = workflows::definitions(corpus, transcripts, &files);
        }
        said
    }
}

/// What is judged across records and files, as far as the tables need it.
struct Judged<'c> {
    responses: Vec<Response>,
    pairs: Vec<Pair>,
    /// Status of the last notification about each pair.
    notified: Vec<Symbol>,
    sessions: Vec<Session>,
    agents: Vec<Agent>,
    workflows: Vec<Workflow>,
    links: Vec<Link>,
    compactions: Vec<Compaction>,
    prompts: Vec<Prompt<'c>>,
    endings: Vec<Ending<'c>>,
    sidecars: Vec<Sidecar>,
    tracked: Vec<TrackedPath<'c>>,
    findings: Vec<Finding>,
}

impl<'c> Judged<'c> {
    fn of(
        corpus: &'c Corpus,
        transcripts: &[Transcript],
        said: &SaidBeside,
        options: &Options,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let ((responses, mut findings), (pairs, found)) =
            rayon::join(|| usage::responses(corpus), || tool_calls::pairs(corpus));
        findings.extend(found);
        progress.check()?;
        let asks = |tables: &[Table]| options.asks_for(tables);
        let notifications = Notifications::of(corpus);
        let notified = notifications::statuses(corpus, &notifications, &pairs);
        let mut sessions = sessions::sessions(corpus, &responses, &pairs);
        let links = if asks(&[Table::Sessions, Table::Links]) {
            links::links(corpus, &sessions, &responses)
        } else {
            Vec::new()
        };
        links::name_ancestors(&mut sessions, &links);
        let (agents, found) = if asks(&[Table::Agents, Table::Sessions]) {
            agents::agents(corpus, &said.metas, &pairs, &responses, &notifications)
        } else {
            Default::default()
        };
        findings.extend(found);
        agents::count_by_session(&agents, &mut sessions);
        let (workflows, found) = if asks(&[Table::Workflows]) {
            workflows::workflows(corpus, &said.definitions, &pairs)
        } else {
            Default::default()
        };
        findings.extend(found);
        let compactions = compactions::compactions(corpus);
        compactions::count_by_session(&compactions, &mut sessions);
        let spoken = asks(&[Table::Sessions, Table::Prompts, Table::Endings]);
        let prompts = if spoken { prompts::prompts(corpus) } else { Vec::new() };
        prompts::count_by_session(&prompts, &mut sessions);
        let endings = if spoken { endings::endings(corpus, &sessions, &pairs) } else { Vec::new() };
        for (session, ending) in sessions.iter_mut().zip(&endings) {
            session.ending_kind = Some(ending.kind.name());
        }
        let (sidecars, found) = if asks(&[Table::Sidecars]) {
            sidecars::sidecars(corpus, transcripts, &pairs)
        } else {
            Default::default()
        };
        findings.extend(found);
        let (tracked, found) = if asks(&[Table::FileHistory]) {
            file_history::file_history(corpus, transcripts, &sessions)
        } else {
            Default::default()
        };
        findings.extend(found);
        Ok(Self {
            responses,
            pairs,
            notified,
            sessions,
            agents,
            workflows,
            links,
            compactions,
            prompts,
            endings,
            sidecars,
            tracked,
            findings,
        })
    }

    /// The rows of a table.
    fn rows(
        &self,
        table: Table,
        corpus: &Corpus,
        transcripts: &[Transcript],
        with_text: bool,
    ) -> Vec<Columns> {
        match table {
            Table::Agents => vec![arrow::agents::agents(corpus, &self.agents, with_text)],
            Table::Prompts => arrow::prompts::prompts(corpus, &self.prompts, with_text),
            Table::Endings => arrow::endings::endings(corpus, &self.endings, with_text),
            Table::Usage => arrow::usage::usage(corpus, &self.responses),
            Table::UsageIterations => vec![arrow::usage::iterations(corpus, &self.responses)],
            Table::ToolCalls => arrow::tool_calls::tool_calls(corpus, &self.pairs, &self.notified),
            Table::Sessions => {
                let titles = titles::titles(corpus, &self.prompts);
                let titles = titles.iter().map(|(session, title)| {
                    (*session, (title.source, with_text.then_some(title.text)))
                });
                let titles = titles.collect();
                vec![arrow::sessions::sessions(corpus, &self.sessions, transcripts, &titles)]
            }
            Table::Journal => vec![arrow::journal::journal(corpus)],
            Table::Workflows => vec![arrow::workflows::workflows(corpus, &self.workflows)],
            Table::Links => vec![arrow::links::links(corpus, &self.links)],
            Table::Compactions => {
                vec![arrow::compactions::compactions(corpus, &self.compactions)]
            }
            Table::Attachments => arrow::attachments::attachments(corpus),
            Table::Events => arrow::events::events(corpus),
            Table::Skills => {
                vec![arrow::skills::skills(corpus, &skills::skills(corpus, &self.pairs))]
            }
            Table::Sidecars => vec![arrow::sidecars::sidecars(corpus, &self.sidecars)],
            Table::FileHistory => arrow::file_history::file_history(corpus, &self.tracked),
            Table::Ledger => vec![arrow::ledger::ledger(corpus)],
            Table::Census => arrow::census::census(corpus),
            _ => Vec::new(),
        }
    }
}

/// Takes what was found while reading and joining.
fn found_before(corpus: &mut Corpus) -> Vec<Finding> {
    let mut findings = std::mem::take(&mut corpus.findings);
    corpus.units.iter_mut().for_each(|unit| findings.append(&mut unit.findings));
    findings
}

/// Rows of `records` of all units.
fn records(corpus: &mut Corpus) -> Vec<Columns> {
    let units = corpus.units.iter_mut().zip(&corpus.standing);
    units.flat_map(|(unit, standing)| record_rows(unit, standing)).collect()
}

/// Rows of `blocks` of all units.
fn blocks(corpus: &mut Corpus) -> Vec<Columns> {
    let units = corpus.units.iter_mut().zip(&corpus.standing);
    units.flat_map(|(unit, standing)| block_rows(unit, standing)).collect()
}

/// Takes the rows of `records`, with replays marked and copies left out.
pub(crate) fn record_rows(unit: &mut Facts, standing: &[Standing]) -> Vec<Columns> {
    let mut rows = unit.records.take();
    if let Some(rows) = rows.as_mut().filter(|_| !standing.is_empty()) {
        let replays = standing.iter().map(|standing| *standing == Standing::Replay);
        rows.set_bools(arrow::records::index("is_replay"), replays);
        let keep = standing.iter().map(|standing| *standing != Standing::Copied);
        rows.retain(&keep.collect::<Vec<_>>());
    }
    rows.into_iter().collect()
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
