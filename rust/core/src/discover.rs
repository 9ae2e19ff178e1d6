//! Roots -> transcripts: what is there to read, in the order of the tables.
//!
//! Only metadata are looked at: nothing is opened but folders, so a FIFO that
//! is named like a transcript never blocks a scan.

mod beside;
mod name;
mod walk;

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::SystemTime;

pub use self::beside::{Beside, BesideCounts, MetaNote, WorkflowNote};
use self::walk::Walk;
use crate::storage::{Identity, Storage};

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
        let shown = path.to_string_lossy().into_owned();
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
    let mut walk = Walk::of(storage);
    let mut entries = Vec::new();
    let mut notes = Vec::new();
    for (rank, root) in ranked(roots) {
        let found = walk.root(&root.path).into_iter();
        entries.extend(found.map(|entry| (rank, root, entry)));
        notes.push((rank, root, std::mem::take(&mut walk.notes)));
    }
    // By bytes: `Path` compares name by name.
    entries.sort_by(|(rank, _, entry), (other_rank, _, other)| {
        let bytes = entry.path.as_os_str().as_bytes();
        let order = bytes.cmp(other.path.as_os_str().as_bytes());
        rank.cmp(other_rank).then(order)
    });
    let mut seen: HashSet<Identity> = HashSet::new();
    let transcripts = entries
        .into_iter()
        .filter(|(_, _, entry)| entry.identity.is_none_or(|identity| seen.insert(identity)))
        .map(|(_, root, entry)| entry.into_transcript(root, storage))
        .filter_map(|transcript| match sizes {
            None => Some(transcript),
            Some(sizes) => limited(transcript, sizes),
        })
        .collect();
    Discovered { transcripts, beside: Beside::of(notes, storage) }
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
