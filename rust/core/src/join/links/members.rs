//! The sessions that records are members of, by small numbers.

use crate::join::{Corpus, Place, Standing};
use crate::strings::Symbol;

/// Sessions of records that count, by number, in order of appearance.
pub(super) struct Members {
    pub(super) sessions: Vec<Symbol>,
    /// Records that name the session that they were forked from.
    pub(super) forks: Vec<Member>,
    /// The number of each symbol's session.
    numbers: Vec<u32>,
}

const NO_SESSION: u32 = u32::MAX;

/// A record that counts and has a session.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) file: u32,
    pub(super) place: Place,
    /// The session's number.
    pub(super) session: u32,
}

impl Members {
    /// Numbers the sessions of a corpus.
    pub(super) fn of(corpus: &Corpus) -> Self {
        let numbers = vec![NO_SESSION; corpus.strings.len()];
        let mut members = Self { sessions: Vec::new(), forks: Vec::new(), numbers };
        each_standing(corpus, |file, place, id| {
            let number = &mut members.numbers[id.index()];
            if *number == NO_SESSION {
                *number = members.sessions.len() as u32;
                members.sessions.push(id);
            }
            let sketches = &corpus.units[place.unit as usize].sketches;
            if sketches.envelope_of(place.index as usize).forked_from.is_id() {
                members.forks.push(Member { file, place, session: *number });
            }
        });
        members
    }

    /// The number of a session, where some record is a member of it.
    pub(super) fn number(&self, session: Symbol) -> Option<u32> {
        let number = *self.numbers.get(session.index())?;
        (number != NO_SESSION).then_some(number)
    }

    /// Hands each of the records to `tell`, in order.
    pub(super) fn each_record(&self, corpus: &Corpus, mut tell: impl FnMut(Member)) {
        each_standing(corpus, |file, place, session| {
            tell(Member { file, place, session: self.numbers[session.index()] });
        });
    }
}

/// Hands each record that counts and has a session to `tell`, in order: its file, its
/// place and its session. Those of rollouts link nothing.
fn each_standing(corpus: &Corpus, mut tell: impl FnMut(u32, Place, Symbol)) {
    for (facts, unit) in corpus.units.iter().zip(0..) {
        for part in &facts.parts {
            for index in part.sketches.clone() {
                let own = facts.sketches.envelope_of(index).session;
                let session = corpus.session(own, part.file);
                let index = index as u32;
                let counts = corpus.standing(unit, index) == Standing::Counts;
                if counts && session.is_id() && !facts.rollouts.has(index) {
                    tell(part.file, Place { unit, index }, session);
                }
            }
        }
    }
}
