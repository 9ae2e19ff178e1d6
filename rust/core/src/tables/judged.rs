//! What is judged across records and files before there are rows: each
//! judgement once, and only where a table that was asked for needs it.

use crate::arrow;
use crate::arrow::columns::Columns;
use crate::diagnose::Finding;
use crate::discover::{Beside, Transcript};
use crate::error::Error;
use crate::join::agents::Agent;
use crate::join::agents::metas::{self, Meta};
use crate::join::compactions::Compaction;
use crate::join::endings::Ending;
use crate::join::file_history::TrackedPath;
use crate::join::links::Link;
use crate::join::notifications::Notifications;
use crate::join::prompts::{InPart, Prompt};
use crate::join::sessions::{Session, count_rows};
use crate::join::sidecars::Sidecar;
use crate::join::tool_calls::Pair;
use crate::join::usage::Response;
use crate::join::workflows::{Definition, Workflow};
use crate::join::{
    Corpus, agents, compactions, endings, file_history, links, notifications, prompts, sessions,
    sidecars, skills, titles, tool_calls, usage, workflows,
};
use crate::parallel::Progress;
use crate::scan::Options;
use crate::schema::Table;
use crate::side_file;
use crate::strings::Symbol;

/// What the files beside the transcripts say, as far as the tables need it.
pub(super) struct SaidBeside {
    metas: Vec<Meta>,
    definitions: Vec<Definition>,
}

impl SaidBeside {
    /// Reads them; their words become strings of the corpus.
    pub(super) fn of(
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
pub(super) struct Judged<'c> {
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
    /// What was found on the way.
    pub(super) findings: Vec<Finding>,
}

/// Tables that need every session.
const OF_SESSIONS: [Table; 4] = [Table::Sessions, Table::Links, Table::Endings, Table::FileHistory];

/// What a judgement gives, where it is wanted.
fn wanted<T: Default>(is_wanted: bool, judge: impl FnOnce() -> T) -> T {
    if is_wanted { judge() } else { T::default() }
}

impl<'c> Judged<'c> {
    /// Judges.
    pub(super) fn of(
        corpus: &'c Corpus,
        transcripts: &[Transcript],
        said: &SaidBeside,
        part: Option<InPart<'_>>,
        options: &Options,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let asks = |tables: &[Table]| options.asks_for(tables);
        // What needs nothing of one another stands side by side.
        let called = || {
            let ((responses, mut findings), (pairs, found)) =
                rayon::join(|| usage::responses(corpus), || tool_calls::pairs(corpus));
            findings.extend(found);
            let sessions =
                wanted(asks(&OF_SESSIONS), || sessions::sessions(corpus, &responses, &pairs));
            (responses, pairs, sessions, findings)
        };
        let said_by_people = || {
            wanted(asks(&[Table::Sessions, Table::Prompts]), || match part {
                Some(part) => prompts::prompts_in(corpus, part),
                None => prompts::prompts(corpus),
            })
        };
        let ((responses, pairs, mut sessions, mut findings), prompts) =
            rayon::join(called, said_by_people);
        progress.check()?;
        let notifications = Notifications::of(corpus);
        let notified = notifications::statuses(corpus, &notifications, &pairs);
        let linked = || {
            wanted(asks(&[Table::Sessions, Table::Links]), || {
                links::links(corpus, &sessions, &responses)
            })
        };
        let started = || {
            wanted(asks(&[Table::Sessions, Table::Agents]), || {
                agents::agents(corpus, &said.metas, &pairs, &responses, &notifications)
            })
        };
        let ended = || {
            wanted(asks(&[Table::Sessions, Table::Endings]), || {
                endings::endings(corpus, &sessions, &pairs)
            })
        };
        let (links, ((agents, found), endings)) =
            rayon::join(linked, || rayon::join(started, ended));
        findings.extend(found);
        progress.check()?;
        let (workflows, found) = wanted(asks(&[Table::Workflows]), || {
            workflows::workflows(corpus, &said.definitions, &pairs)
        });
        findings.extend(found);
        let compactions = compactions::compactions(corpus);
        links::name_ancestors(&mut sessions, &links);
        let of_agents = agents.iter().map(|agent| agent.session);
        count_rows(&mut sessions, of_agents, |session| &mut session.n_agents);
        let of_compactions = compactions.iter().map(|compaction| compaction.session);
        count_rows(&mut sessions, of_compactions, |session| &mut session.n_compactions);
        let counted = prompts.iter().filter(|prompt| prompt.is_counted());
        let of_prompts = counted.map(|prompt| prompt.session);
        count_rows(&mut sessions, of_prompts, |session| &mut session.n_prompts);
        for (session, ending) in sessions.iter_mut().zip(&endings) {
            session.ending_kind = Some(ending.kind.name());
        }
        let (sidecars, found) =
            wanted(asks(&[Table::Sidecars]), || sidecars::sidecars(corpus, transcripts, &pairs));
        findings.extend(found);
        let (tracked, found) = wanted(asks(&[Table::FileHistory]), || {
            file_history::file_history(corpus, transcripts, &sessions)
        });
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
    pub(super) fn rows(
        &self,
        table: Table,
        corpus: &Corpus,
        transcripts: &[Transcript],
        with_text: bool,
    ) -> Vec<Columns> {
        match table {
            Table::Agents => vec![arrow::agents::agents(corpus, &self.agents, with_text)],
            Table::Prompts => arrow::prompts::prompts(corpus, &self.prompts, with_text),
            Table::Endings => vec![arrow::endings::endings(corpus, &self.endings, with_text)],
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
            Table::Census => vec![arrow::census::census(corpus)],
            _ => Vec::new(),
        }
    }
}
