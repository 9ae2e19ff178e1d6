//! Records to facts: the lines of a file, or of a chunk of one, are read once,
//! in order, and what the tables need of them is kept.

mod alike;
mod attachments;
mod events;
mod further;
mod launches;
mod notifications;
mod persisted;
mod rollouts;
mod speech;
mod tools;
mod usages;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::arrow;
use crate::arrow::columns::TEXT_LIMIT;
use crate::census::Census;
use crate::decode::content::result_text;
use crate::decode::lanes::Machine;
use crate::decode::marks::Marks;
use crate::decode::text::Raw;
use crate::decode::{self, Context, LineFinding, Outcome};
use crate::diagnose::Finding;
use crate::facts::{Attribution, BlockRows, Facts, FilePart, Identity, Sketch};
use crate::fold::alike::Alike;
use crate::record::{Flag, Kind, Record, Str};
use crate::split::lines;
use crate::strings::Symbol;

/// What to keep besides the facts.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Rows of `records`, up to what sketches hold.
    pub records: bool,
    /// Rows of `blocks`.
    pub blocks: bool,
    /// The names of the format, counted.
    pub census: bool,
    /// Text.
    pub text: bool,
    /// Entries of `usage.iterations`.
    pub iterations: bool,
    /// Facts for the tables beside the core that `sessions` does without.
    pub further: bool,
    /// What records say if their file is a journal.
    pub journal: bool,
    /// Words of people and assistants: for prompts, endings and titles.
    pub words: bool,
    /// Rows of `blocks` are closed when their text has this many bytes.
    pub text_limit: usize,
    /// See [`Context::max_line_bytes`].
    pub max_line_bytes: Option<u64>,
    /// How strings are found.
    pub machine: Machine,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            records: false,
            blocks: false,
            census: false,
            text: false,
            iterations: false,
            further: false,
            journal: false,
            words: false,
            text_limit: TEXT_LIMIT,
            max_line_bytes: None,
            machine: Machine::default(),
        }
    }
}

/// Rows that there is room for from the start: a unit of work has as many, and columns
/// that grow from nothing are moved about.
const ROOM: usize = 4096;

/// A stretch of a file's text: whole lines.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The lines.
    pub bytes: &'a [u8],
    /// Where they stand in the file's text.
    pub offset: u64,
    /// The file ended before its length.
    pub truncated: bool,
}

/// Folds stretches into [`Facts`].
#[derive(Debug)]
pub struct Folder {
    facts: Facts,
    wanted: Wanted,
    recent: [Symbol; Recent::COUNT],
    alike: Alike,
    /// Not there while a stretch is folded.
    marks: Option<Marks>,
}

/// Fields whose value is mostly that of the record before.
#[derive(Clone, Copy)]
enum Recent {
    Kind,
    Session,
    Version,
    Cwd,
    GitBranch,
    Entrypoint,
    Model,
    Agent,
    Effort,
    StopReason,
    Message,
    Request,
    ToolName,
}

impl Recent {
    const COUNT: usize = Self::ToolName as usize + 1;
}

impl Folder {
    /// A folder that has seen nothing.
    pub fn new(wanted: Wanted) -> Self {
        let mut facts = Facts::with_room(ROOM);
        facts.records = wanted.records.then(|| arrow::records::columns(ROOM));
        facts.census = wanted.census.then(Census::default);
        let marks = Some(Marks::of(wanted.machine));
        let recent = [Symbol::NONE; Recent::COUNT];
        Self { facts, wanted, recent, alike: Alike::default(), marks }
    }

    /// What was folded.
    pub fn finish(mut self) -> Facts {
        if let Some(rows) = &mut self.facts.records {
            rows.shrink();
        }
        for blocks in &mut self.facts.blocks {
            blocks.rows.shrink();
        }
        self.facts
    }

