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
        for (file, place, id) in standing(corpus) {
            let number = &mut members.numbers[id.index()];
            if *number == NO_SESSION {
                *number = members.sessions.len() as u32;
                members.sessions.push(id);
            }
            if corpus.sketch(place.unit, place.index).forked_from.is_id() {
                members.forks.push(Member { file, place, session: *number });
            }
        }
        members
    }

    /// The number of a session, where some record is a member of it.
    pub(super) fn number(&self, session: Symbol) -> Option<u32> {
        let number = *self.numbers.get(session.index())?;
        (number != NO_SESSION).then_some(number)
    }

    /// The records, in order.
    pub(super) fn records<'c>(&'c self, corpus: &'c Corpus) -> impl Iterator<Item = Member> + 'c {
        standing(corpus).map(|(file, place, session)| Member {
            file,
            place,
            session: self.numbers[session.index()],
        })
    }
}

/// Records that count and have a session, in order; those of rollouts link nothing.
fn standing(corpus: &Corpus) -> impl Iterator<Item = (u32, Place, Symbol)> {
    corpus.units.iter().zip(0..).flat_map(move |(facts, unit)| {
        facts.parts.iter().flat_map(move |part| {
            part.sketches.clone().filter_map(move |index| {
                let session = corpus.session(facts.sketches.get(index).session, part.file);
                let index = index as u32;
                let counts = corpus.standing(unit, index) == Standing::Counts;
                let links = session.is_id() && !facts.rollouts.has(index);
                (counts && links).then_some((part.file, Place { unit, index }, session))
            })
        })
    })
}
