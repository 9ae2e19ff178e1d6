//! The pass over all files that finds what links them.
//!
//! A table is joined by sessions and, across them, by responses: of copies of a
//! response only one is the original, whichever session holds it. `links` and
//! `sessions` also compare the uuids of records. Replays and copies of files are found among
//! files of one session, agents and workflows among those of one session, so
//! these need no keys of their own.

use rayon::ThreadPool;

use super::keys::{Keys, Kind, of_text, of_uuid};
use crate::discover::Transcript;
use crate::error::Error;
use crate::facts::{Facts, FilePart};
use crate::parallel::Progress;
use crate::scan::Options;
use crate::schema::Table;
use crate::strings::{Interner, Symbol};
use crate::tasks::fold_units;

/// Units that are folded before their keys are taken, for each thread.
const UNITS: usize = 4;

/// What links the files, and the session of each.
pub(super) struct Linked {
    pub(super) keys: Keys,
    /// The key of each file's session, where it has one.
    pub(super) sessions: Vec<Option<u64>>,
}

/// Reads every file for its keys.
pub(super) fn linked(
    pool: &ThreadPool,
    transcripts: &[Transcript],
    options: &Options,
    progress: &Progress,
) -> Result<Linked, Error> {
    let mut pass = Pass::new(transcripts, options);
    // Titles, which name records of other sessions, come with words.
    let with_words = options.asks_for(&[Table::Sessions]).then_some(Table::Prompts);
    let tables = with_words.into_iter().collect();
    let options = Options { tables, text: false, ..options.clone() };
    let units = options.units(transcripts);
    for units in units.chunks(options.units_at_once(UNITS * pool.current_num_threads())) {
        let folded = fold_units(pool, units, transcripts, &options, progress)?;
        for folded in &folded {
            pass.add(&folded.facts);
        }
    }
    Ok(pass.end(transcripts))
}

struct Pass {
    linked: Linked,
    with_uuids: bool,
    has_links: bool,
    /// By file, whether a record without a session could be in `links`.
    is_member: Vec<bool>,
}

impl Pass {
    fn new(transcripts: &[Transcript], options: &Options) -> Self {
        let has_links = options.asks_for(&[Table::Links]);
        let with_uuids = has_links || options.asks_for(&[Table::Sessions]);
        let files = transcripts.len();
        let linked = Linked { keys: Keys::new(files), sessions: vec![None; files] };
        Self { linked, with_uuids, has_links, is_member: vec![false; files] }
    }

    fn add(&mut self, facts: &Facts) {
        let add = |keys: &mut Keys, file: u32, kind: Kind, symbol: Symbol| {
            if let Some(text) = facts.strings.text(symbol).filter(|text| !text.is_empty()) {
                keys.add(file, of_text(kind, text));
            }
        };
        let keys = &mut self.linked.keys;
        for carrier in &facts.usages {
            let session = facts.sketches.envelope_at(carrier.envelope).session;
            add(keys, carrier.file, Kind::Session, session);
            add(keys, carrier.file, Kind::Message, carrier.message);
        }
        for part in &facts.parts {
            for record in facts.rollouts.of(part.sketches.clone()) {
                add(keys, part.file, Kind::Session, record.forked_from);
            }
        }
        for call in &facts.calls {
            add(keys, call.file, Kind::Message, call.message);
        }
        for part in &facts.parts {
            self.add_records(facts, part);
        }
        self.add_leaves(facts);
    }

    fn add_records(&mut self, facts: &Facts, part: &FilePart) {
        let file = part.file;
        let mut known = [Symbol::NONE; 2];
        for sketch in facts.sketches.range(part.sketches.clone()) {
            for (known, symbol) in known.iter_mut().zip([sketch.session, sketch.forked_from]) {
                // Neighbours mostly agree.
                if symbol.is_id() && symbol != *known {
                    *known = symbol;
                    self.add_session(file, &facts.strings, symbol, symbol == sketch.session);
                }
            }
            let uuid = sketch.uuid.filter(|_| self.with_uuids);
            if let Some(uuid) = uuid {
                self.linked.keys.add(file, of_uuid(uuid));
            }
            self.is_member[file as usize] |= uuid.is_some() || sketch.forked_from.is_id();
        }
    }

    /// Adds the records that summaries end with, whose sessions they name.
    fn add_leaves(&mut self, facts: &Facts) {
        let mut parts = facts.parts.iter().peekable();
        for title in &facts.further.titles {
            while parts.next_if(|part| part.sketches.end <= title.sketch as usize).is_some() {}
            if let (Some(part), Some(leaf)) = (parts.peek(), title.leaf) {
                self.linked.keys.add(part.file, of_uuid(leaf));
            }
        }
    }

    fn add_session(&mut self, file: u32, strings: &Interner, session: Symbol, is_own: bool) {
        let Some(text) = strings.text(session) else { return };
        let key = of_text(Kind::Session, text);
        self.linked.keys.add(file, key);
        if is_own {
            self.linked.sessions[file as usize].get_or_insert(key);
        }
    }

    /// Adds what paths say.
    fn end(mut self, transcripts: &[Transcript]) -> Linked {
        let Linked { keys, sessions } = &mut self.linked;
        let mut unlisted = None;
        for (transcript, file) in transcripts.iter().zip(0_u32..) {
            let Some(stem) = transcript.named.session_id.as_deref() else { continue };
            if stem.is_empty() {
                continue;
            }
            let key = of_text(Kind::Session, stem);
            keys.add(file, key);
            let session = &mut sessions[file as usize];
            // Links of a session that no record names stand behind all others.
            if session.is_none() && self.has_links && self.is_member[file as usize] {
                keys.link(*unlisted.get_or_insert(file), file);
            }
            session.get_or_insert(key);
        }
        if let (Some(first), Some(last)) = (unlisted, transcripts.len().checked_sub(1)) {
            keys.link(first, last as u32);
        }
        self.linked
    }
}
