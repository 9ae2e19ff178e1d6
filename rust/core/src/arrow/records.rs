//! The table `records`.

use crate::arrow::columns::Columns;
use crate::record::{Flag, Record, Str};
use crate::schema::Table;

/// No rows yet, and room for so many.
pub fn columns(rows: usize) -> Columns {
    Columns::with_room(&Table::Records.schema(), rows)
}

/// Index of a column.
///
/// # Panics
///
/// Where the schema has no column of this name.
pub fn index(name: &str) -> usize {
    Table::Records.schema().index_of(name).expect("a column of records")
}

/// Adds the row of a record; `is_replay` is false until it is judged.
pub fn push(rows: &mut Columns, file: u32, line: u64, span: (u64, u64), record: &Record<'_>) {
    use Str as S;
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.int(Some(span.0 as i64));
    rows.int(Some(span.1 as i64));
    strings(rows, record, &[S::Type, S::Subtype, S::Uuid, S::ParentUuid, S::LogicalParentUuid]);
    rows.raw(record.session_id());
    rows.int(record.timestamp);
    strings(rows, record, &[S::Version, S::Cwd, S::GitBranch, S::Entrypoint, S::UserType]);
    rows.bool(record.flag(Flag::IsSidechain));
    rows.raw(record.string(S::AgentId));
    rows.raw(record.role());
    let message = record.message.as_ref();
    rows.raw(message.and_then(|message| message.model));
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
    rows.bool(Some(false));
    rows.int(record.content.as_ref().map(|content| i64::from(content.entries)));
    rows.end_row();
}

fn strings(rows: &mut Columns, record: &Record<'_>, fields: &[Str]) {
    for field in fields {
        rows.raw(record.string(*field));
    }
}
