//! Tracked paths and their backups (ruling 47).

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::diagnose::{Code, Finding};
use crate::discover::Transcript;
use crate::facts::further::TrackedFact;
use crate::join::sessions::Session;
use crate::join::side_paths::{Located, backup, home};
use crate::join::{Corpus, Place, Standing};
use crate::strings::Symbol;

/// A tracked path of a record that counts.
#[derive(Debug)]
pub struct TrackedPath<'c> {
    /// The fact.
    pub tracked: Place,
    /// Its session (ruling 37).
    pub session: Symbol,
    /// The path, behind the folder that it is relative to.
    pub path: Cow<'c, str>,
    /// What is at the backup's place; none where that cannot be told.
    pub located: Option<Located>,
}

impl Corpus {
    /// A tracked path.
    pub fn tracked(&self, place: Place) -> &TrackedFact {
        &self.units[place.unit as usize].further.tracked[place.index as usize]
    }
}

/// Every tracked path, in order, and what is wrong with the backups' names.
pub fn file_history<'c>(
    corpus: &'c Corpus,
    transcripts: &[Transcript],
    sessions: &[Session],
) -> (Vec<TrackedPath<'c>>, Vec<Finding>) {
    let projects: HashMap<Symbol, Symbol> =
        sessions.iter().map(|session| (session.id, session.project)).collect();
    let mut looked_at: HashMap<(u32, Symbol, Symbol), Option<Located>> = HashMap::new();
    let (mut paths, mut findings) = (Vec::new(), Vec::new());
    for (unit, number) in corpus.units.iter().zip(0..) {
        for (fact, index) in unit.further.tracked.iter().zip(0..) {
            if corpus.standing(number, fact.sketch) != Standing::Counts {
                continue;
            }
            let sketch = corpus.sketch(number, fact.sketch);
            let session = corpus.session(sketch.session, fact.file);
            // A snapshot repeats the paths of the one before it.
            let key = (fact.file, session, fact.backup);
            let located = *looked_at.entry(key).or_insert_with(|| {
                let Transcript { path, storage, .. } = &transcripts[fact.file as usize];
                let (home, session) = (home(path)?, corpus.strings.text(session)?);
                Some(backup(storage, home, session, corpus.strings.text(fact.backup)?))
            });
            if located == Some(Located::Elsewhere) {
                let code = Code::PathOutsideSession;
                findings.push(sketch.finding(code, fact.file, fact.index, &[]));
            }
            let project = projects.get(&session).copied().unwrap_or_default();
            let base = fact.real_parent.or(sketch.cwd).or(project);
            let path = absolute(corpus, fact.path, base);
            let tracked = Place { unit: number, index };
            paths.push(TrackedPath { tracked, session, path, located });
        }
    }
    (paths, findings)
}

/// A path as it is where it is absolute, else behind its folder.
fn absolute(corpus: &Corpus, path: Symbol, base: Symbol) -> Cow<'_, str> {
    let path = corpus.strings.text(path).unwrap_or_default();
    match corpus.strings.text(base) {
        Some(base) if !is_absolute(path) => {
            Cow::Owned(format!("{}/{path}", base.trim_end_matches('/')))
        }
        _ => Cow::Borrowed(path),
    }
}

fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/' | b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drives_and_separators_make_a_path_absolute() {
        for path in ["/a", "\\\\host\\a", "c:/a", "C:\\a"] {
            assert!(is_absolute(path), "{path}");
        }
        for path in ["a", "", "./a", "c:a", "1:/a", "é:/"] {
            assert!(!is_absolute(path), "{path}");
        }
    }
}
