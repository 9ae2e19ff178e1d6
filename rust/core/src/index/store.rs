//! The folder of the index: files are written beside and renamed into place, so
//! that whoever reads one reads a whole one.

use std::fs::{self, DirBuilder, DirEntry, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use arrow_buffer::Buffer;

use crate::error::reason;
use crate::map::{O_NONBLOCK, map_finished};

/// Files that nobody used for so long are removed.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// A file's use is noted when the last note is older than this.
const NOTED: Duration = Duration::from_secs(24 * 3600);

/// A file that is still being written after this time never will be whole.
const WRITING: Duration = Duration::from_secs(3600);

/// From so many bytes on a file is mapped.
const MAPPED: usize = 1 << 20;

/// Bytes of all files; beyond them those go that were not used for the longest.
const MOST_BYTES: u64 = 8 << 30;

/// Says to programs that copy folders that this one can be made again.
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# The index of sessionscan; it may be removed.\n",
);

/// What the names of files in the folder end in.
const ENDING: &str = ".ssindex";

/// What the names of files end in that are being written.
const UNFINISHED: &str = ".sspart";

/// A folder of files, each under a name.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    trouble: Mutex<Option<String>>,
}

impl Store {
    /// The store in a folder.
    pub(super) fn open(folder: &Path) -> Self {
        let store = Self { folder: folder.to_owned(), trouble: Mutex::new(None) };
        if let Err(error) = store.make() {
            store.note(&error);
        }
        store
    }

    fn make(&self) -> io::Result<()> {
        let tag = self.folder.join(TAG.0);
        if tag.exists() {
            return Ok(());
        }
        // Transcripts are private, and so is what is kept of them.
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        self.put(&tag, TAG.1.as_bytes())
    }

    /// What went wrong first, in a sentence.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, error: &io::Error) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.get_or_insert_with(|| {
            let folder = self.folder.display();
            format!("the index in {folder} cannot be written: {}", reason(error))
        });
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{ENDING}"))
    }

    /// The bytes under a name, if there are any. Many are mapped: a table that is
    /// kept may be as large as what it was made of, and copies of it take time.
    pub(super) fn read(&self, name: &str) -> Option<Buffer> {
        let path = self.path(name);
        let file = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(&path).ok()?;
        let metadata = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let length = usize::try_from(metadata.len()).ok()?;
        let bytes = if length < MAPPED {
            let mut bytes = Vec::with_capacity(length);
            io::Read::read_to_end(&mut &file, &mut bytes).ok()?;
            Buffer::from_vec(bytes)
        } else {
            map_finished(&file, length).ok()?
        };
        let now = SystemTime::now();
        if metadata.modified().is_ok_and(|used| older(used, now, NOTED)) {
            // Only what is not to be removed soon depends on it.
            drop(file.set_modified(now));
        }
        Some(bytes)
    }

    /// Keeps bytes under a name, in place of what it had before.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) {
        if let Err(error) = self.put(&self.path(name), bytes) {
            self.note(&error);
        }
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let unfinished = self.folder.join(format!("{process}-{number}{UNFINISHED}"));
        let written = write_new(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
        if written.is_err() {
            drop(fs::remove_file(&unfinished));
        }
        written
    }

    /// Removes what is under a name.
    pub(super) fn remove(&self, name: &str) {
        // Another process may have been faster.
        drop(fs::remove_file(self.path(name)));
    }

    /// Removes what nobody uses, and what is too much.
    pub(super) fn tidy(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let now = SystemTime::now();
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for (entry, ends_in) in entries.flatten().filter_map(ours) {
            let Ok(metadata) = entry.metadata() else { continue };
            let used = metadata.modified().unwrap_or(now);
            if older(used, now, if ends_in == ENDING { UNUSED } else { WRITING }) {
                drop(fs::remove_file(entry.path()));
            } else {
                kept.push((used, metadata.len(), entry.path()));
            }
        }
        kept.sort();
        let mut bytes: u64 = kept.iter().map(|(_, length, _)| *length).sum();
        for (_, length, path) in kept {
            if bytes <= MOST_BYTES {
                return;
            }
            drop(fs::remove_file(path));
            bytes -= length;
        }
    }
}

/// An entry of the folder that is ours, and what its name ends in.
fn ours(entry: DirEntry) -> Option<(DirEntry, &'static str)> {
    let name = entry.file_name();
    let ends_in = [ENDING, UNFINISHED]
        .into_iter()
        .find(|ending| name.to_str().is_some_and(|name| name.ends_with(ending)))?;
    Some((entry, ends_in))
}

fn older(time: SystemTime, now: SystemTime, than: Duration) -> bool {
    now.duration_since(time).is_ok_and(|age| age > than)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    type Outcome = io::Result<()>;

    #[test]
    fn what_is_written_is_read_until_it_is_removed() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("new/index");
        let store = Store::open(&path);
        assert_eq!(store.read("a"), None);
        store.write("a", b"one");
        store.write("a", b"other");
        assert_eq!(store.read("a").as_deref(), Some(&b"other"[..]));
        let large = vec![7; MAPPED];
        store.write("b", &large);
        let mapped = store.read("b");
        store.remove("b");
        assert_eq!(mapped.as_deref(), Some(&large[..]));
        store.remove("a");
        assert_eq!((store.read("a"), store.trouble()), (None, None));
        assert!(path.join(TAG.0).is_file());
        Ok(())
    }

    #[test]
    fn nobody_else_can_look_into_it() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("index");
        let store = Store::open(&path);
        store.write("a", b"");
        let mode = |path: &Path| Ok(fs::metadata(path)?.permissions().mode() & 0o777);
        let modes: io::Result<Vec<u32>> =
            [path.clone(), store.path("a")].iter().map(|path| mode(path)).collect();
        assert_eq!(modes?, [0o700, 0o600]);
        Ok(())
    }

    #[test]
    fn what_cannot_be_written_is_said_once_and_in_words() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        fs::write(&path, "")?;
        let store = Store::open(&path.join("index"));
        store.write("a", b"");
        let trouble = store.trouble().expect("a sentence");
        assert!(trouble.ends_with("cannot be written: Not a directory"), "{trouble}");
        Ok(())
    }

    #[test]
    fn what_is_old_goes_and_what_is_not_ours_stays() -> Outcome {
        let folder = tempfile::tempdir()?;
        let store = Store::open(folder.path());
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(60);
        let hours_ago = SystemTime::now() - 2 * WRITING;
        for (name, time) in [
            ("new.ssindex", SystemTime::now()),
            ("used.ssindex", hours_ago),
            ("old.ssindex", long_ago),
            ("1-1.sspart", hours_ago),
            ("a person's", long_ago),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, "")?;
            File::options().write(true).open(path)?.set_modified(time)?;
        }
        store.tidy();
        let left = fs::read_dir(folder.path())?.flatten();
        let mut left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        left.sort();
        assert_eq!(left, ["CACHEDIR.TAG", "a person's", "new.ssindex", "used.ssindex"]);
        Ok(())
    }

    #[test]
    fn use_is_noted_once_a_day() -> Outcome {
        let folder = tempfile::tempdir()?;
        let store = Store::open(folder.path());
        store.write("a", b"x");
        let file = File::options().write(true).open(store.path("a"))?;
        let (days_ago, now) = (SystemTime::now() - 3 * NOTED, SystemTime::now());
        file.set_modified(days_ago)?;
        store.read("a");
        assert!(!older(file.metadata()?.modified()?, now, NOTED));
        Ok(())
    }
}
