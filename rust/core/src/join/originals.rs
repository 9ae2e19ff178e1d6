//! Which of several sessions that hold one response or call is the original
//! (SPEC section 4, ruling 26).

use crate::join::{Corpus, Position};
use crate::strings::Symbol;

/// What decides between claims to one response or call. The least is the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// It was forked from another session.
    pub is_fork: bool,
    /// It stands in a sidechain.
    pub is_sidechain: bool,
    /// When it was first seen; the latest possible where that is not known.
    pub timestamp: i64,
    /// Where it stands.
    pub position: Position,
    /// Its block in the record.
    pub block: u32,
}

/// The session of a response or call: its id, or its file where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A session id.
    Session(Symbol),
    /// A file.
    File(u32),
}

impl Owner {
    /// The owner of what stands in this file under this session id.
    pub fn of(session: Symbol, file: u32) -> Self {
        if session.is_id() { Self::Session(session) } else { Self::File(file) }
    }

    /// The session, where there is one.
    pub fn session(self) -> Symbol {
        match self {
            Self::Session(session) => session,
            Self::File(_) => Symbol::NONE,
        }
    }
}

impl Corpus {
    /// What a record is joined by in the tables beside the core: its session, or
    /// its file where there is none (ruling 37).
    pub fn owner(&self, own: Symbol, file: u32) -> Owner {
        Owner::of(self.session(own, file), file)
    }
}

/// Whose copy a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyOf {
    /// Another session's row is the original.
    pub is_copy: bool,
    /// That session, where it has an id.
    pub session: Symbol,
}

/// Things that have a key in common, by their numbers: those that share one, in
/// order. Sorting takes far less memory than a list for every key.
pub fn shared<K: Ord>(keys: impl Iterator<Item = (K, usize)>) -> Vec<Vec<usize>> {
    let mut keys: Vec<(K, usize)> = keys.collect();
    keys.sort_unstable();
    let groups = keys.chunk_by(|(a, _), (b, _)| a == b).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|(_, number)| *number).collect()).collect()
}

/// Judges claims to one thing, each with its owner: for each whether it is a copy.
pub fn judge(claims: &[(Owner, Symbol, Claim)]) -> Vec<CopyOf> {
    let original = claims.iter().min_by_key(|(_, _, claim)| *claim);
    let Some((owner, session, _)) = original else { return Vec::new() };
    claims
        .iter()
        .map(|(other, _, _)| {
            if other == owner {
                CopyOf::default()
            } else {
                CopyOf { is_copy: true, session: *session }
            }
        })
        .collect()
}
