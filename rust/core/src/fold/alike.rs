//! What a record has in common with those before it: looked up by its likeness, or
//! interned field by field where it has none.

use crate::fold::{Folder, Recent};
use crate::record::{Flag, Likeness, Record, Str};
use crate::strings::Symbol;

/// What a likeness stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub(super) kind: Symbol,
    pub(super) session: Symbol,
    pub(super) version: Symbol,
    pub(super) cwd: Symbol,
    pub(super) git_branch: Symbol,
    pub(super) entrypoint: Symbol,
    pub(super) agent: Symbol,
    pub(super) is_api_error: bool,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    likeness: Likeness,
    common: Common,
    /// An envelope that is made of it and of this model.
    envelope: Option<(Symbol, u32)>,
}

/// Likenesses that are known at a time: writers take turns.
const KNOWN: usize = 16;

/// The likenesses that were seen last.
#[derive(Debug, Default)]
pub(super) struct Alike([Option<Known>; KNOWN]);

impl Alike {
    #[inline]
    fn slot(&mut self, likeness: Likeness) -> &mut Option<Known> {
        &mut self.0[likeness.hint() % KNOWN]
    }

    #[inline]
    fn get(&mut self, likeness: Likeness) -> Option<&mut Known> {
        self.slot(likeness).as_mut().filter(|known| known.likeness == likeness)
    }
}

impl Folder {
    /// What a record has in common with others.
    #[inline]
    pub(super) fn common(&mut self, record: &Record<'_>) -> Common {
        if let Some(likeness) = record.likeness
            && let Some(known) = self.alike.get(likeness)
        {
            return known.common;
        }
        self.interned(record)
    }

    #[inline(never)]
    fn interned(&mut self, record: &Record<'_>) -> Common {
        let common = Common {
            kind: self.recall(Recent::Kind, record.string(Str::Type)),
            session: self.recall(Recent::Session, record.session_id()),
            version: self.recall(Recent::Version, record.string(Str::Version)),
            cwd: self.recall(Recent::Cwd, record.string(Str::Cwd)),
            git_branch: self.recall(Recent::GitBranch, record.string(Str::GitBranch)),
            entrypoint: self.recall(Recent::Entrypoint, record.string(Str::Entrypoint)),
            agent: self.recall(Recent::Agent, record.string(Str::AgentId)),
            is_api_error: record.flag(Flag::IsApiErrorMessage) == Some(true),
        };
        if let Some(likeness) = record.likeness {
            let known = Known { likeness, common, envelope: None };
            *self.alike.slot(likeness) = Some(known);
        }
        common
    }

    /// The number of the envelope of a record with this model, where one of its
    /// likeness had it.
    #[inline]
    pub(super) fn known_envelope(&mut self, record: &Record<'_>, model: Symbol) -> Option<u32> {
        let likeness = record.likeness.filter(|_| !record.is_fork)?;
        let (known_model, number) = self.alike.get(likeness)?.envelope?;
        (known_model == model).then_some(number)
    }

    /// Remembers it.
    #[inline]
    pub(super) fn learn_envelope(&mut self, record: &Record<'_>, model: Symbol, number: u32) {
        if let Some(likeness) = record.likeness.filter(|_| !record.is_fork)
            && let Some(known) = self.alike.get(likeness)
        {
            known.envelope = Some((model, number));
        }
    }
}
