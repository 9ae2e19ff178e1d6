//! What stands beside the transcripts, in the folders that are walked (ruling
//! 38): the files that are read for what they say of agents and workflows, and
//! the number of everything else.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::Root;
use super::name::{is_agent, named, session_folder, stem, workflow_folder};
use crate::storage::{self, Identity, Member, Storage};

/// What stands beside the transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Meta files of agents, in the order of files.
    pub metas: Vec<MetaNote>,
    /// Definitions of workflow runs, in the order of files.
    pub workflows: Vec<WorkflowNote>,
    /// How many there are of each kind.
    pub counts: BesideCounts,
    /// Where they live.
    pub storage: Storage,
}

/// How many files of each kind stand beside the transcripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BesideCounts {
    pub meta: u64,
    pub workflow: u64,
    pub memory: u64,
    pub script: u64,
    pub tool_result: u64,
}

/// `agent-<id>.meta.json`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaNote {
    /// The root joined with the names below it.
    pub path: PathBuf,
    /// The path with U+FFFD for what is not UTF-8.
    pub shown: String,
    /// The root's label.
    pub source: String,
    /// The `<id>` of the name.
    pub agent_id: String,
    /// The folder that holds `subagents`.
    pub session_id: Option<String>,
    /// The folder `wf_*` that holds the file.
    pub workflow_id: Option<String>,
}

impl MetaNote {
    /// The path without its ending: that of the transcript which it describes
    /// is the same.
    pub fn stem(&self) -> &[u8] {
        stem(&self.path)
    }
}

/// `workflows/wf_*.json`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowNote {
    /// The root joined with the names below it.
    pub path: PathBuf,
    /// The path with U+FFFD for what is not UTF-8.
    pub shown: String,
    /// The root's label.
    pub source: String,
    /// The name without its ending.
    pub workflow_id: String,
    /// The folder that holds `workflows`.
    pub session_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Meta,
    Workflow,
    Memory,
    Script,
}

/// What a folder's own name says about the files in it.
#[derive(Clone, Copy)]
pub(super) enum Holder {
    Workflows,
    Scripts,
    Memory,
    Other,
}

impl Holder {
    pub(super) fn of(folder: &Path) -> Self {
        let mut names = folder.as_os_str().as_bytes().rsplit(|byte| *byte == b'/');
        match (names.next(), names.next()) {
            (Some(b"workflows"), _) => Self::Workflows,
            (Some(b"scripts"), Some(b"workflows")) => Self::Scripts,
            (Some(b"memory"), _) => Self::Memory,
            _ => Self::Other,
        }
    }

    fn kind(self, name: &[u8]) -> Option<Kind> {
        let is = |start: &[u8], end: &[u8]| {
            name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
        };
        if is(META.0.as_bytes(), META.1.as_bytes()) {
            return Some(Kind::Meta);
        }
        match self {
            Self::Workflows if is(b"wf_", JSON.as_bytes()) => Some(Kind::Workflow),
            Self::Memory if name.ends_with(b".md") => Some(Kind::Memory),
            Self::Scripts => Some(Kind::Script),
            _ => None,
        }
    }
}

const META: (&str, &str) = ("agent-", ".meta.json");
const JSON: &str = ".json";

/// A file that was noted.
#[derive(Debug)]
struct Noted {
    path: PathBuf,
    identity: Identity,
    kind: Kind,
}

/// What the walk of one root noted.
#[derive(Debug, Default)]
pub(super) struct Notes {
    noted: Vec<Noted>,
    tool_results: u64,
}

impl Notes {
    /// Notes a member of a folder that is walked, if it is one of these files.
    pub(super) fn member(&mut self, storage: &Storage, holder: Holder, member: &Member) {
        let Some(kind) = holder.kind(member.name().as_bytes()) else { return };
        // Whether a link leads to a file is for its target to say.
        if matches!(member.kind(), Some(storage::Kind::File | storage::Kind::Link)) {
            self.file(storage, member.path(), kind);
        }
    }

