//! Walking folders, without recursion: a folder as deep as a path can be long
//! takes no stack.
//!
//! A physical folder is walked once, at its first place in the order of paths.
//! Folders that link to one another can be reached on more paths than could
//! ever be walked, and what is in them would be dropped as seen already.
//!
//! Which place is the first is known only where one folder is walked after the
//! other. So the walk lists folders and no more, and hands out the names it has
//! found: whatever is asked about the files is asked by other threads meanwhile.

use std::collections::HashSet;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::beside::{self, Holder, Noted};
use super::name::{compression, is_transcript, named};
use super::{FileKind, Found, Named, Root, Transcript};
use crate::error::reason;
use crate::storage::{Identity, Kind, Member, Stat, Storage, spelled};

/// Names that are handed out at a time: a folder of thousands is work for
/// several threads.
const AT_A_TIME: usize = 64;

/// Something found: a file to read, or what cannot be read and why.
struct Entry {
    path: PathBuf,
    /// That of the file; of the link itself where it leads to none.
    identity: Option<Identity>,
    stat: Option<Stat>,
    found: Found,
    is_folder: bool,
}

/// What the walk has found in one folder, nothing of which was looked at yet.
#[derive(Default)]
pub(super) struct Names {
    /// Named like transcripts.
    transcripts: Vec<Member>,
    /// What is known already, such as folders that cannot be listed.
    entries: Vec<Entry>,
    notes: Vec<Noted>,
    /// Folders `tool-results`.
    outputs: Vec<PathBuf>,
}

/// What stands at some names.
pub(super) struct Looked {
    /// Each with its identity.
    pub(super) transcripts: Vec<(Option<Identity>, Transcript)>,
    /// The files beside them.
    pub(super) notes: Vec<Noted>,
    /// How many files there are below `tool-results`.
    pub(super) tool_results: u64,
}

impl Names {
    /// Asks what stands there.
    pub(super) fn look(self, storage: &Storage, root: &Root) -> Looked {
        let looked_up = self.transcripts.into_iter().map(|member| Entry::at(storage, &member));
        let entries = self.entries.into_iter().chain(looked_up);
        let transcripts: Vec<_> =
            entries.map(|entry| (entry.identity, entry.into_transcript(root, storage))).collect();
        let is_open = transcripts.iter().any(|(_, each)| each.found == Found::Regular);
        Looked {
            transcripts,
            notes: beside::files(storage, self.notes, is_open),
            tool_results: beside::tool_results(storage, self.outputs),
        }
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.transcripts.len() + self.entries.len() + self.notes.len() + self.outputs.len()
    }
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
}

impl<'s> Walk<'s> {
    pub(super) fn of(storage: &'s Storage) -> Self {
        Self { storage, walked: HashSet::new() }
    }

    /// Hands out everything below `root` that is named like a transcript, and
    /// what stands beside it; of a home only the folders that hold transcripts
    /// are walked. A root that is a file counts whatever its name.
    pub(super) fn root(&mut self, root: &Path, hand_out: &mut impl FnMut(Names)) {
        let storage = self.storage;
        let stat = match storage.stat(root) {
            Ok(stat) => stat,
            Err(error) => {
                let entry = Entry::unreadable(storage, root.into(), &error, false);
                return hand_out(Names { entries: vec![entry], ..Names::default() });
            }
        };
        if stat.kind != Kind::Folder {
            return hand_out(Names {
                entries: vec![Entry::file(root.into(), stat)],
                notes: Noted::beside(root).into_iter().collect(),
                ..Names::default()
            });
        }
        let home = stat.identity;
        let whole = || Folder { path: root.into(), identity: home, depth: 0 };
        let parts = parts_of_home(storage, root).unwrap_or_else(|| vec![whole()]);
        self.below(home, parts, hand_out);
    }

    /// Walks `folders`, which are `home` or lie in it, in the order of their
    /// paths.
    fn below(
        &mut self,
        home: Identity,
        mut folders: Vec<Folder>,
        hand_out: &mut impl FnMut(Names),
    ) {
        let mut above = vec![home];
        sort_last_first(&mut folders);
        while let Some(folder) = folders.pop() {
            above.truncate(folder.depth);
            let mut names = Names::default();
            if above.contains(&folder.identity) {
                names.entries.push(Entry::symlink_loop(self.storage, folder.path));
                hand_out(names);
                continue;
            }
            if !self.walked.insert(folder.identity) {
                continue;
            }
            above.push(folder.identity);
            let mut inner = Vec::new();
            if let Err(error) = self.list(&folder, &mut inner, &mut names, hand_out) {
                names.entries.push(Entry::unreadable(self.storage, folder.path, &error, true));
            }
            if !names.is_empty() {
                hand_out(names);
            }
            sort_last_first(&mut inner);
            folders.append(&mut inner);
        }
    }

    /// Sorts the members of a folder into folders to enter, finds, and what
    /// stands beside them.
    fn list(
        &self,
        folder: &Folder,
        folders: &mut Vec<Folder>,
        names: &mut Names,
        hand_out: &mut impl FnMut(Names),
    ) -> io::Result<()> {
        let storage = self.storage;
        let holder = Holder::of(&folder.path);
        for member in storage.members(&folder.path)? {
            let member = member?;
            match member.name().as_bytes() {
                name if is_transcript(name) => names.transcripts.push(member),
                b"tool-results" => {
                    let is_folder = member.kind() == Some(Kind::Folder);
                    names.outputs.extend(is_folder.then(|| member.path()));
                }
                b"file-history" => {}
                name => {
                    names.notes.extend(holder.noted(name, &member));
                    let entries = &mut names.entries;
                    folders.extend(folder_at(storage, &member, folder.depth + 1, entries));
                }
            }
            if names.len() >= AT_A_TIME {
                hand_out(std::mem::take(names));
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
    fn at(storage: &Storage, member: &Member) -> Self {
        let path = member.path();
        match storage.stat_member(member, &path) {
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

    fn into_transcript(self, root: &Root, storage: &Storage) -> Transcript {
        let path = spelled(&self.path);
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
