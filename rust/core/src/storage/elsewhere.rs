//! A store that the caller reaches, and what its roots hold.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_128;

use super::{Kind, Member, Stat};
use crate::discover::Root;

/// Why a store could not say what it holds, in the caller's own words.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Something that a store holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The names below the root, joined by `/`; empty for the root itself.
    pub below: String,
    /// What it is.
    pub kind: Kind,
    /// Its length; of a file alone it means something.
    pub size: u64,
    /// When it was last written, where the store says so.
    pub modified: Option<SystemTime>,
}

/// What a root holds, at any depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// How tables spell the root: what leads to it may hold a password.
    pub shown: String,
    /// The root itself, and everything below it. Folders between them need not
    /// be named.
    pub listed: Vec<Listed>,
}

/// Files somewhere else. Paths are UTF-8 and joined by `/`, and nothing is a
/// link. It is called from many threads at once, and retries as it sees fit.
pub trait Store: Debug + Send + Sync {
    /// What is at and below a path.
    fn list(&self, root: &Path) -> Result<Listing, StoreError>;

    /// What is at a path, which may lie outside the roots; none where nothing is.
    fn look(&self, path: &Path) -> io::Result<Option<Listed>>;

    /// Reads into `buffer` from `offset` on; how many bytes there were, 0 at
    /// the file's end only.
    fn read_at(&self, path: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// A store, and what its roots held when they were listed.
#[derive(Debug)]
pub struct Elsewhere {
    store: Arc<dyn Store>,
    /// Each root's path, and how it is shown.
    roots: Vec<(String, String)>,
    /// By path, folders included.
    entries: BTreeMap<String, Stat>,
}

impl Elsewhere {
    /// A store of which nothing was listed.
    pub(super) fn unlisted(store: &Arc<dyn Store>) -> Self {
        Self { store: Arc::clone(store), roots: Vec::new(), entries: BTreeMap::new() }
    }

    /// Lists every root.
    pub(super) fn list(store: &Arc<dyn Store>, roots: &[Root]) -> Result<Self, StoreError> {
        let mut elsewhere = Self::unlisted(store);
        for root in roots {
            let Listing { shown, listed } = elsewhere.store.list(&root.path)?;
            let path = root.path.to_string_lossy().into_owned();
            for each in &listed {
                elsewhere.add(&path, each);
            }
            elsewhere.roots.push((path, shown));
        }
        Ok(elsewhere)
    }

    fn add(&mut self, root: &str, listed: &Listed) {
        // Stores of objects know folders only as beginnings of keys.
        for (slash, _) in listed.below.match_indices('/') {
            let folder = joined(root, &listed.below[..slash]);
            let stat = stat(&folder, Kind::Folder, 0, None);
            self.entries.entry(folder).or_insert(stat);
        }
        let path = joined(root, &listed.below);
        let stat = stat(&path, listed.kind, listed.size, listed.modified);
        self.entries.insert(path, stat);
    }

    pub(super) fn stat(&self, path: &Path) -> io::Result<Stat> {
        let path = path.to_str().ok_or_else(missing)?;
        if let Some(stat) = self.entries.get(path) {
            return Ok(*stat);
        }
        if self.roots.iter().any(|(root, _)| below(root, path).is_some()) {
            return Err(missing());
        }
        let Listed { kind, size, modified, .. } =
            self.store.look(Path::new(path))?.ok_or_else(missing)?;
        Ok(stat(path, kind, size, modified))
    }

    pub(super) fn members(&self, folder: &Path) -> Vec<Member> {
        let folder = before_names(&folder.to_string_lossy());
        self.entries
            .range(folder.clone()..)
            .take_while(|(path, _)| path.starts_with(&folder))
            .filter(|(path, _)| path.len() > folder.len() && !path[folder.len()..].contains('/'))
            .map(|(path, stat)| Member::Listed(path.into(), stat.kind))
            .collect()
    }

    pub(super) fn shown(&self, root: &Path, path: &Path) -> String {
        let (root, path) = (root.to_string_lossy(), path.to_string_lossy());
        let spelled = self.roots.iter().find(|(known, _)| *known == root);
        let shown = spelled.map_or(&*root, |(_, shown)| shown);
        if let Some(below) = below(&root, &path) {
            return joined(shown, below);
        }
        // A side file of a root that is a file stands beside it.
        let beside = below(folder_of(&root), &path);
        beside.map_or_else(|| path.to_string(), |beside| joined(folder_of(shown), beside))
    }

    /// Reads into `buffer` from `offset` on, to its end or that of the file;
    /// how many bytes there were.
    pub(crate) fn fill(&self, path: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.store.read_at(path, offset + filled as u64, &mut buffer[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }

    /// What a file holds that is no longer than `limit`.
    pub(crate) fn bytes(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let stat = self.stat(path)?;
        if stat.kind != Kind::File || stat.len > limit {
            return Err(io::Error::other("not a side file"));
        }
        let mut bytes = vec![0; stat.len as usize];
        let filled = self.fill(path, 0, &mut bytes)?;
        bytes.truncate(filled);
        Ok(bytes)
    }
}

/// The disk's own words.
fn missing() -> io::Error {
    io::Error::from_raw_os_error(2)
}

fn stat(path: &str, kind: Kind, len: u64, modified: Option<SystemTime>) -> Stat {
    let fingerprint = xxh3_128(path.as_bytes());
    Stat { kind, len, modified, identity: ((fingerprint >> 64) as u64, fingerprint as u64) }
}

/// A folder's path as it stands before the names in it.
fn before_names(folder: &str) -> String {
    let slash = if folder.is_empty() || folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{slash}")
}

/// A root's path and the names below it, if there are any.
fn joined(root: &str, below: &str) -> String {
    if below.is_empty() { root.to_owned() } else { before_names(root) + below }
}

/// What is before the last name.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The names below a root, where a path lies there; none of the root itself.
fn below<'p>(root: &str, path: &'p str) -> Option<&'p str> {
    if root == path { Some("") } else { path.strip_prefix(&before_names(root)) }
}
