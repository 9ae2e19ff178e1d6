//! Walking folders, without recursion: a folder as deep as a path can be long
//! takes no stack.
//!
//! A physical folder is walked once, at its first place in the order of paths.
//! Folders that link to one another can be reached on more paths than could
//! ever be walked, and what is in them would be dropped as seen already.

use std::collections::HashSet;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::beside::{Holder, Notes};
use super::name::{compression, is_transcript, named};
use super::{FileKind, Found, Named, Root, Transcript};
use crate::error::reason;
use crate::storage::{Identity, Kind, Member, Stat, Storage};

/// Something found: a file to read, or what cannot be read and why.
pub(super) struct Entry {
    pub(super) path: PathBuf,
    /// That of the file; of the link itself where it leads to none.
    pub(super) identity: Option<Identity>,
    stat: Option<Stat>,
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
pub(super) struct Walk<'s> {
    storage: &'s Storage,
    walked: HashSet<Identity>,
    /// What stands beside the transcripts of the last root.
    pub(super) notes: Notes,
}

impl<'s> Walk<'s> {
    pub(super) fn of(storage: &'s Storage) -> Self {
        Self { storage, walked: HashSet::new(), notes: Notes::default() }
    }

    /// Everything below `root` that is named like a transcript; of a home only
    /// the folders that hold transcripts are walked. A root that is a file
    /// counts whatever its name.
    pub(super) fn root(&mut self, root: &Path) -> Vec<Entry> {
        let stat = match self.storage.stat(root) {
            Ok(stat) => stat,
            Err(error) => {
                return vec![Entry::unreadable(self.storage, root.into(), &error, false)];
            }
        };
        if stat.kind != Kind::Folder {
            self.notes.root(self.storage, root);
            return vec![Entry::file(root.into(), stat)];
        }
        let home = stat.identity;
        let whole = || Folder { path: root.into(), identity: home, depth: 0 };
        let mut entries = Vec::new();
        let parts = parts_of_home(self.storage, root).unwrap_or_else(|| vec![whole()]);
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
                entries.push(Entry::symlink_loop(self.storage, folder.path));
                continue;
            }
            if !self.walked.insert(folder.identity) {
                continue;
            }
            above.push(folder.identity);
            let mut inner = Vec::new();
            if let Err(error) = self.list(&folder, &mut inner, entries) {
                entries.push(Entry::unreadable(self.storage, folder.path, &error, true));
            }
            sort_last_first(&mut inner);
            folders.append(&mut inner);
        }
    }

    /// Sorts the members of a folder into folders to enter, finds, and what
    /// stands beside them.
    fn list(
        &mut self,
        folder: &Folder,
        folders: &mut Vec<Folder>,
        entries: &mut Vec<Entry>,
    ) -> io::Result<()> {
        let storage = self.storage;
        let holder = Holder::of(&folder.path);
        for member in storage.members(&folder.path)? {
            let member = member?;
            match member.name().as_bytes() {
                name if is_transcript(name) => entries.push(Entry::at(storage, member.path())),
                b"tool-results" => self.notes.tool_results(storage, &member),
                b"file-history" => {}
                _ => {
                    self.notes.member(storage, holder, &member);
                    folders.extend(folder_at(storage, &member, folder.depth + 1, entries));
                }
            }
        }
        Ok(())
    }
}

/// Of a folder with `projects/` that alone, else of one with `sessions/` that
/// and `archived_sessions/`; `None` for any other folder.
fn parts_of_home(storage: &Storage, root: &Path) -> Option<Vec<Folder>> {
    let folder = |name: &str| {
        let path = root.join(name);
        let stat = storage.stat(&path).ok().filter(|stat| stat.kind == Kind::Folder)?;
        Some(Folder { path, identity: stat.identity, depth: 1 })
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

/// The folder that a member is or links to. A link that leads nowhere is not
/// known to be one.
fn folder_at(
    storage: &Storage,
    member: &Member,
    depth: usize,
    entries: &mut Vec<Entry>,
) -> Option<Folder> {
    let kind = member.kind();
    if !matches!(kind, Some(Kind::Folder | Kind::Link)) {
        return None;
    }
    let path = member.path();
    match storage.stat(&path) {
        Ok(stat) => {
            let folder = Folder { path, identity: stat.identity, depth };
            (stat.kind == Kind::Folder).then_some(folder)
        }
        Err(error) => {
            if kind == Some(Kind::Folder) {
                entries.push(Entry::unreadable(storage, path, &error, true));
            }
            None
        }
    }
}

impl Entry {
    fn at(storage: &Storage, path: PathBuf) -> Self {
        match storage.stat(&path) {
            Ok(stat) => Self::file(path, stat),
            Err(error) => Self::unreadable(storage, path, &error, false),
        }
    }

    fn file(path: PathBuf, stat: Stat) -> Self {
        let is_file = stat.kind == Kind::File;
        Self {
            path,
            identity: Some(stat.identity),
            stat: is_file.then_some(stat),
            found: if is_file { Found::Regular } else { Found::NotAFile },
            is_folder: false,
        }
    }

    fn unreadable(storage: &Storage, path: PathBuf, error: &io::Error, is_folder: bool) -> Self {
        Self::unread(storage, path, Found::Unreadable(reason(error)), is_folder)
    }

    fn symlink_loop(storage: &Storage, path: PathBuf) -> Self {
        Self::unread(storage, path, Found::SymlinkLoop, true)
    }

    fn unread(storage: &Storage, path: PathBuf, found: Found, is_folder: bool) -> Self {
        Self {
            identity: storage.stat_itself(&path).map(|stat| stat.identity).ok(),
            path,
            stat: None,
            found,
            is_folder,
        }
    }

    pub(super) fn into_transcript(self, root: &Root, storage: &Storage) -> Transcript {
        let path = self.path.to_string_lossy();
        let mut says = named(&path);
        if self.is_folder {
            says = Named { kind: Some(FileKind::Other), ..says };
        }
        Transcript {
            source: root.label.clone(),
            size: self.stat.map(|stat| stat.len),
            modified: self.stat.and_then(|stat| stat.modified),
            named: says,
            compression: compression(&path),
            shown: storage.shown(&root.path, &self.path),
            path: self.path,
            found: self.found,
            storage: storage.clone(),
        }
    }
}
