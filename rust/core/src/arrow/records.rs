//! The table `records`. What sketches hold of it, they hold in small: these columns are
//! made once it is known which records count. The others are pushed while records are
//! read.

use std::sync::LazyLock;

use arrow_schema::{Schema, SchemaRef};

use crate::arrow::columns::{Columns, Filling};
use crate::facts::{Facts, Sketch};
use crate::join::Standing;
use crate::record::{Flag, Record, Str};
use crate::schema::Table;
use crate::strings::Interner;

/// The columns of what sketches hold, in the order of the table.
const OF_SKETCHES: [&str; 13] = [
    "file_id",
    "line",
    "byte_offset",
    "byte_length",
    "type",
    "session_id",
    "timestamp",
    "version",
    "cwd",
    "git_branch",
    "entrypoint",
    "model",
    "is_replay",
];

fn is_of_sketches(column: &str) -> bool {
    OF_SKETCHES.contains(&column)
}

fn part_of_table(has: impl Fn(&str) -> bool) -> SchemaRef {
    let schema = Table::Records.schema();
    let fields = schema.fields().iter().filter(|field| has(field.name()));
    Schema::new(fields.cloned().collect::<Vec<_>>()).into()
}

/// The columns that are pushed.
pub fn pushed() -> &'static SchemaRef {
    static PUSHED: LazyLock<SchemaRef> =
        LazyLock::new(|| part_of_table(|column| !is_of_sketches(column)));
    &PUSHED
}

/// No rows yet, and room for so many.
pub fn columns(rows: usize) -> Columns {
    Columns::with_room(pushed(), rows)
}

/// Adds what is pushed of the row of a record.
pub fn push(rows: &mut Columns, record: &Record<'_>) {
    use Str as S;
    strings(rows, record, &[S::Subtype, S::Uuid, S::ParentUuid, S::LogicalParentUuid]);
    rows.raw(record.string(S::UserType));
    rows.bool(record.flag(Flag::IsSidechain));
    rows.raw(record.string(S::AgentId));
    rows.raw(record.role());
    let message = record.message.as_ref();
    rows.raw(message.and_then(|message| message.id));
    rows.raw(record.string(S::RequestId));
    rows.int(record.api_block_index);
    rows.raw(message.and_then(|message| message.stop_reason));
    strings(rows, record, &[S::Effort, S::PerTurnEffort]);
    rows.bool(record.flag(Flag::IsMeta));
    rows.bool(record.flag(Flag::IsCompactSummary));
    rows.bool(record.flag(Flag::IsVisibleInTranscriptOnly));
    rows.bool(record.flag(Flag::IsApiErrorMessage));
    rows.int(record.api_error_status);
    rows.bool(record.flag(Flag::IsAbortedMidStream));
    rows.bool(record.flag(Flag::TruncatedAfterOutput));
    strings(rows, record, &[S::PromptId, S::PromptSource, S::PermissionMode]);
    rows.raw(record.origin_kind);
    rows.raw(record.forked_from_session_id);
    rows.raw(record.forked_from_message_uuid);
    let ids = [S::LeafUuid, S::SourceToolAssistantUuid, S::SourceToolUseId];
    strings(rows, record, &ids);
    strings(rows, record, &[S::InterruptedMessageId, S::ToolDenialKind]);
    strings(rows, record, &S::ATTRIBUTION);
    strings(rows, record, &[S::AdvisorModel, S::ScheduledTaskId, S::Slug]);
    rows.int(record.content.as_ref().map(|content| i64::from(content.entries)));
    rows.end_row();
}

fn strings(rows: &mut Columns, record: &Record<'_>, fields: &[Str]) {
    for field in fields {
        rows.raw(record.string(*field));
    }
}

/// Takes the rows of a unit whose symbols are of `strings`, with replays marked and
/// copies left out; in as many stretches as their text needs.
pub fn rows(unit: &mut Facts, strings: &Interner, standing: &[Standing]) -> Vec<Columns> {
    let Some(mut pushed) = unit.records.take() else { return Vec::new() };
    if !standing.is_empty() {
        let counts = |standing: &Standing| *standing != Standing::Copied;
        pushed.retain(&standing.iter().map(counts).collect::<Vec<_>>());
    }
    let sketched = sketched(unit, standing);
    let schema = part_of_table(is_of_sketches);
    let stretches = Columns::filled(&schema, strings, &sketched, fill);
    let all = Table::Records.schema();
    let is_of_sketches = || all.fields().iter().map(|field| is_of_sketches(field.name()));
    let row = |own: Columns| {
        let pushed = pushed.take_first(own.rows());
        own.woven_with(pushed, is_of_sketches())
    };
    stretches.into_iter().map(row).collect()
}

/// What is known of a row besides what was pushed.
struct Sketched {
    file: u32,
    sketch: Sketch,
    is_replay: bool,
}

fn sketched(unit: &Facts, standing: &[Standing]) -> Vec<Sketched> {
    let mut rows = Vec::with_capacity(unit.sketches.len());
    let mut parts = unit.parts.iter().peekable();
    for index in 0..unit.sketches.len() {
        let standing = standing.get(index).copied().unwrap_or_default();
        if standing == Standing::Copied {
            continue;
        }
        while parts.next_if(|part| part.sketches.end <= index).is_some() {}
        rows.push(Sketched {
            file: parts.peek().map_or(0, |part| part.file),
            sketch: unit.sketches.get(index),
            is_replay: standing == Standing::Replay,
        });
    }
    rows
}

fn fill(columns: &mut Filling<'_, Sketched>) {
    columns.int(|row| Some(i64::from(row.file)));
    columns.int(|row| Some(row.sketch.line as i64));
    columns.int(|row| Some(row.sketch.span.0 as i64));
    columns.int(|row| Some(row.sketch.span.1 as i64));
    columns.symbol(|row| row.sketch.kind);
    columns.symbol(|row| row.sketch.session);
    columns.int(|row| row.sketch.timestamp);
    columns.symbol(|row| row.sketch.version);
    columns.symbol(|row| row.sketch.cwd);
    columns.symbol(|row| row.sketch.git_branch);
    columns.symbol(|row| row.sketch.entrypoint);
    columns.symbol(|row| row.sketch.model);
    columns.bool(|row| Some(row.is_replay));
}
