//! Workflow runs, joined from journals, transcripts of their agents and the
//! files that define them (SPEC section 6, ruling 42).

use hashbrown::HashMap;

use crate::diagnose::Finding;
use crate::discover::{FileKind, Transcript, WorkflowNote};
use crate::facts::further::LaunchResult;
use crate::join::agents::parts::is_read;
use crate::join::files::FileFacts;
use crate::join::originals::Owner;
use crate::join::places::{FirstFiles, by_source};
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Position};
use crate::side_file::{Damaged, WorkflowFile, finding};
use crate::strings::{Interner, Symbol};

/// The definition of a workflow, joined to its session.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Definition {
    /// None where the path names no session: nothing else is joined to such a file.
    pub owner: Option<Owner>,
    pub workflow: Symbol,
    pub run: Symbol,
    pub name: Symbol,
    pub status: Symbol,
    pub total_tokens: Option<i64>,
    /// The first file of its source.
    pub first_of_source: Option<u32>,
    /// What is wrong with it, whatever file that is told at.
    pub trouble: Option<Finding>,
}

/// Joins workflow files to their sessions, in their order. Their words become
/// strings of the corpus.
pub fn definitions(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    files: &[(&WorkflowNote, Result<WorkflowFile, Damaged>)],
) -> Vec<Definition> {
    let sources = by_source(transcripts);
    let definition = |(note, read): &(&WorkflowNote, _)| {
        let first_of_source = sources.get(note.source.as_str()).copied();
        Definition { first_of_source, ..Definition::of(&mut corpus.strings, note, read) }
    };
    files.iter().map(definition).collect()
}

impl Definition {
    /// What the file says.
    fn of(
        strings: &mut Interner,
        note: &WorkflowNote,
        read: &Result<WorkflowFile, Damaged>,
    ) -> Self {
        let nothing = WorkflowFile::default();
        let says = read.as_ref().unwrap_or(&nothing);
        let mut of = |text: &Option<String>| {
            text.as_deref().map_or(Symbol::NONE, |text| strings.intern(text))
        };
        let session = of(&note.session_id);
        Self {
            owner: session.is_id().then_some(Owner::Session(session)),
            run: of(&says.run_id),
            name: of(&says.name).or(of(&says.workflow_name)),
            status: of(&says.status),
            workflow: strings.intern(&note.workflow_id),
            total_tokens: says.total_tokens,
            first_of_source: None,
            trouble: finding(0, &note.path, read),
        }
    }
}

/// A run of a workflow.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Workflow {
    pub position: Position,
    pub session: Symbol,
    pub id: Symbol,
    pub run: Symbol,
    pub name: Symbol,
    pub status: Symbol,
    pub n_started: i64,
    pub n_results: i64,
    pub n_transcripts: i64,
    pub has_journal: bool,
    pub has_definition: bool,
    pub total_tokens: Option<i64>,
}

/// Joins the workflow runs. The rows come in the table's order, with what is
/// wrong with their files.
pub fn workflows(
    corpus: &Corpus,
    definitions: &[Definition],
    pairs: &[Pair],
) -> (Vec<Workflow>, Vec<Finding>) {
    let mut gathered = Gathered::default();
    gathered.add_files(corpus);
    let rows = gathered.add_definitions(definitions);
    if gathered.all.is_empty() {
        return (Vec::new(), Vec::new());
    }
    gathered.add_calls(corpus, pairs);
    let first_files = FirstFiles::of(corpus);
    let row = |parts| workflow(corpus, definitions, pairs, &first_files, parts);
    let made: Vec<Option<Workflow>> = gathered.all.iter().map(row).collect();
    let mut findings = Vec::new();
    for (definition, row) in definitions.iter().zip(rows) {
        if let Some(workflow) = row.and_then(|row| made[row].as_ref()) {
            let file = workflow.position.0;
            let trouble = definition.trouble.iter().cloned();
            findings.extend(trouble.map(|finding| Finding { file, ..finding }));
        }
    }
    let text = |symbol| corpus.strings.text(symbol);
    let mut workflows: Vec<Workflow> = made.into_iter().flatten().collect();
    workflows.sort_by(|a, b| {
        let order = |row: &Workflow| {
            let (file, line, _) = row.position;
            (file, line, text(row.id), text(row.session))
        };
        order(a).cmp(&order(b))
    });
    (workflows, findings)
}

/// What shows one run.
#[derive(Clone, Debug, Default)]
struct Parts {
    owner: Option<Owner>,
    id: Symbol,
    journals: Vec<u32>,
    transcripts: Vec<u32>,
    definition: Option<usize>,
    /// The last call that started it, by number of its pair.
    call: Option<usize>,
}

/// Runs by session and workflow id.
#[derive(Debug, Default)]
struct Gathered {
    all: Vec<Parts>,
    by_key: HashMap<(Owner, Symbol), usize>,
}

