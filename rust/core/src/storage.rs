//! Where bytes live: on the disk of this machine, or in a store that only the
//! caller reaches, such as a bucket.
//!
//! This is the one seam between the flow and what holds the files: discovery,
//! opening and what is looked for beside the transcripts ask it and nothing
//! else. The disk answers as it always has, a call of the operating system for
//! each question. A [`Store`] answers over a network, so it is asked once for
//! all that stands below a root, and read in large pieces.

mod elsewhere;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, FileType, Metadata, ReadDir};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub use self::elsewhere::{Elsewhere, Listed, Listing, Store, StoreError};
use crate::discover::Root;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file, or an object.
    File,
    /// A folder, or the beginning that keys of objects share.
    Folder,
    /// A symbolic link; a store has none.
    Link,
    /// A FIFO, socket or device, or what a store has no word for.
    Other,
}

/// What tells one physical file or folder from another: device and inode, or a
/// fingerprint of the path in a store.
pub(crate) type Identity = (u64, u64);

/// What is known of a path without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) kind: Kind,
    pub(crate) len: u64,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) identity: Identity,
}

/// Where the files of a scan live.
#[derive(Clone, Debug, Default)]
pub enum Storage {
    /// The disk of this machine.
    #[default]
    Disk,
    /// A store, as it was when its roots were listed.
    Elsewhere(Arc<Elsewhere>),
}

impl PartialEq for Storage {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Disk, Self::Disk) => true,
            (Self::Elsewhere(one), Self::Elsewhere(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Storage {}

impl Storage {
    /// The disk, or a store with all that is below `roots`.
    pub fn of(store: Option<&Arc<dyn Store>>, roots: &[Root]) -> Result<Self, StoreError> {
        Ok(match store {
            None => Self::Disk,
            Some(store) => Self::Elsewhere(Arc::new(Elsewhere::list(store, roots)?)),
        })
    }

    /// The disk, or a store of which nothing was listed, for whoever knows what there is.
    pub(crate) fn unlisted(store: Option<&Arc<dyn Store>>) -> Self {
        store.map_or(Self::Disk, |store| Self::Elsewhere(Arc::new(Elsewhere::unlisted(store))))
    }

    /// What a path leads to.
    pub(crate) fn stat(&self, path: &Path) -> io::Result<Stat> {
        match self {
            Self::Disk => fs::metadata(path).map(|metadata| Stat::of(&metadata)),
            Self::Elsewhere(elsewhere) => elsewhere.stat(path),
        }
    }

    /// What a member of a folder leads to, whose path this is.
    pub(crate) fn stat_member(&self, member: &Member, path: &Path) -> io::Result<Stat> {
        match member {
            // One that is no link is asked for in its folder, which is open still: that
            // spares the way from the root down to it.
            Member::OnDisk(entry) if member.kind() == Some(Kind::File) => {
                entry.metadata().map(|metadata| Stat::of(&metadata))
            }
            _ => self.stat(path),
        }
    }

    /// What stands at a path, be it a link.
    pub(crate) fn stat_itself(&self, path: &Path) -> io::Result<Stat> {
        match self {
            Self::Disk => fs::symlink_metadata(path).map(|metadata| Stat::of(&metadata)),
            Self::Elsewhere(elsewhere) => elsewhere.stat(path),
        }
    }

    /// What a folder holds, in no order.
    pub(crate) fn members(&self, folder: &Path) -> io::Result<Members> {
        Ok(match self {
            Self::Disk => Members::OnDisk(fs::read_dir(folder)?),
            Self::Elsewhere(elsewhere) => Members::Listed(elsewhere.members(folder).into_iter()),
        })
    }

    /// A path as tables show it: with U+FFFD for what is not UTF-8, and in the
    /// spelling of the root that led to it.
    pub(crate) fn shown(&self, root: &Path, path: &Path) -> String {
        match self {
            Self::Disk => spelled(path).into_owned(),
            Self::Elsewhere(elsewhere) => elsewhere.shown(root, path),
        }
    }

    /// How many bytes could be read in the time that opening a file takes.
    pub(crate) fn cost_of_opening(&self) -> u64 {
        match self {
            Self::Disk => 0,
            Self::Elsewhere(_) => 2 << 20,
        }
    }
}

/// A path with U+FFFD for what is not UTF-8. Nearly every one is UTF-8, and to
/// say so takes far less than to look for the first place where it is not.
pub(crate) fn spelled(path: &Path) -> Cow<'_, str> {
    path.to_str().map_or_else(|| path.to_string_lossy(), Cow::Borrowed)
}

impl Stat {
    fn of(metadata: &Metadata) -> Self {
        Self {
            kind: Kind::of(metadata.file_type()),
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: (metadata.dev(), metadata.ino()),
        }
    }
}

impl Kind {
    fn of(found: FileType) -> Self {
        if found.is_file() {
            Self::File
        } else if found.is_dir() {
            Self::Folder
        } else if found.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }
}

/// Something in a folder, which stays open as long as this is held.
#[derive(Debug)]
pub(crate) enum Member {
    OnDisk(DirEntry),
    Listed(PathBuf, Kind),
}

impl Member {
    /// The folder's path joined with the name.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::OnDisk(entry) => entry.path(),
            Self::Listed(path, _) => path.clone(),
        }
    }

    pub(crate) fn name(&self) -> OsString {
        match self {
            Self::OnDisk(entry) => entry.file_name(),
            Self::Listed(path, _) => path.file_name().unwrap_or(OsStr::new("")).to_owned(),
        }
    }

    /// What it is itself, be it a link; none where that cannot be told.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Self::OnDisk(entry) => entry.file_type().ok().map(Kind::of),
            Self::Listed(_, kind) => Some(*kind),
        }
    }
}

/// The members of a folder, one after the other.
#[derive(Debug)]
pub(crate) enum Members {
    OnDisk(ReadDir),
    Listed(std::vec::IntoIter<Member>),
}

impl Iterator for Members {
    type Item = io::Result<Member>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::OnDisk(entries) => Some(entries.next()?.map(Member::OnDisk)),
            Self::Listed(members) => members.next().map(Ok),
        }
    }
}

#[cfg(test)]
mod tests;
