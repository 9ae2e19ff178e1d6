//! What an earlier scan found out, kept in a folder, so that the next one reads
//! what is new.
//!
//! There are two levels. **Segments** hold the facts of a unit of work: some
//! small files, or one chunk of a large one. A segment is a function of the
//! bytes that it was folded from, so it serves wherever these bytes are the
//! same: where the file system says so beyond doubt ([`stamp`]), or else where
//! the hash of the text does. **Finished** scans hold whole tables, and serve
//! where nothing at all has changed.
//!
//! The folder may be shared, damaged, full or gone: whatever cannot be used is
//! read from the transcripts, and whatever cannot be written is one warning.

mod finished;
mod pieces;
mod segment;
mod segments;
mod stamp;
mod store;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use self::store::Store;
use crate::decode::lanes::Machine;
use crate::discover::{Discovered, Root};
use crate::exchange::FACTS_VERSION;
use crate::fold::Wanted;
use crate::scan::Options;
use crate::schema::version;

/// The version of the files in the folder.
const INDEX_VERSION: u32 = 1;

/// The index of one scan.
#[derive(Debug)]
pub(crate) struct Index {
    store: Store,
    /// When the scan began: before it looked at any file.
    began: i64,
    /// How long the stamp of a changed file is doubted.
    settle: i64,
    /// What the facts of a segment hold.
    of_facts: u128,
    /// What was asked for.
    of_scan: u128,
}

impl Index {
    /// The index in a folder, which is made where there is none.
    pub(crate) fn open(folder: &Path, roots: &[Root], options: &Options) -> Self {
        Self {
            store: Store::open(folder),
            began: stamp::now(),
            settle: stamp::nanoseconds(options.settle),
            of_facts: hash_of(&[&versions(), &kept_of(options)]),
            of_scan: hash_of(&[&versions(), &asked(roots, options)]),
        }
    }

    /// What went wrong, in one sentence.
    pub(crate) fn warning(&self) -> Option<String> {
        self.store.trouble()
    }

    /// Removes what nobody has used for long.
    pub(crate) fn tidy(&self) {
        self.store.tidy();
    }
}

/// What makes facts and tables, besides the bytes that they are made of.
fn versions() -> String {
    let package = env!("CARGO_PKG_VERSION");
    format!("{package} {INDEX_VERSION} {FACTS_VERSION} {}", version())
}

/// What the facts hold. How strings are found makes no difference to them.
fn kept_of(options: &Options) -> String {
    format!("{:?}", Wanted { machine: Machine::Portable, ..options.wanted() })
}

/// Everything that the tables of a scan depend on, and no file holds. Where a
/// root is no absolute path, that is the folder that it is looked for in, too.
fn asked(roots: &[Root], options: &Options) -> String {
    let Options { tables, text, copies, max_line_bytes, .. } = options;
    let here = std::env::current_dir().unwrap_or_default();
    let here = here.as_os_str().as_bytes();
    format!("{roots:?} {here:?} {tables:?} {text} {copies:?} {max_line_bytes:?}")
}

/// All that was found, in a few bytes.
fn digest(found: &Discovered, stamps: &str) -> u128 {
    hash_of(&[&format!("{found:?}"), stamps])
}

fn hash_of(texts: &[&str]) -> u128 {
    let mut hash = Xxh3::new();
    for text in texts {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.digest128()
}
