//! The records of a unit that hold what is looked for.

use std::ops::Range;

use super::calls::{self, Calls};
use super::hit::{RecordHit, SegmentHit, record_hit};
use super::is_cancelled;
use super::prefilter::{Candidate, Prefilter, line_feeds};
use super::query::{Query, Searcher};
use super::segments::{Unescaped, segments};
use crate::decode::marks::Marks;
use crate::decode::{self, Context, LineFinding, Outcome};
use crate::diagnose::Code;
use crate::discover::Transcript;
use crate::map::{MmapPolicy, Part, Source, open};
use crate::parallel::{Progress, Unit, stretches};
use crate::record::Record;

/// What was found in a file, or a chunk of one.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) file: u32,
    pub(super) records: Vec<RecordHit>,
    /// All calls there, where it was looked for them: where the words are common, that
    /// saves reading everything once more.
    pub(super) calls: Option<Calls>,
    pub(super) bytes: u64,
    pub(super) line_feeds: u64,
    pub(super) lines: u64,
    pub(super) lines_lost: u64,
    pub(super) partial: bool,
    pub(super) unreadable: bool,
}

/// How units are looked through.
pub(super) struct Task<'t> {
    pub(super) transcripts: &'t [Transcript],
    pub(super) query: &'t Query,
    /// Finds the lines that may hold calls.
    pub(super) call_lines: &'t Prefilter,
    pub(super) policy: MmapPolicy,
    pub(super) progress: &'t Progress,
}

impl Task<'_> {
    pub(super) fn look(&self, unit: &Unit, buffer: &mut Vec<u8>) -> Vec<Looked> {
        match unit {
            Unit::Files(files) => files.iter().map(|file| self.part(*file, None, buffer)).collect(),
            Unit::Chunk(file, range) => vec![self.part(*file, Some(range.clone()), buffer)],
        }
    }

    fn part(&self, file: u32, range: Option<Range<u64>>, buffer: &mut Vec<u8>) -> Looked {
        let mut looked = Looked { file, ..Looked::default() };
        if is_cancelled(self.progress) {
            return looked;
        }
        let transcript = &self.transcripts[file as usize];
        let size = transcript.size.unwrap_or(0);
        let is_last = range.as_ref().is_none_or(|range| range.end == size);
        let on_disk = range.as_ref().map_or(size, |range| range.end - range.start);
        match open(transcript, self.policy) {
            Err(_) => looked.unreadable = true,
            Ok(mut source) => {
                looked.partial = source.damage().is_some()
                    || (transcript.compression.is_none() && source.len() < size);
                let range = range.unwrap_or(0..source.len());
                source.expect(&range);
                self.read(&source, range, buffer, &mut looked);
            }
        }
        self.progress.passed(on_disk, is_last);
        looked
    }

    fn read(&self, source: &Source, range: Range<u64>, buffer: &mut Vec<u8>, looked: &mut Looked) {
        let (searcher, marks) = (self.query.searcher(), Marks::default());
        let (found, room) = (Vec::new(), Unescaped::default());
        let (query, call_lines, is_at_start) = (self.query, self.call_lines, true);
        let mut eye = Eye { query, call_lines, is_at_start, searcher, room, marks, found };
        let each = |part: Part<'_>| eye.stretch(&part, looked);
        let read = stretches(source, range, buffer, self.progress, each);
        looked.unreadable = read.is_err();
    }
}

/// Looks at one stretch after the other.
struct Eye<'q> {
    query: &'q Query,
    call_lines: &'q Prefilter,
    is_at_start: bool,
    searcher: Searcher<'q>,
    room: Unescaped,
    marks: Marks,
    found: Vec<LineFinding>,
}

impl Eye<'_> {
    fn stretch(&mut self, part: &Part<'_>, looked: &mut Looked) {
        looked.partial |= part.truncated;
        let (before, mut counted) = (looked.line_feeds, 0);
        let candidates = self.query.prefilter().candidates(part.bytes);
        if std::mem::take(&mut self.is_at_start) && !candidates.is_empty() {
            looked.calls = Some(Calls::new());
        }
        for candidate in &candidates {
            looked.line_feeds += line_feeds(&part.bytes[counted..candidate.0]);
            counted = candidate.0;
            self.line(part, *candidate, looked);
        }
        if let Some(calls) = &mut looked.calls {
            self.other_calls(part, &candidates, calls);
        }
        looked.line_feeds += line_feeds(&part.bytes[counted..]);
        let is_open = !part.bytes.is_empty() && !part.bytes.ends_with(b"\n");
        looked.lines += looked.line_feeds - before + u64::from(is_open);
        looked.bytes += part.bytes.len() as u64;
    }

    /// Notes the calls in lines that hold nothing else of interest.
    fn other_calls(&mut self, part: &Part<'_>, known: &[Candidate], calls: &mut Calls) {
        for at in self.call_lines.candidates(part.bytes) {
            if known.binary_search(&at).is_err() {
                let offset = part.offset + at.0 as u64;
                let mut each = |record: &Record<'_>, _: u32, _: (usize, usize)| {
                    calls::note(record, offset, calls);
                };
                let bytes = &part.bytes[at.0..at.1];
                decode::line(bytes, context(part, at), &mut self.marks, &mut self.found, &mut each);
                self.found.clear();
            }
        }
    }

    fn line(&mut self, part: &Part<'_>, at: Candidate, looked: &mut Looked) {
        let bytes = &part.bytes[at.0..at.1];
        let context = context(part, at);
        let number = looked.line_feeds + 1;
        let (searcher, room) = (&mut self.searcher, &mut self.room);
        let (file, offset) = (looked.file, part.offset + at.0 as u64);
        let (records, calls) = (&mut looked.records, &mut looked.calls);
        let mut each = |record: &Record<'_>, place: u32, _: (usize, usize)| {
            if let Some(segments) = matching(searcher, room, record) {
                let hit = record_hit(record, file, number, place);
                records.push(RecordHit { segments, ..hit });
            }
            if let Some(calls) = calls {
                calls::note(record, offset, calls);
            }
        };
        let outcome = decode::line(bytes, context, &mut self.marks, &mut self.found, &mut each);
        let is_pending = self.found.iter().any(|finding| finding.code == Code::PendingTail);
        self.found.clear();
        if (outcome == Outcome::Lost || is_pending)
            && self.query.is_in(&String::from_utf8_lossy(bytes))
        {
            looked.lines_lost += 1;
        }
    }
}

/// What a line's place means for it.
pub(super) fn context(part: &Part<'_>, (start, end): Candidate) -> Context {
    Context {
        is_first: part.offset == 0 && start == 0,
        terminated: end < part.bytes.len(),
        max_line_bytes: None,
    }
}

/// The texts of a record that hold something, where together they hold enough.
fn matching(
    searcher: &mut Searcher<'_>,
    room: &mut Unescaped,
    record: &Record<'_>,
) -> Option<Vec<SegmentHit>> {
    let mut hits = Vec::new();
    searcher.begin();
    segments(record, room, &mut |segment| {
        let spans = searcher.spans(segment.text);
        if !spans.is_empty() {
            hits.push(SegmentHit::new(&segment, spans));
        }
    });
    searcher.is_met().then_some(hits)
}
