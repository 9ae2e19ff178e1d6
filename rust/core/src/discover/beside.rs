//! What stands beside the transcripts, in the folders that are walked (ruling
//! 38): the files that are read for what they say of agents and workflows, and
//! the number of everything else.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use super::Root;
use super::name::{
    folder_and_name, is_agent, named, names_upwards, session_folder, stem, workflow_folder,
};
use crate::storage::{self, Identity, Member, Storage, spelled};

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

    /// A member of the folder, if it is one of these files.
    pub(super) fn noted(self, name: &[u8], member: &Member) -> Option<Noted> {
        let kind = self.kind(name)?;
        let is_file = match member.kind()? {
            storage::Kind::File => true,
            // Whether a link leads to a file is for its target to say.
            storage::Kind::Link => false,
            storage::Kind::Folder | storage::Kind::Other => return None,
        };
        Some(Noted { path: member.path(), kind, is_file, identity: None })
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
pub(super) struct Noted {
    path: PathBuf,
    kind: Kind,
    /// Its folder says that it is a file.
    is_file: bool,
    /// Where it was asked for.
    identity: Option<Identity>,
}

impl Noted {
    /// The meta file beside an agent's transcript that is a root, if there is one.
    pub(super) fn beside(transcript: &Path) -> Option<Self> {
        named(&spelled(transcript)).kind.filter(|kind| is_agent(*kind))?;
        let path = OsString::from_vec([stem(transcript), META.1.as_bytes()].concat()).into();
        Some(Self { path, kind: Kind::Meta, is_file: false, identity: None })
    }

    fn name(&self) -> &OsStr {
        let mut names = self.path.as_os_str().as_bytes().rsplit(|byte| *byte == b'/');
        OsStr::from_bytes(names.next().unwrap_or_default())
    }
}

/// Those of a folder's notes that are files. A folder that can be listed may
/// still be closed to whoever looks up a name in it: it is open where any name of
/// it was found, and then the kind that it says a name is of is enough.
pub(super) fn files(storage: &Storage, mut notes: Vec<Noted>, mut is_open: bool) -> Vec<Noted> {
    notes.retain_mut(|note| {
        if note.is_file && is_open {
            return true;
        }
        let stat = storage.stat(&note.path);
        is_open |= stat.is_ok();
        let file = stat.ok().filter(|stat| stat.kind == storage::Kind::File);
        note.identity = file.map(|stat| stat.identity);
        file.is_some()
    });
    notes
}

/// Counts the files below folders `tool-results`. Links are left alone, so
/// nothing is looked at that stands elsewhere.
pub(super) fn tool_results(storage: &Storage, mut folders: Vec<PathBuf>) -> u64 {
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for inner in storage.members(&folder).into_iter().flatten().flatten() {
            match inner.kind() {
                Some(storage::Kind::File) => files += 1,
                Some(storage::Kind::Folder) => folders.push(inner.path()),
                _ => {}
            }
        }
    }
    files
}

impl Beside {
    /// Nothing, in the same place.
    #[must_use]
    pub fn of_none(&self) -> Self {
        Self { storage: self.storage.clone(), ..Self::default() }
    }

    /// Puts the notes of all roots together; each comes with its source's place
    /// and its root.
    pub(super) fn of(mut all: Vec<(usize, &Root, Noted)>, storage: &Storage) -> Self {
        all.sort_by(|(rank, _, one), (other_rank, _, other)| {
            let bytes = one.path.as_os_str().as_bytes();
            rank.cmp(other_rank).then_with(|| bytes.cmp(other.path.as_os_str().as_bytes()))
        });
        drop_repeated(&mut all, storage);
        let described = all
            .into_par_iter()
            .map(|(_, root, noted)| Described::of(noted, root, storage))
            .collect::<Vec<_>>();
        let mut beside = Self { storage: storage.clone(), ..Self::default() };
        for each in described {
            beside.add(each);
        }
        beside
    }

    fn add(&mut self, described: Described) {
        match described {
            Described::Meta(note) => {
                self.counts.meta += 1;
                self.metas.push(note);
            }
            Described::Workflow(note) => {
                self.counts.workflow += 1;
                self.workflows.push(note);
            }
            Described::Memory => self.counts.memory += 1,
            Described::Script => self.counts.script += 1,
        }
    }
}

/// Drops files that are noted at an earlier place.
///
/// A name says whom a file is about: one that tools which save space have linked
/// to an equal file of another name is no repetition of it. So only files of one
/// name are asked which they are, and few are.
fn drop_repeated(notes: &mut Vec<(usize, &Root, Noted)>, storage: &Storage) {
    let is_alone: Vec<bool> = {
        let mut places: HashMap<&OsStr, u32> = HashMap::with_capacity(notes.len());
        for (_, _, noted) in notes.iter() {
            *places.entry(noted.name()).or_default() += 1;
        }
        notes.iter().map(|(_, _, noted)| places[noted.name()] == 1).collect()
    };
    notes.par_iter_mut().zip(&is_alone).for_each(|((_, _, noted), is_alone)| {
        if !is_alone && noted.identity.is_none() {
            noted.identity = storage.stat(&noted.path).map(|stat| stat.identity).ok();
        }
    });
    let mut is_alone = is_alone.into_iter();
    let mut seen: HashSet<(Identity, OsString)> = HashSet::new();
    notes.retain(|(_, _, noted)| {
        let is_alone = is_alone.next().unwrap_or_default();
        let is_new = |identity| seen.insert((identity, noted.name().to_owned()));
        is_alone || noted.identity.is_none_or(is_new)
    });
}

/// What a file beside the transcripts is known by.
enum Described {
    Meta(MetaNote),
    Workflow(WorkflowNote),
    Memory,
    Script,
}

impl Described {
    fn of(noted: Noted, root: &Root, storage: &Storage) -> Self {
        let shown = |path: &Path| storage.shown(&root.path, path);
        match noted.kind {
            Kind::Meta => Self::Meta(meta(shown(&noted.path), noted.path, &root.label)),
            Kind::Workflow => Self::Workflow(workflow(shown(&noted.path), noted.path, &root.label)),
            Kind::Memory => Self::Memory,
            Kind::Script => Self::Script,
        }
    }
}

fn meta(shown: String, path: PathBuf, source: &str) -> MetaNote {
    let spelled = spelled(&path);
    let (folder, name) = folder_and_name(&spelled);
    let id = name.strip_prefix(META.0).and_then(|name| name.strip_suffix(META.1));
    MetaNote {
        agent_id: id.unwrap_or_default().to_owned(),
        session_id: session_folder(folder).map(str::to_owned),
        workflow_id: workflow_folder(folder).map(str::to_owned),
        source: source.to_owned(),
        shown,
        path,
    }
}

fn workflow(shown: String, path: PathBuf, source: &str) -> WorkflowNote {
    let spelled = spelled(&path);
    let (folder, name) = folder_and_name(&spelled);
    let session = names_upwards(folder).nth(1).filter(|folder| !folder.is_empty());
    WorkflowNote {
        workflow_id: name.strip_suffix(JSON).unwrap_or(name).to_owned(),
        session_id: session.map(str::to_owned),
        source: source.to_owned(),
        shown,
        path,
    }
}

#[cfg(test)]
mod tests;
