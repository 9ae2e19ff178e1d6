//! What the file system says about a file that changes whenever its bytes do.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::exchange::rows::rows;

/// The state of a file. The time of its last change of any kind, `changed`, is
/// the file system's own: unlike `modified` nobody can set it back, so that a
/// rewrite of the same size and time is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) size: u64,
    pub(super) modified: i64,
    pub(super) changed: i64,
}

rows! {
    Stamp { device, inode, size, modified, changed }
}

impl Stamp {
    /// That of the file at a path, through links; none where there is no file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::from(&metadata))
    }

    /// Whether a change after the time `seen` would have made it another one.
    /// Clocks of file systems tick slowly: within one `tick` a file may change
    /// twice and look as if it had changed once.
    pub(super) fn is_settled(&self, seen: i64, tick: i64) -> bool {
        self.changed.max(self.modified).saturating_add(tick) < seen
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        let time = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Nanoseconds since the epoch.
pub(super) fn now() -> i64 {
    nanoseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// A time as such a number.
pub(super) fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_settled_when_its_last_change_is_more_than_a_tick_old() {
        const TICK: i64 = 2_000_000_000;
        let stamp = Stamp { changed: 5 * TICK, modified: TICK, ..Stamp::default() };
        assert!(!stamp.is_settled(6 * TICK, TICK));
        assert!(stamp.is_settled(6 * TICK + 1, TICK));
        let ahead = Stamp { modified: 7 * TICK, ..stamp };
        assert!(!ahead.is_settled(8 * TICK, TICK));
        let far = Stamp { changed: i64::MAX, ..stamp };
        assert!(!far.is_settled(i64::MAX, TICK));
    }

    #[test]
    fn a_rewrite_of_the_same_size_and_time_is_another_stamp() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        fs::write(&path, "one")?;
        let (before, time) = (Stamp::of(&path), fs::metadata(&path)?.modified()?);
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(&path, "two")?;
        fs::File::options().write(true).open(&path)?.set_modified(time)?;
        let after = Stamp::of(&path);
        assert_eq!(before.map(|stamp| stamp.modified), after.map(|stamp| stamp.modified));
        assert_ne!(before, after);
        assert_eq!(Stamp::of(&folder.path().join("gone")), None);
        Ok(())
    }
}