    /// Notes the meta file beside an agent's transcript that is a root.
    pub(super) fn root(&mut self, storage: &Storage, transcript: &Path) {
        if named(&transcript.to_string_lossy()).kind.is_some_and(is_agent) {
            let meta = [stem(transcript), META.1.as_bytes()].concat();
            self.file(storage, OsString::from_vec(meta).into(), Kind::Meta);
        }
    }

    fn file(&mut self, storage: &Storage, path: PathBuf, kind: Kind) {
        if let Ok(stat) = storage.stat(&path)
            && stat.kind == storage::Kind::File
        {
            self.noted.push(Noted { path, identity: stat.identity, kind });
        }
    }

    /// Counts the files below a folder `tool-results`. Links are left alone, so
    /// nothing is looked at that stands elsewhere.
    pub(super) fn tool_results(&mut self, storage: &Storage, outputs: &Member) {
        let mut folders = Vec::new();
        if outputs.kind() == Some(storage::Kind::Folder) {
            folders.push(outputs.path());
        }
        while let Some(folder) = folders.pop() {
            for inner in storage.members(&folder).into_iter().flatten().flatten() {
                match inner.kind() {
                    Some(storage::Kind::File) => self.tool_results += 1,
                    Some(storage::Kind::Folder) => folders.push(inner.path()),
                    _ => {}
                }
            }
        }
    }
}

impl Beside {
    /// Nothing, in the same place.
    #[must_use]
    pub fn of_none(&self) -> Self {
        Self { storage: self.storage.clone(), ..Self::default() }
    }

    /// Puts the notes of all roots together; each comes with its source's place
    /// and its root.
    pub(super) fn of(notes: Vec<(usize, &Root, Notes)>, storage: &Storage) -> Self {
        let mut beside = Self { storage: storage.clone(), ..Self::default() };
        let mut all = Vec::new();
        for (rank, root, notes) in notes {
            beside.counts.tool_result += notes.tool_results;
            all.extend(notes.noted.into_iter().map(|noted| (rank, root, noted)));
        }
        all.sort_by(|(rank, _, one), (other_rank, _, other)| {
            let bytes = one.path.as_os_str().as_bytes();
            rank.cmp(other_rank).then_with(|| bytes.cmp(other.path.as_os_str().as_bytes()))
        });
        // A name says whom a file is about: one that tools which save space have
        // linked to an equal file of another name is no repetition of it.
        let mut seen: HashSet<(Identity, OsString)> = HashSet::new();
        for (_, root, noted) in all {
            let name = noted.path.file_name().unwrap_or_default().to_owned();
            if seen.insert((noted.identity, name)) {
                beside.add(noted, root);
            }
        }
        beside
    }

    fn add(&mut self, noted: Noted, root: &Root) {
        let shown = self.storage.shown(&root.path, &noted.path);
        match noted.kind {
            Kind::Meta => {
                self.counts.meta += 1;
                self.metas.push(meta(noted.path, shown, &root.label));
            }
            Kind::Workflow => {
                self.counts.workflow += 1;
                self.workflows.push(workflow(noted.path, shown, &root.label));
            }
            Kind::Memory => self.counts.memory += 1,
            Kind::Script => self.counts.script += 1,
        }
    }
}

fn meta(path: PathBuf, shown: String, source: &str) -> MetaNote {
    let spelled = path.to_string_lossy().into_owned();
    let mut folders: Vec<&str> = spelled.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    let id = name.strip_prefix(META.0).and_then(|name| name.strip_suffix(META.1));
    MetaNote {
        agent_id: id.unwrap_or_default().to_owned(),
        session_id: session_folder(&folders).map(str::to_owned),
        workflow_id: workflow_folder(&folders).map(str::to_owned),
        source: source.to_owned(),
        path,
        shown,
    }
}

fn workflow(path: PathBuf, shown: String, source: &str) -> WorkflowNote {
    let spelled = path.to_string_lossy().into_owned();
    let mut names = spelled.rsplit('/');
    let name = names.next().unwrap_or_default();
    let session = names.nth(1).filter(|folder| !folder.is_empty());
    WorkflowNote {
        workflow_id: name.strip_suffix(JSON).unwrap_or(name).to_owned(),
        session_id: session.map(str::to_owned),
        source: source.to_owned(),
        path,
        shown,
    }
}

#[cfg(test)]
mod tests;
