//! What a file is and holds, summed up over its records (rulings 6, 7).

use rayon::prelude::*;

use crate::diagnose::{Code, Finding};
use crate::discover::{FileKind, Found, Transcript};
use crate::facts::{Facts, Sums};
use crate::join::{Corpus, Place, Standing};
use crate::strings::{Interner, Symbol};

/// Facts of a file.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct FileFacts {
    /// Its parts, in order.
    pub parts: Vec<Place>,
    pub kind: FileKind,
    pub session: Symbol,
    pub stem_session: Symbol,
    pub agent: Symbol,
    pub workflow: Symbol,
    pub status: Status,
    pub copy_of: Option<u32>,
    pub bytes: u64,
    pub records: u64,
    pub replays: u64,
    pub blank_lines: u64,
    pub lost_lines: u64,
    pub first_timestamp: Option<i64>,
    pub last_timestamp: Option<i64>,
    pub version_first: Symbol,
    pub version_last: Symbol,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Status {
    #[default]
    Ok,
    Partial,
    Unreadable,
    Copy,
}

impl Status {
    /// Its word in the vocabulary `file_status`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::Unreadable => "unreadable",
            Self::Copy => "copy",
        }
    }
}

/// The facts of every transcript.
pub fn sum_up(
    strings: &mut Interner,
    units: &[Facts],
    transcripts: &[Transcript],
) -> Vec<FileFacts> {
    let mut files: Vec<FileFacts> =
        transcripts.iter().map(|transcript| from_path(strings, transcript)).collect();
    for (unit, number) in units.iter().zip(0..) {
        for (part, index) in unit.parts.iter().zip(0..) {
            files[part.file as usize].parts.push(Place { unit: number, index });
        }
    }
    let named = files.par_iter_mut().zip(transcripts);
    named.for_each(|(file, transcript)| sum_up_file(file, transcript, units));
    files
}

fn from_path(strings: &mut Interner, transcript: &Transcript) -> FileFacts {
    let named = &transcript.named;
    let mut intern =
        |text: &Option<String>| text.as_ref().map_or(Symbol::NONE, |text| strings.intern(text));
    let session = intern(&named.session_id);
    FileFacts {
        kind: named.kind.unwrap_or(FileKind::Other),
        session,
        stem_session: session,
        agent: intern(&named.agent_id),
        workflow: intern(&named.workflow_id),
        status: if matches!(transcript.found, Found::Regular) {
            Status::Ok
        } else {
            Status::Unreadable
        },
        ..FileFacts::default()
    }
}

fn sum_up_file(file: &mut FileFacts, transcript: &Transcript, units: &[Facts]) {
    let mut sums = Sums::default();
    let mut agent = Symbol::NONE;
    let (mut codex, mut journal, mut only_subagent) = (false, false, true);
    for place in file.parts.clone() {
        let unit = &units[place.unit as usize];
        let part = &unit.parts[place.index as usize];
        file.bytes += part.bytes;
        file.blank_lines += part.blank_lines;
        file.lost_lines += part.lost_lines;
        codex |= part.has_session_meta;
        journal |= part.has_journal_type;
        only_subagent &= part.only_subagent;
        agent = agent.or(part.agent);
        if part.truncated {
            file.status = Status::Partial;
        }
        match &part.sums {
            Some(known) => sums.append(known),
            None => sums.append(&Sums::of(unit.sketches.range(part.sketches.clone()))),
        }
    }
    let session = sums.session;
    if transcript.named.kind.is_none() {
        file.kind = match (codex, session.is_id(), journal) {
            (true, _, _) => FileKind::Codex,
            (_, true, _) if only_subagent => FileKind::Subagent,
            (_, true, _) => FileKind::Parent,
            (_, _, true) => FileKind::Journal,
            _ => FileKind::Other,
        };
    }
    file.session = session.or(file.stem_session);
    file.agent = file.agent.or(agent);
    file.records = sums.records;
    file.replays = sums.replays;
    (file.first_timestamp, file.last_timestamp) = (sums.first_timestamp, sums.last_timestamp);
    file.version_first = sums.version_first();
    file.version_last = sums.version_last();
}

impl Corpus {
    /// Notes a file that could not be opened or read. Where a part of it was
    /// read before, that counts no more than the rest.
    pub fn mark_unreadable(
        &mut self,
        file: u32,
        transcript: &Transcript,
        code: Code,
        values: &[(&str, &str)],
    ) {
        self.leave_out(file);
        let said = from_path(&mut self.strings, transcript);
        self.files[file as usize] = FileFacts { status: Status::Unreadable, ..said };
        self.findings.push(Finding::of_file(file, code, values));
    }

    /// Notes a file of which only a part was read.
    pub fn mark_partial(&mut self, file: u32, code: Code, values: &[(&str, &str)]) {
        self.files[file as usize].status = Status::Partial;
        self.findings.push(Finding::of_file(file, code, values));
    }

    /// Makes a file a copy of another: its records and findings count no more.
    pub fn mark_copy(&mut self, file: u32, copy_of: u32) {
        self.leave_out(file);
        let old = std::mem::take(&mut self.files[file as usize]);
        self.files[file as usize] = FileFacts {
            parts: old.parts,
            kind: old.kind,
            session: old.session,
            stem_session: old.stem_session,
            agent: old.agent,
            workflow: old.workflow,
            status: Status::Copy,
            copy_of: Some(copy_of),
            ..FileFacts::default()
        };
    }

    /// Takes the records and findings of a file out of everything that counts.
    fn leave_out(&mut self, file: u32) {
        let parts = self.files[file as usize].parts.clone();
        for place in parts {
            let sketches =
                self.units[place.unit as usize].parts[place.index as usize].sketches.clone();
            for sketch in sketches {
                self.set_standing(place.unit, sketch, Standing::Copied);
            }
            self.units[place.unit as usize].findings.retain(|finding| finding.file != file);
        }
    }
}