    /// Begins a file, or a chunk of one.
    pub fn begin(&mut self, file: u32) {
        if let Some(census) = &mut self.facts.census {
            census.begin(file);
        }
        let (sketches, calls) = (self.facts.sketches.len(), self.facts.calls.len());
        let results = self.facts.results.len();
        self.facts.parts.push(FilePart {
            file,
            only_subagent: true,
            sketches: sketches..sketches,
            calls: calls..calls,
            results: results..results,
            ..FilePart::default()
        });
    }

    /// Folds a stretch of the file that was begun; stops early where
    /// `cancelled` is set.
    pub fn stretch(&mut self, stretch: Stretch<'_>, cancelled: &AtomicBool) {
        let Some(mut part) = self.facts.parts.pop() else { return };
        let mut found = Vec::new();
        let mut marks = self.marks.take().unwrap_or_else(|| Marks::of(self.wanted.machine));
        let before = part.lines;
        for line in lines(stretch.bytes) {
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            let number = before + line.number;
            let offset = stretch.offset + line.offset as u64;
            let context = Context {
                is_first: offset == 0,
                terminated: line.terminated,
                max_line_bytes: self.wanted.max_line_bytes,
            };
            let mut each = |record: &Record<'_>, place: u32, (at, length): (usize, usize)| {
                let span = (offset + at as u64, length as u64);
                self.record(&mut part, Position { line: number, place, span }, record);
            };
            match decode::line(line.bytes, context, &mut marks, &mut found, &mut each) {
                Outcome::Blank => part.blank_lines += 1,
                Outcome::Lost => part.lost_lines += 1,
                Outcome::Records | Outcome::Nothing => {}
            }
            self.keep_findings(&mut found, part.file, number, offset);
            part.lines += u64::from(line.terminated);
        }
        self.marks = Some(marks);
        part.bytes += stretch.bytes.len() as u64;
        part.truncated |= stretch.truncated;
        part.sketches.end = self.facts.sketches.len();
        part.calls.end = self.facts.calls.len();
        part.results.end = self.facts.results.len();
        self.facts.parts.push(part);
    }

    fn keep_findings(&mut self, found: &mut Vec<LineFinding>, file: u32, line: u64, offset: u64) {
        self.facts.findings.extend(found.drain(..).map(|finding| Finding {
            file,
            line,
            place: (finding.place, 0),
            span: Some((offset + finding.offset as u64, finding.length as u64)),
            severity: finding.code.severity(),
            code: finding.code,
            message: finding.message,
            count: u64::from(finding.count),
        }));
    }

    fn record(&mut self, part: &mut FilePart, at: Position, record: &Record<'_>) {
        let sketch = self.sketch(part, at, record);
        let number = self.facts.sketches.len() as u32;
        let known = self.known_envelope(record, sketch.model);
        let envelope = self.facts.sketches.push(&sketch, known);
        if known.is_none() {
            self.learn_envelope(record, sketch.model, envelope);
        }
        if record.string(Str::LeafUuid).is_some() {
            let leaf = self.intern(record.string(Str::LeafUuid));
            self.facts.sketches.set_leaf(leaf);
        }
        if let Some(census) = &mut self.facts.census {
            match &record.rollout {
                None => census.record(record.json, at.line),
                Some(_) => census.rollout(record, at.line),
            }
        }
        if let Some(rows) = &mut self.facts.records {
            arrow::records::push(rows, record);
        }
        self.rollout(number, record);
        self.usages(part, number, envelope, record);
        self.blocks(part, at, number, record);
        self.further(part, number, record);
        self.speech(part.file, number, record);
    }

    fn sketch(&mut self, part: &mut FilePart, at: Position, record: &Record<'_>) -> Sketch {
        let message = record.message.as_ref();
        let common = self.common(record);
        let sketch = Sketch {
            line: at.line,
            place: at.place,
            span: at.span,
            uuid: record.string(Str::Uuid).and_then(|uuid| Identity::of(&uuid.text())),
            payload: record.payload,
            kind: common.kind,
            session: common.session,
            timestamp: record.timestamp,
            version: common.version,
            cwd: common.cwd,
            git_branch: common.git_branch,
            entrypoint: common.entrypoint,
            model: self.recall(Recent::Model, message.and_then(|message| message.model)),
            is_fork: record.is_fork,
            forked_from: self.intern(record.forked_from_session_id),
            is_api_error: common.is_api_error,
        };
        part.has_session_meta |= record.kind == Kind::SessionMeta;
        part.has_journal_type |= record.kind == Kind::OfJournal;
        let agent = common.agent;
        if sketch.session.is_id() {
            let is_sidechain = record.flag(Flag::IsSidechain) == Some(true);
            part.only_subagent &= is_sidechain && agent.is_id();
        }
        if !part.agent.is_id() && agent.is_id() {
            part.agent = agent;
        }
        sketch
    }

    fn blocks(&mut self, part: &mut FilePart, at: Position, number: u32, record: &Record<'_>) {
        for block in record.blocks() {
            let kind = if block.is_bare {
                self.facts.strings.intern("text")
            } else {
                self.intern(block.kind)
            };
            *part.block_types.entry(kind).or_default() += 1;
            let with_text = self.wanted.text;
            let is_result = block.is_result();
            let said = if with_text && is_result { result_text(&block.result) } else { None };
            if self.wanted.blocks {
                let BlockRows { rows, sketches } = self.block_rows();
                arrow::blocks::push(
                    rows,
                    part.file,
                    at.line,
                    record,
                    block,
                    (with_text, said.as_deref()),
                );
                sketches.push(number);
            }
            if block.is_call() {
                self.call(part.file, number, record, block);
            } else if is_result {
                self.result(part.file, number, record, block, said);
            }
        }
    }

    /// The rows that the next block is added to.
    fn block_rows(&mut self) -> &mut BlockRows {
        let limit = self.wanted.text_limit;
        let blocks = &mut self.facts.blocks;
        if blocks.last().is_none_or(|last| last.rows.text_bytes() >= limit) {
            blocks.push(BlockRows { rows: arrow::blocks::columns(ROOM), sketches: Vec::new() });
        }
        let last = blocks.len() - 1;
        &mut blocks[last]
    }

    fn intern(&mut self, raw: Option<Raw<'_>>) -> Symbol {
        raw.map_or(Symbol::NONE, |raw| self.facts.strings.intern(&raw.text()))
    }

    /// Interns a field whose value is mostly the one that it had before.
    #[inline]
    fn recall(&mut self, field: Recent, raw: Option<Raw<'_>>) -> Symbol {
        let Some(raw) = raw else { return Symbol::NONE };
        let recent = self.recent[field as usize];
        if raw.is_plain() && self.facts.strings.is(recent, raw.written()) {
            return recent;
        }
        let symbol = self.facts.strings.intern(&raw.text());
        self.recent[field as usize] = symbol;
        symbol
    }

    fn attribution(&mut self, record: &Record<'_>) -> u32 {
        let fields = Str::ATTRIBUTION.map(|field| self.intern(record.string(field)));
        let hint = fields.iter().fold(0, |hint, field| hint ^ field.index());
        self.facts.attributions.keep(Attribution(fields), hint)
    }
}

/// Where a record stands.
#[derive(Clone, Copy)]
struct Position {
    line: u64,
    place: u32,
    span: (u64, u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_blocks_are_closed_before_their_text_outgrows_a_column() {
        let line = br#"{"type":"user","message":{"content":["four","more","text"]}}"#;
        for (text_limit, stretches) in [(TEXT_LIMIT, 1), (8, 2), (1, 3)] {
            let wanted = Wanted { blocks: true, text: true, text_limit, ..Wanted::default() };
            let mut folder = Folder::new(wanted);
            folder.begin(0);
            let stretch = Stretch { bytes: line, offset: 0, truncated: false };
            folder.stretch(stretch, &AtomicBool::new(false));
            let facts = folder.finish();
            let rows: usize = facts.blocks.iter().map(|blocks| blocks.rows.rows()).sum();
            assert_eq!((facts.blocks.len(), rows), (stretches, 3));
        }
    }
}