impl Gathered {
    fn number(&mut self, owner: Owner, id: Symbol) -> usize {
        let number = *self.by_key.entry((owner, id)).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Parts { owner: Some(owner), id, ..Parts::default() });
        }
        number
    }

    fn add_files(&mut self, corpus: &Corpus) {
        for (file, number) in corpus.files.iter().zip(0..) {
            if !is_read(file) || !file.workflow.is_id() {
                continue;
            }
            let owner = Owner::of(session(file), number);
            match file.kind {
                FileKind::Journal => {
                    let run = self.number(owner, file.workflow);
                    self.all[run].journals.push(number);
                }
                FileKind::WorkflowAgent => {
                    let run = self.number(owner, file.workflow);
                    self.all[run].transcripts.push(number);
                }
                _ => {}
            }
        }
    }

    /// Adds the definitions; gives the run of each.
    fn add_definitions(&mut self, definitions: &[Definition]) -> Vec<Option<usize>> {
        let mut rows = Vec::with_capacity(definitions.len());
        for (number, definition) in definitions.iter().enumerate() {
            let id = definition.workflow;
            if let Some(owner) = definition.owner {
                let run = self.number(owner, id);
                let parts = &mut self.all[run];
                parts.definition = parts.definition.or(Some(number));
                rows.push(Some(run));
            } else {
                rows.push(Some(self.all.len()));
                self.all.push(Parts { id, definition: Some(number), ..Parts::default() });
            }
        }
        rows
    }

    /// Adds the calls that say which run they started.
    fn add_calls(&mut self, corpus: &Corpus, pairs: &[Pair]) {
        let ids: HashMap<&str, Symbol> = (self.all.iter())
            .filter_map(|parts| Some((corpus.strings.text(parts.id)?, parts.id)))
            .collect();
        for (number, pair) in pairs.iter().enumerate() {
            let Some(said) = launch_result(corpus, pair) else { continue };
            let folder = corpus.strings.text(said.transcript_dir).map(last_part);
            let folder = folder.and_then(|name| ids.get(name)).copied();
            for id in [Some(said.run_id), folder].into_iter().flatten() {
                if let Some(run) = self.by_key.get(&(corpus.call_owner(pair), id)) {
                    self.all[*run].call = Some(number);
                }
            }
        }
    }
}

/// The session that a file's path names, else its own.
fn session(file: &FileFacts) -> Symbol {
    if file.stem_session.is_id() { file.stem_session } else { file.session }
}

fn launch_result<'c>(corpus: &'c Corpus, pair: &Pair) -> Option<&'c LaunchResult> {
    corpus.result(pair.result?).launch.as_deref()
}

/// The name of a folder, as either system writes its path.
fn last_part(path: &str) -> &str {
    let separators = ['/', '\\'];
    path.trim_end_matches(separators).rsplit(separators).next().unwrap_or_default()
}

fn workflow(
    corpus: &Corpus,
    definitions: &[Definition],
    pairs: &[Pair],
    first_files: &FirstFiles,
    parts: &Parts,
) -> Option<Workflow> {
    let pair = parts.call.map(|number| &pairs[number]);
    let definition = parts.definition.map(|number| &definitions[number]);
    let of = |field: fn(&Definition) -> Symbol| definition.map_or(Symbol::NONE, field);
    let result = pair.and_then(|pair| pair.result).map(|place| corpus.result(place));
    let status = result.map_or(Symbol::NONE, |result| result.status);
    let nothing = LaunchResult::default();
    let said = pair.and_then(|pair| launch_result(corpus, pair)).unwrap_or(&nothing);
    let file = parts.journals.first().or(parts.transcripts.first()).copied();
    let of_source = || definition.and_then(|definition| definition.first_of_source);
    let fallback = || first_files.of_session(parts.owner).or_else(of_source);
    let position = file
        .map(|file| corpus.first_record(file).unwrap_or((file, 0, 0)))
        .or(pair.map(|pair| pair.position))
        .or_else(|| Some((fallback()?, 0, 0)))?;
    Some(Workflow {
        position,
        session: parts.owner.map_or(Symbol::NONE, Owner::session),
        id: parts.id,
        run: of(|definition| definition.run).or(said.run_id),
        name: of(|definition| definition.name).or(said.workflow_name),
        status: of(|definition| definition.status).or(status),
        n_started: count(corpus, parts, "started"),
        n_results: count(corpus, parts, "result"),
        n_transcripts: parts.transcripts.len() as i64,
        has_journal: !parts.journals.is_empty(),
        has_definition: definition.is_some(),
        total_tokens: definition.and_then(|definition| definition.total_tokens),
    })
}

/// Records of a type in the journals of a run.
fn count(corpus: &Corpus, parts: &Parts, kind: &str) -> i64 {
    let records = parts.journals.iter().flat_map(|file| corpus.standing_records(*file));
    let is_kind =
        |(unit, sketch)| corpus.strings.text(corpus.sketch(unit, sketch).kind) == Some(kind);
    records.filter(|record| is_kind(*record)).count() as i64
}

#[cfg(test)]
mod tests;
