//! Roots -> transcripts: what is there to read, in the order of the tables.
//!
//! Only metadata are looked at: nothing is opened but folders, so a FIFO that
//! is named like a transcript never blocks a scan.

mod beside;
mod name;
mod walk;

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::SystemTime;

use hashbrown::HashSet;

pub use self::beside::{Beside, BesideCounts, MetaNote, WorkflowNote};
use self::walk::{Looked, Walk};
use crate::storage::{Identity, Storage, spelled};

/// A path to walk or read, and the label of the source that named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What `files.source` shows.
    pub label: String,
    /// A folder or a file.
    pub path: PathBuf,
}

/// What stands at a transcript's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A file to read.
    Regular,
    /// A FIFO, socket, device, or a folder that is named like a transcript.
    NotAFile,
    /// A folder that is one of its own ancestors.
    SymlinkLoop,
    /// A folder that cannot be listed, or a name that leads nowhere; with the
    /// operating system's words.
    Unreadable(String),
}

/// What a file is: `vocabularies.file_kind`, in its order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The schema's vocabulary explains the names.
pub enum FileKind {
    Parent,
    Subagent,
    WorkflowAgent,
    Journal,
    FlatAgent,
    Codex,
    #[default]
    Other,
}

impl FileKind {
    /// The name in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Subagent => "subagent",
            Self::WorkflowAgent => "workflow_agent",
            Self::Journal => "journal",
            Self::FlatAgent => "flat_agent",
            Self::Codex => "codex",
            Self::Other => "other",
        }
    }
}

/// How a file is packed, by the ending of its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

impl Compression {
    /// The name in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// What a path alone says; `None` where it is silent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// The kind that the path's shape has.
    pub kind: Option<FileKind>,
    /// A parent's stem, or the folder that holds `subagents`.
    pub session_id: Option<String>,
    /// The `<id>` of `agent-<id>.jsonl`.
    pub agent_id: Option<String>,
    /// The folder `wf_*` that holds the file.
    pub workflow_id: Option<String>,
}

/// A row of `files` to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The root joined with the names below it, in the root's spelling.
    pub path: PathBuf,
    /// The path as tables show it, with U+FFFD for what is not UTF-8.
    pub shown: String,
    /// Where the path leads.
    pub storage: Storage,
    /// The root's label.
    pub source: String,
    /// What stands there.
    pub found: Found,
    /// Length on disk; `None` where it is no regular file.
    pub size: Option<u64>,
    /// When the file was last written.
    pub modified: Option<SystemTime>,
    /// What the path says.
    pub named: Named,
    /// How the file is packed.
    pub compression: Option<Compression>,
}

impl Transcript {
    /// A file that somebody else has found, to be read and no more.
    pub(crate) fn at(path: PathBuf, size: u64, storage: Storage) -> Self {
        let shown = spelled(&path).into_owned();
        Self {
            source: String::new(),
            found: Found::Regular,
            size: Some(size),
            modified: None,
            named: name::named(&shown),
            compression: name::compression(&shown),
            shown,
            path,
            storage,
        }
    }

    /// The path without its ending: the same as that of its meta file.
    pub fn stem(&self) -> &[u8] {
        name::stem(&self.path)
    }
}

/// What is there below some roots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovered {
    /// What `files` has a row for.
    pub transcripts: Vec<Transcript>,
    /// What stands beside them.
    pub beside: Beside,
}

/// Finds what is below `roots` on the disk of this machine; see [`discover_in`].
#[allow(clippy::implicit_hasher)] // A generic hasher cannot be inferred from `None`.
pub fn discover(roots: &[Root], sizes: Option<&HashMap<String, u64>>) -> Discovered {
    discover_in(&Storage::Disk, roots, sizes)
}

/// Finds every transcript below `roots`, by source and bytes of the path, each
/// physical file at its first place only.
///
/// With `sizes` only paths named there are kept, and no file is longer than it
/// says: that repeats an earlier scan over what it saw. What stands beside the
/// transcripts is found as it is now.
#[allow(clippy::implicit_hasher)] // As above.
pub fn discover_in(
    storage: &Storage,
    roots: &[Root],
    sizes: Option<&HashMap<String, u64>>,
) -> Discovered {
    let mut found = Vec::new();
    let mut notes = Vec::new();
    let mut tool_results = 0;
    for (rank, root, looked) in looked_at(storage, roots) {
        found.extend(looked.transcripts.into_iter().map(|each| (rank, each)));
        notes.extend(looked.notes.into_iter().map(|noted| (rank, root, noted)));
        tool_results += looked.tool_results;
    }
    let (transcripts, mut beside) =
        rayon::join(|| first_places(found, sizes), || Beside::of(notes, storage));
    beside.counts.tool_result = tool_results;
    Discovered { transcripts, beside }
}

