//! The session of a rollout's records: that of their file (ruling 93).

use crate::facts::Facts;
use crate::join::Corpus;
use crate::record::rollout::RolloutKind;
use crate::strings::Interner;

/// The session of the records of a rollout in a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The part's place in its unit.
    pub part: u32,
    /// The session.
    pub session: String,
    /// The sketch of the record that keeps the session that it names: the file's
    /// first `session_meta`.
    pub kept: Option<u32>,
}

impl Named {
    /// The sketches of the records that it is about, in the facts of its unit.
    pub fn sketches<'f>(&self, facts: &'f Facts) -> impl Iterator<Item = u32> + use<'f> {
        let part = facts.parts.get(self.part as usize).map(|part| part.sketches.clone());
        let records = facts.rollouts.of(part.unwrap_or_default());
        let kept = self.kept;
        records.iter().map(|record| record.sketch).filter(move |sketch| Some(*sketch) != kept)
    }
}

/// Makes the records ones of their file's session.
pub(super) fn name(corpus: &mut Corpus) {
    let mut named = vec![Vec::new(); corpus.units.len()];
    for file in 0..corpus.files.len() {
        let session = corpus.files[file].session;
        let Some(text) = corpus.strings.text(session).filter(|_| session.is_id()) else { continue };
        let mut first = first_meta(corpus, file as u32);
        for place in &corpus.files[file].parts {
            let unit = &corpus.units[place.unit as usize];
            let sketches = unit.parts[place.index as usize].sketches.clone();
            if unit.rollouts.of(sketches.clone()).is_empty() {
                continue;
            }
            let kept = first.take_if(|(unit, sketch)| {
                *unit == place.unit && sketches.contains(&(*sketch as usize))
            });
            let kept = kept.map(|(_, sketch)| sketch);
            let session = text.to_owned();
            named[place.unit as usize].push(Named { part: place.index, session, kept });
        }
        let sketches = corpus.files[file].parts.iter().flat_map(|place| {
            let of_unit = &named[place.unit as usize];
            let of_part = of_unit.last().filter(|named| named.part == place.index);
            let facts = &corpus.units[place.unit as usize];
            of_part.into_iter().flat_map(|named| named.sketches(facts)).map(|at| (place.unit, at))
        });
        for (unit, sketch) in sketches.collect::<Vec<_>>() {
            corpus.units[unit as usize].sketches.set_session(sketch as usize, session);
        }
    }
    corpus.named = named;
}

/// The same in a unit that was read once more.
pub fn name_again(facts: &mut Facts, named: &[Named]) {
    if named.is_empty() {
        return;
    }
    // Nothing can be added to its own strings any more.
    let mut strings = Interner::default();
    strings.absorb(&facts.strings);
    for of_part in named {
        let session = strings.intern(&of_part.session);
        for sketch in of_part.sketches(facts).collect::<Vec<_>>() {
            facts.sketches.set_session(sketch as usize, session);
        }
    }
    facts.strings = strings;
}

/// The first `session_meta` of a file, where it names a session itself.
fn first_meta(corpus: &Corpus, file: u32) -> Option<(u32, u32)> {
    let mut records = corpus.rollout(file);
    let (unit, record) = records.find(|(_, record)| record.kind == RolloutKind::SessionMeta)?;
    let names_one = corpus.sketch(unit, record.sketch).session.is_id();
    names_one.then_some((unit, record.sketch))
}
