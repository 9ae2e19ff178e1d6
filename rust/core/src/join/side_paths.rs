//! Where a path that a transcript names may be looked for: inside the folder of
//! its own session, and nowhere else (rulings 46, 47). Nothing is opened: every
//! step is looked at without following links.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::storage::{Kind, Storage};

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// The path leads elsewhere, or to what is no regular file.
    Elsewhere,
    /// It cannot be told what is there.
    Unknown,
    /// Nothing is there.
    Missing,
    /// A regular file of this size.
    File(u64),
}

impl Located {
    /// The columns `exists` and `size_bytes`.
    pub fn columns(self) -> (Option<bool>, Option<i64>) {
        match self {
            Self::Elsewhere | Self::Unknown => (None, None),
            Self::Missing => (Some(false), None),
            Self::File(size) => (Some(true), i64::try_from(size).ok()),
        }
    }
}

/// Whether a text is the name of one thing in a folder.
pub fn is_plain_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0'])
}

/// Where a session keeps what its transcripts name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFolder {
    beside: PathBuf,
    /// What it is called: of a session id, maybe no name at all.
    name: OsString,
}

/// The folder of a session: the one that holds `subagents` in the path of its
/// file, the nearest of several; else the one named for the session beside the
/// file. None where there is no session.
pub fn session_folder(file: &Path, session: Option<&str>) -> Option<SessionFolder> {
    let above = file.ancestors().skip(1);
    let mut subagents = above.filter(|folder| folder.file_name() == Some("subagents".as_ref()));
    subagents.find_map(|folder| holder(folder.parent()?)).or_else(|| {
        let (beside, name) = (file.parent()?.to_path_buf(), session?.into());
        Some(SessionFolder { beside, name })
    })
}

/// A folder as one that holds `subagents`; none where it has no name.
fn holder(folder: &Path) -> Option<SessionFolder> {
    let name = folder.as_os_str().as_bytes().rsplit(|byte| *byte == b'/').next()?;
    let beside = folder.parent()?.to_path_buf();
    (!name.is_empty()).then(|| SessionFolder { beside, name: OsStr::from_bytes(name).into() })
}

/// The home that a transcript stands in: what holds the last `projects` above it.
pub fn home(file: &Path) -> Option<&Path> {
    let mut above = file.ancestors().skip(1);
    above.find(|folder| folder.file_name() == Some(OsStr::new("projects")))?.parent()
}

/// Looks for the output that a path names, in the session's folder.
pub fn in_session(storage: &Storage, folder: &SessionFolder, path: &str) -> Located {
    const OUTPUTS: &str = "tool-results";
    let name = folder.name.to_string_lossy();
    if !is_plain_name(&name) {
        return Located::Elsewhere;
    }
    let parts: Vec<&str> =
        path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
    let leads_out = |part: &&str| *part == ".." || part.contains('\0');
    if parts.is_empty() || parts.iter().any(leads_out) {
        return Located::Elsewhere;
    }
    let pair = parts.windows(2).rposition(|pair| pair[0] == name && pair[1] == OUTPUTS);
    match pair {
        Some(at) if parts.len() > at + 2 => below(storage, folder, &parts[at + 1..]),
        None if is_relative(path) => below(storage, folder, &parts),
        _ => Located::Elsewhere,
    }
}

fn is_relative(path: &str) -> bool {
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    !has_drive && !path.starts_with(['/', '\\'])
}

/// Looks at a folder and every step below it; a link at any of them ends the way.
fn below(storage: &Storage, folder: &SessionFolder, parts: &[&str]) -> Located {
    let mut path = folder.beside.join(&folder.name);
    if let Some(end) = step(storage, &path, false) {
        return end;
    }
    for (part, number) in parts.iter().zip(1..) {
        path.push(part);
        if let Some(end) = step(storage, &path, number == parts.len()) {
            return end;
        }
    }
    Located::Elsewhere
}

/// What ends the way at this step; none where it goes on.
fn step(storage: &Storage, path: &Path, is_last: bool) -> Option<Located> {
    match storage.stat_itself(path) {
        Err(error) => Some(match error.kind() {
            // A name that is too long for a file system is no name there.
            ErrorKind::NotFound | ErrorKind::InvalidFilename => Located::Missing,
            _ => Located::Unknown,
        }),
        Ok(found) if found.kind == Kind::Folder && !is_last => None,
        Ok(found) if found.kind == Kind::File && is_last => Some(Located::File(found.len)),
        _ => Some(Located::Elsewhere),
    }
}

/// Looks for a backup of a session in its home.
pub fn backup(storage: &Storage, home: &Path, session: &str, name: &str) -> Located {
    if !is_plain_name(session) || !is_plain_name(name) {
        return Located::Elsewhere;
    }
    let mut path = home.to_path_buf();
    for (part, is_last) in [("file-history", false), (session, false), (name, true)] {
        path.push(part);
        if let Some(end) = step(storage, &path, is_last) {
            return end;
        }
    }
    Located::Elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(beside: &str, name: &str) -> SessionFolder {
        SessionFolder { beside: beside.into(), name: name.into() }
    }

    #[test]
    fn the_folder_of_a_session_is_above_subagents_or_beside_its_file() {
        let of = |file: &str, session| session_folder(Path::new(file), session);
        let found = Some(folder("/h/p", "s1"));
        assert_eq!(of("/h/p/s1/subagents/agent-a.jsonl", None), found);
        assert_eq!(of("/h/p/s1/subagents/workflows/wf_1/agent-a.jsonl", Some("s2")), found);
        assert_eq!(of("/h/subagents/p/s1/subagents/agent-a.jsonl", None), {
            Some(folder("/h/subagents/p", "s1"))
        });
        assert_eq!(of("/h/p/s1.jsonl", Some("s1")), found);
        assert_eq!(of("/subagents/agent-a.jsonl", Some("s1")), Some(folder("/subagents", "s1")));
        assert_eq!(of("/h/p/s1.jsonl", None), None);
    }

    #[test]
    fn a_session_whose_id_is_no_name_has_no_folder_of_its_own() {
        for name in ["..", ".", "a/b", "", "/etc"] {
            assert_eq!(
                in_session(&Storage::Disk, &folder("/", name), "passwd"),
                Located::Elsewhere,
                "{name}"
            );
        }
        let above = session_folder(Path::new("../subagents/agent-a.jsonl"), None);
        assert_eq!(above, Some(folder("", "..")));
    }

    #[test]
    fn the_home_holds_the_last_projects() {
        assert_eq!(
            home(Path::new("/projects/h/projects/p/s.jsonl")),
            Some(Path::new("/projects/h"))
        );
        assert_eq!(home(Path::new("/p/s.jsonl")), None);
    }

    #[test]
    fn paths_that_lead_out_are_not_looked_at() {
        let folder = folder("/nowhere", "s1");
        for path in ["/etc/passwd", "../s2/tool-results/a", "a/../b", "C:\\a", "", "./", "a\0b"] {
            assert_eq!(in_session(&Storage::Disk, &folder, path), Located::Elsewhere, "{path:?}");
        }
        for path in ["/elsewhere/s1/tool-results/a.txt", "tool-results/a.txt", "a.txt"] {
            assert_eq!(in_session(&Storage::Disk, &folder, path), Located::Missing, "{path:?}");
        }
        assert_eq!(in_session(&Storage::Disk, &folder, "/x/s1/tool-results/"), Located::Elsewhere);
    }
}