/// Pieces of what was found that wait to be looked at, at most. Each of them
/// holds its folder open, and a process may have only so many files open.
const WAITING: usize = 32;

/// What is below the roots, with its source's place and its root, in the order
/// of the walk. One thread lists folders while the others look at what it found.
fn looked_at<'r>(storage: &Storage, roots: &'r [Root]) -> Vec<(usize, &'r Root, Looked)> {
    let (sender, receiver) = mpsc::channel();
    let waiting = &AtomicUsize::new(0);
    rayon::in_place_scope(|scope| {
        let mut walk = Walk::of(storage);
        let mut number = 0;
        for (rank, root) in ranked(roots) {
            walk.root(&root.path, &mut |names| {
                let (number_of_these, sender) = (number, sender.clone());
                number += 1;
                let look = move || {
                    let looked = names.look(storage, root);
                    // The receiver lives as long as the scope.
                    let _ = sender.send((number_of_these, (rank, root, looked)));
                };
                if waiting.load(Ordering::Relaxed) >= WAITING {
                    return look();
                }
                waiting.fetch_add(1, Ordering::Relaxed);
                scope.spawn(move |_| {
                    look();
                    waiting.fetch_sub(1, Ordering::Relaxed);
                });
            });
        }
    });
    drop(sender);
    let mut looked: Vec<_> = receiver.into_iter().collect();
    looked.sort_unstable_by_key(|(number, _)| *number);
    looked.into_iter().map(|(_, looked)| looked).collect()
}

/// Each physical file at its first place, by source and bytes of the path.
fn first_places(
    found: Vec<(usize, (Option<Identity>, Transcript))>,
    sizes: Option<&HashMap<String, u64>>,
) -> Vec<Transcript> {
    // By bytes: `Path` compares name by name.
    let bytes = found.iter().map(|(_, (_, transcript))| transcript.path.as_os_str().as_bytes());
    let ranks = found.iter().map(|(rank, _)| *rank);
    let mut order: Vec<(usize, &[u8], usize)> =
        ranks.zip(bytes).enumerate().map(|(number, (rank, path))| (rank, path, number)).collect();
    order.sort_unstable();
    let order: Vec<usize> = order.into_iter().map(|(_, _, number)| number).collect();
    let mut seen: HashSet<Identity> = HashSet::with_capacity(found.len());
    let mut found: Vec<_> = found.into_iter().map(|(_, each)| Some(each)).collect();
    let mut transcripts = Vec::with_capacity(found.len());
    for (identity, transcript) in order.into_iter().filter_map(|number| found[number].take()) {
        if identity.is_none_or(|identity| seen.insert(identity)) {
            match sizes {
                None => transcripts.push(transcript),
                Some(sizes) => transcripts.extend(limited(transcript, sizes)),
            }
        }
    }
    transcripts
}

/// Roots of one label are one source, as the matches of a glob are, wherever
/// they stand. Within it they are walked in the order of their files.
fn ranked(roots: &[Root]) -> Vec<(usize, &Root)> {
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    let mut ranked: Vec<_> = roots
        .iter()
        .map(|root| {
            let next = ranks.len();
            (*ranks.entry(&root.label).or_insert(next), root)
        })
        .collect();
    ranked.sort_by_cached_key(|(rank, root)| {
        let mut bytes = root.path.as_os_str().as_bytes().to_vec();
        bytes.push(b'/');
        (*rank, bytes)
    });
    ranked
}

fn limited(transcript: Transcript, sizes: &HashMap<String, u64>) -> Option<Transcript> {
    let limit = *sizes.get(&transcript.shown)?;
    Some(Transcript { size: transcript.size.map(|size| size.min(limit)), ..transcript })
}

#[cfg(test)]
mod tests;
