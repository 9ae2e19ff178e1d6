//! A line to its records, or to what is wrong with it (rulings 10 to 15).
//!
//! The stages below take the line apart in this order: [`repair`] makes UTF-8
//! of it, [`scanner`] walks over the JSON, [`fields`] and the modules beside
//! it pick what the tables hold, [`torn`] saves the record behind a cut-off one.

pub mod content;
mod escapes;
pub mod fields;
pub mod further;
pub mod guesses;
pub mod json_type;
pub mod keys;
pub mod lanes;
pub mod marks;
pub mod members;
pub mod message;
mod payload;
pub mod plain;
mod progress;
mod record_keys;
pub mod repair;
pub mod repeats;
pub mod rollout;
pub mod scanner;
pub mod text;
pub mod tool_use_result;
pub mod torn;
pub mod usage;
mod usage_shapes;

use crate::diagnose::Code;
use crate::record::Record;
use crate::schema;
use fields::{Place, record};
use marks::{Help, Marks};
use repair::Repaired;
use scanner::{Reason, Scanner, Stop};

/// What a line's place in its file means for it.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// It begins at byte 0 of the file.
    pub is_first: bool,
    /// A line feed ends it.
    pub terminated: bool,
    /// Longer lines are skipped.
    pub max_line_bytes: Option<u64>,
}

/// Something found on a line, with offsets from the line's first byte.
#[derive(Debug)]
pub struct LineFinding {
    /// What was found.
    pub code: Code,
    /// Which record of the line it is about.
    pub place: u32,
    /// Where it is.
    pub offset: usize,
    /// How many bytes.
    pub length: usize,
    /// How often.
    pub count: u32,
    /// Words for people.
    pub message: String,
}

/// What a line turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// White space only.
    Blank,
    /// Records, all handed out.
    Records,
    /// Lost, with an error.
    Lost,
    /// Neither: NUL bytes only, or a last line still being written.
    Nothing,
}

/// Decodes one line, with the help of `marks`. `found` gets what is wrong with it; `each` gets every record
/// with its place on the line and its offset and length in the line's bytes.
pub fn line(
    bytes: &[u8],
    context: Context,
    marks: &mut Marks,
    found: &mut Vec<LineFinding>,
    each: &mut impl FnMut(&Record<'_>, u32, (usize, usize)),
) -> Outcome {
    let mut line = LineDecoder { length: bytes.len(), context, found };
    if let Some(limit) = context.max_line_bytes.filter(|limit| bytes.len() as u64 > *limit) {
        let values = [("length", &*bytes.len().to_string()), ("limit", &*limit.to_string())];
        line.whole(Code::LineTooLong, 1, &values);
        return Outcome::Lost;
    }
    line.decode(bytes, marks, each)
}

struct LineDecoder<'f> {
    length: usize,
    context: Context,
    found: &'f mut Vec<LineFinding>,
}

