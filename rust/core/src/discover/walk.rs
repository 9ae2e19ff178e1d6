//! Walking folders, without recursion: a folder as deep as a path can be long
//! takes no stack.
//!
//! A physical folder is walked once, at its first place in the order of paths.
//! Folders that link to one another can be reached on more paths than could
//! ever be walked, and what is in them would be dropped as seen already.

use std::collections::HashSet;
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::beside::{Holder, Notes};
use super::name::{compression, is_transcript, named};
use super::{FileKind, Found, Named, Transcript};
use crate::error::reason;

/// Device and inode.
pub(super) type Identity = (u64, u64);

/// Something found: a file to read, or what cannot be read and why.
pub(super) struct Entry {
    pub(super) path: PathBuf,
    /// That of the file; of the link itself where it leads to none.
    pub(super) identity: Option<Identity>,
    metadata: Option<Metadata>,
    found: Found,
    is_folder: bool,
}

/// A folder to be walked, `depth` folders below the root.
struct Folder {
    path: PathBuf,
    identity: Identity,
    depth: usize,
}

/// The folders that were walked so far, for all roots together.
#[derive(Default)]
pub(super) struct Walk {
    walked: HashSet<Identity>,
    /// What stands beside the transcripts of the last root.
    pub(super) notes: Notes,
}

impl Walk {
    /// Everything below `root` that is named like a transcript; of a home only
    /// the folders that hold transcripts are walked. A root that is a file
    /// counts whatever its name.
    pub(super) fn root(&mut self, root: &Path) -> Vec<Entry> {
        let metadata = match fs::metadata(root) {
            Ok(metadata) => metadata,
            Err(error) => return vec![Entry::unreadable(root.into(), &error, false)],
        };
        if !metadata.is_dir() {
            self.notes.root(root);
            return vec![Entry::file(root.into(), metadata)];
        }
        let home = identity(&metadata);
        let whole = || Folder { path: root.into(), identity: home, depth: 0 };
        let mut entries = Vec::new();
        let parts = parts_of_home(root).unwrap_or_else(|| vec![whole()]);
        self.below(home, parts, &mut entries);
        entries
    }

    /// Walks `folders`, which are `home` or lie in it, in the order of their
    /// paths.
    fn below(&mut self, home: Identity, mut folders: Vec<Folder>, entries: &mut Vec<Entry>) {
        let mut above = vec![home];
        sort_last_first(&mut folders);
        while let Some(folder) = folders.pop() {
            above.truncate(folder.depth);
            if above.contains(&folder.identity) {
                entries.push(Entry::symlink_loop(folder.path));
                continue;
            }
            if !self.walked.insert(folder.identity) {
                continue;
            }
            above.push(folder.identity);
            let mut inner = Vec::new();
            if let Err(error) = list(&folder, &mut inner, entries, &mut self.notes) {
                entries.push(Entry::unreadable(folder.path, &error, true));
            }
            sort_last_first(&mut inner);
            folders.append(&mut inner);
        }
    }
}

/// Of a folder with `projects/` that alone, else of one with `sessions/` that
/// and `archived_sessions/`; `None` for any other folder.
fn parts_of_home(root: &Path) -> Option<Vec<Folder>> {
    let folder = |name: &str| {
        let path = root.join(name);
        let metadata = fs::metadata(&path).ok().filter(Metadata::is_dir)?;
        Some(Folder { path, identity: identity(&metadata), depth: 1 })
    };
    if let Some(projects) = folder("projects") {
        return Some(vec![projects]);
    }
    let sessions = folder("sessions")?;
    let archived = folder("archived_sessions");
    Some(std::iter::once(sessions).chain(archived).collect())
}

/// Sorts what is taken from the end of a vector: last comes first. A `/` behind
/// each name puts folders where their files stand among all paths.
fn sort_last_first(folders: &mut [Folder]) {
    folders.sort_by_cached_key(|folder| {
        let mut bytes = folder.path.as_os_str().as_bytes().to_vec();
        bytes.push(b'/');
        std::cmp::Reverse(bytes)
    });
}

/// Sorts the entries of a folder into folders to enter, finds, and what stands
/// beside them.
fn list(
    folder: &Folder,
    folders: &mut Vec<Folder>,
    entries: &mut Vec<Entry>,
    notes: &mut Notes,
) -> io::Result<()> {
    let holder = Holder::of(&folder.path);
    for entry in fs::read_dir(&folder.path)? {
        let entry = entry?;
        match entry.file_name().as_bytes() {
            name if is_transcript(name) => entries.push(Entry::at(entry.path())),
            b"tool-results" => notes.tool_results(&entry),
            b"file-history" => {}
            _ => {
                notes.entry(holder, &entry);
                folders.extend(folder_at(&entry, folder.depth + 1, entries));
            }
        }
    }
    Ok(())
}

/// The folder that an entry is or links to. A link that leads nowhere is not
/// known to be one.
fn folder_at(entry: &DirEntry, depth: usize, entries: &mut Vec<Entry>) -> Option<Folder> {
    let is = |kind: fn(&FileType) -> bool| entry.file_type().is_ok_and(|found| kind(&found));
    if !is(FileType::is_dir) && !is(FileType::is_symlink) {
        return None;
    }
    let path = entry.path();
    match fs::metadata(&path) {
        Ok(metadata) => {
            metadata.is_dir().then(|| Folder { path, identity: identity(&metadata), depth })
        }
        Err(error) => {
            if is(FileType::is_dir) {
                entries.push(Entry::unreadable(path, &error, true));
            }
            None
        }
    }
}

pub(super) fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

impl Entry {
    fn at(path: PathBuf) -> Self {
        match fs::metadata(&path) {
            Ok(metadata) => Self::file(path, metadata),
            Err(error) => Self::unreadable(path, &error, false),
        }
    }

    fn file(path: PathBuf, metadata: Metadata) -> Self {
        let found = if metadata.is_file() { Found::Regular } else { Found::NotAFile };
        Self {
            path,
            identity: Some(identity(&metadata)),
            metadata: metadata.is_file().then_some(metadata),
            found,
            is_folder: false,
        }
    }

    fn unreadable(path: PathBuf, error: &io::Error, is_folder: bool) -> Self {
        Self::unread(path, Found::Unreadable(reason(error)), is_folder)
    }

    fn symlink_loop(path: PathBuf) -> Self {
        Self::unread(path, Found::SymlinkLoop, true)
    }

    fn unread(path: PathBuf, found: Found, is_folder: bool) -> Self {
        Self {
            identity: fs::symlink_metadata(&path).as_ref().map(identity).ok(),
            path,
            metadata: None,
            found,
            is_folder,
        }
    }

    pub(super) fn into_transcript(self, source: &str) -> Transcript {
        let shown = self.path.to_string_lossy().into_owned();
        let mut says = named(&shown);
        if self.is_folder {
            says = Named { kind: Some(FileKind::Other), ..says };
        }
        Transcript {
            source: source.to_owned(),
            size: self.metadata.as_ref().map(Metadata::len),
            modified: self.metadata.and_then(|metadata| metadata.modified().ok()),
            named: says,
            compression: compression(&shown),
            path: self.path,
            found: self.found,
            shown,
        }
    }
}
