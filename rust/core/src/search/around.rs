//! What a file says of the records that were found in it: the session and the project
//! of those that name none, and the tools whose results they are (ruling 88).

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use super::hit::RecordHit;
use super::is_cancelled;
use super::look::context;
use super::prefilter::{Candidate, Prefilter};
use crate::decode;
use crate::decode::marks::Marks;
use crate::discover::Transcript;
use crate::map::{MmapPolicy, Part, open};
use crate::parallel::{Progress, STRETCH_BYTES};
use crate::record::{Record, Str};
use crate::split::lines;

/// Bytes at the start of a file that mostly name its session and its project.
const HEAD_BYTES: u64 = 32 << 10;

/// What is not known yet.
#[derive(Debug, Default)]
struct Open {
    session: bool,
    cwd: bool,
    calls: HashSet<String>,
}

impl Open {
    fn of(records: &[&mut RecordHit], knows_calls: bool) -> Self {
        let mut open = Self::default();
        for record in records {
            open.session |= record.session.is_none();
            open.cwd |= record.cwd.is_none();
            if !knows_calls {
                let calls = record.segments.iter().filter_map(|segment| segment.result_of.clone());
                open.calls.extend(calls);
            }
        }
        open
    }

    fn is_closed(&self) -> bool {
        !self.session && !self.cwd && self.calls.is_empty()
    }
}

/// What was found out.
#[derive(Debug, Default)]
struct Known {
    session: Option<String>,
    cwd: Option<String>,
    tools: HashMap<String, Option<String>>,
}

/// Fills in what the records do not say themselves.
pub(super) fn complete(
    records: &mut [RecordHit],
    mut known_calls: HashMap<u32, HashMap<String, Option<String>>>,
    call_lines: &Prefilter,
    transcripts: &[Transcript],
    policy: MmapPolicy,
    progress: &Progress,
) {
    let mut by_file: BTreeMap<u32, Vec<&mut RecordHit>> = BTreeMap::new();
    for record in records {
        by_file.entry(record.file).or_default().push(record);
    }
    let files: Vec<_> = by_file
        .into_iter()
        .map(|(file, records)| (file, records, known_calls.remove(&file)))
        .collect();
    files.into_par_iter().for_each(|(file, records, tools)| {
        let transcript = &transcripts[file as usize];
        let open = Open::of(&records, tools.is_some());
        let known = Known { tools: tools.unwrap_or_default(), ..Known::default() };
        let mut search = Search { open, known, marks: Marks::default() };
        if !search.open.is_closed() {
            search.file(transcript, call_lines, policy, progress);
        }
        search.tell(records, transcript);
    });
}

struct Search {
    open: Open,
    known: Known,
    marks: Marks,
}

impl Search {
    fn file(
        &mut self,
        transcript: &Transcript,
        calls: &Prefilter,
        policy: MmapPolicy,
        progress: &Progress,
    ) {
        let Ok(source) = open(transcript, policy) else { return };
        let (mut buffer, mut start, mut step) = (Vec::new(), 0, HEAD_BYTES);
        while start < source.len() && !self.open.is_closed() && !is_cancelled(progress) {
            // What cannot be read a second time says nothing more.
            let Ok(part) = source.read(start..start + step, &mut buffer) else { return };
            self.stretch(&part, calls);
            (start, step) = (start + step, STRETCH_BYTES);
        }
    }

    fn stretch(&mut self, part: &Part<'_>, calls: &Prefilter) {
        if self.open.session || self.open.cwd {
            for line in lines(part.bytes) {
                self.line(part, (line.offset, line.offset + line.bytes.len()));
                if self.open.is_closed() {
                    return;
                }
            }
        } else {
            for candidate in calls.candidates(part.bytes) {
                self.line(part, candidate);
            }
        }
    }

    fn line(&mut self, part: &Part<'_>, at: Candidate) {
        let context = context(part, at);
        let (open, known) = (&mut self.open, &mut self.known);
        let mut each = |record: &Record<'_>, _: u32, _: (usize, usize)| note(record, open, known);
        let bytes = &part.bytes[at.0..at.1];
        decode::line(bytes, context, &mut self.marks, &mut Vec::new(), &mut each);
    }

    /// Tells the records what was found out.
    fn tell(self, records: Vec<&mut RecordHit>, transcript: &Transcript) {
        let session = self.known.session.or_else(|| transcript.named.session_id.clone());
        for record in records {
            if record.session.is_none() {
                record.session.clone_from(&session);
            }
            if record.cwd.is_none() {
                record.cwd.clone_from(&self.known.cwd);
            }
            for segment in &mut record.segments {
                let call = segment.result_of.as_ref();
                if let Some(tool) = call.and_then(|call| self.known.tools.get(call)) {
                    segment.tool.clone_from(tool);
                }
            }
        }
    }
}

fn note(record: &Record<'_>, open: &mut Open, known: &mut Known) {
    let named = |text: std::borrow::Cow<'_, str>| (!text.is_empty()).then(|| text.into_owned());
    if open.session {
        known.session = record.session_id().and_then(|raw| named(raw.text()));
        open.session = known.session.is_none();
    }
    if open.cwd {
        known.cwd = record.string(Str::Cwd).and_then(|raw| named(raw.text()));
        open.cwd = known.cwd.is_none();
    }
    for block in record.blocks().iter().filter(|block| block.is_call()) {
        let Some(id) = block.id.map(|id| id.text()) else { continue };
        if open.calls.remove(&*id) {
            let name = block.called().map(Cow::into_owned);
            known.tools.insert(id.into_owned(), name);
        }
    }
}