impl LineDecoder<'_> {
    fn add(&mut self, code: Code, span: (usize, usize), count: u32, values: &[(&str, &str)]) {
        let message = code.message(values);
        let (offset, length) = span;
        self.found.push(LineFinding { code, place: 0, offset, length, count, message });
    }

    fn whole(&mut self, code: Code, count: u32, values: &[(&str, &str)]) {
        self.add(code, (0, self.length), count, values);
    }

    fn decode(
        &mut self,
        bytes: &[u8],
        marks: &mut Marks,
        each: &mut impl FnMut(&Record<'_>, u32, (usize, usize)),
    ) -> Outcome {
        let bom = self.context.is_first && bytes.starts_with(b"\xEF\xBB\xBF");
        if bom {
            self.add(Code::Bom, (0, 3), 1, &[]);
        }
        let mark = self.found.len();
        let repaired = Repaired::new(bytes, if bom { 3 } else { 0 });
        if let Some((span, count)) = repaired.replaced() {
            self.add(Code::InvalidUtf8, span, count, &[]);
        }
        let text = repaired.text();
        let (start, end) = repair::margins(text.as_bytes());
        let mut nuls = NulRuns::default();
        nuls.count(&repaired, 0, start);
        nuls.count(&repaired, end, text.len());
        if start == end {
            self.report_nuls(&nuls);
            return if nuls.count == 0 { Outcome::Blank } else { Outcome::Nothing };
        }
        let mut first = Record::at(start);
        let help = marks.find(&text.as_bytes()[..end], start);
        match records(text, (start, end), help, &mut first) {
            Ok(gaps) => {
                for (from, to) in &gaps {
                    nuls.count(&repaired, *from, *to);
                }
                self.report_nuls(&nuls);
                let count = 1 + gaps.len();
                if count > 1 {
                    let values = [("records", &*count.to_string())];
                    self.whole(Code::GluedRecords, count as u32, &values);
                }
                self.hand_out(&repaired, &first, 0, each);
                // One at a time: a record is large, and an object may have two bytes.
                for ((_, start), place) in gaps.into_iter().zip(1..) {
                    let mut next = Record::at(start);
                    record(&mut Scanner::new(text, start, end), Place::File, &mut next)
                        .expect("the object was scanned before");
                    self.hand_out(&repaired, &next, place, each);
                }
                self.note_missing_line_feed();
                Outcome::Records
            }
            Err(failure) => self.salvage(&repaired, (start, end), failure, mark, &nuls, each),
        }
    }

    fn report_nuls(&mut self, nuls: &NulRuns) {
        if let Some(first) = nuls.first {
            self.add(Code::NulRun, first, nuls.count, &[]);
        }
    }

    fn note_missing_line_feed(&mut self) {
        if !self.context.terminated {
            self.whole(Code::UnterminatedFinalLine, 1, &[]);
        }
    }

    fn hand_out(
        &mut self,
        repaired: &Repaired<'_>,
        record: &Record<'_>,
        place: u32,
        each: &mut impl FnMut(&Record<'_>, u32, (usize, usize)),
    ) {
        let offset = repaired.original(record.start);
        let length = repaired.original(record.end) - offset;
        for (code, count) in [
            (Code::LoneSurrogate, record.lone_surrogates),
            (Code::DuplicateKey, record.flaws.duplicate_keys),
            (Code::BadValue, record.flaws.bad_values),
        ] {
            if count > 0 {
                let message = code.message(&[]);
                self.found.push(LineFinding { code, place, offset, length, count, message });
            }
        }
        each(record, place, (offset, length));
    }

    /// The line did not parse: saves what may be saved, and says what was lost.
    fn salvage(
        &mut self,
        repaired: &Repaired<'_>,
        (start, end): (usize, usize),
        failure: Failure,
        mark: usize,
        nuls: &NulRuns,
        each: &mut impl FnMut(&Record<'_>, u32, (usize, usize)),
    ) -> Outcome {
        let stop = match failure {
            Failure::NotAnObject => {
                self.report_nuls(nuls);
                self.whole(Code::NotAnObject, 1, &[]);
                return Outcome::Lost;
            }
            Failure::Stop(stop) => stop,
        };
        let column = (repaired.original(stop.at) + 1).to_string();
        if stop.reason == Reason::TooDeep {
            self.report_nuls(nuls);
            self.whole(Code::TooDeep, 1, &[("column", &column)]);
            return Outcome::Lost;
        }
        if let Some(record) = torn::record_behind(repaired.text(), start, end, *stop) {
            self.report_nuls(nuls);
            let lost = repaired.original(record.start);
            self.add(Code::TornPrefix, (0, lost), 1, &[]);
            self.hand_out(repaired, &record, 0, each);
            self.note_missing_line_feed();
            return Outcome::Records;
        }
        if !self.context.terminated {
            self.found.truncate(mark);
            self.whole(Code::PendingTail, 1, &[]);
            return Outcome::Nothing;
        }
        self.report_nuls(nuls);
        let reason = schema::reason(stop.reason.name());
        self.whole(Code::Malformed, 1, &[("reason", reason), ("column", &column)]);
        Outcome::Lost
    }
}

/// Runs of NUL outside the records of a line.
#[derive(Default)]
struct NulRuns {
    count: u32,
    first: Option<(usize, usize)>,
}

impl NulRuns {
    fn count(&mut self, repaired: &Repaired<'_>, from: usize, to: usize) {
        if from == to {
            return;
        }
        let bytes = &repaired.text().as_bytes()[from..to];
        for run in bytes.chunk_by(|a, b| (*a == 0) == (*b == 0)).filter(|run| run[0] == 0) {
            let offset = from + (run.as_ptr() as usize - bytes.as_ptr() as usize);
            self.count += 1;
            self.first.get_or_insert((repaired.original(offset), run.len()));
        }
    }
}

enum Failure {
    NotAnObject,
    Stop(Box<Stop>),
}

impl From<Box<Stop>> for Failure {
    fn from(stop: Box<Stop>) -> Self {
        Self::Stop(stop)
    }
}

/// Reads a line that is one object, or several one behind the other: the first
/// into `first`; for each other it gives the gap before it, which ends at it.
fn records<'a>(
    text: &'a str,
    (start, end): (usize, usize),
    help: Help<'a>,
    first: &mut Record<'a>,
) -> Result<Vec<(usize, usize)>, Failure> {
    let mut scanner = Scanner::helped(text, start, end, help);
    if scanner.peek() != Some(b'{') {
        scanner.skip()?;
        scanner.skip_space();
        return Err(match scanner.peek() {
            None => Failure::NotAnObject,
            Some(_) => scanner.stop(Reason::Trailing).into(),
        });
    }
    record(&mut scanner, Place::File, first)?;
    let mut gaps = Vec::new();
    while scanner.at < end {
        let gap = scanner.at;
        while let Some(b' ' | b'\t' | b'\r' | 0) = scanner.peek() {
            scanner.at += 1;
        }
        if scanner.peek() != Some(b'{') {
            return Err(scanner.stop(Reason::Trailing).into());
        }
        gaps.push((gap, scanner.at));
        scanner.skip()?;
    }
    Ok(gaps)
}
