//! The table `blocks`.

use crate::arrow::columns::Columns;
use crate::record::rollout::Part;
use crate::record::{Block, Record, ResultKind};
use crate::schema::Table;

/// No rows yet, and room for so many.
pub fn columns(rows: usize) -> Columns {
    Columns::with_room(&Table::Blocks.schema(), rows)
}

/// Adds the row of a block: whether with text, and the text of a result.
pub fn push(
    rows: &mut Columns,
    file: u32,
    line: u64,
    record: &Record<'_>,
    block: &Block<'_>,
    (with_text, of_result): (bool, Option<&str>),
) {
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.int(Some(i64::from(block.index)));
    rows.raw(record.role());
    if block.is_bare {
        rows.text(Some("text"));
    } else {
        rows.raw(block.kind);
    }
    rows.raw(record.message.as_ref().and_then(|message| message.id));
    let sort = Sort::of(block);
    rows.raw(match sort {
        Sort::Call => block.id,
        Sort::Result => block.tool_use_id,
        _ => None,
    });
    match block.made_name() {
        Some(name) => rows.text(Some(name)),
        None => rows.raw(match sort {
            Sort::Call => block.name,
            Sort::Reference => block.tool_name,
            _ => None,
        }),
    }
    let words = match sort {
        Sort::Text => block.text,
        Sort::Thinking => block.thinking,
        _ => None,
    };
    let is_result = sort == Sort::Result && block.result.kind != ResultKind::Absent;
    rows.int(match words {
        Some(words) => Some(words.chars() as i64),
        None => is_result.then_some(block.result.chars),
    });
    let silent = block.thinking.is_none_or(|thinking| thinking.is_empty());
    rows.bool((sort == Sort::Thinking).then_some(silent && block.has_signature));
    let media = sort == Sort::Media;
    rows.raw(block.media_type.filter(|_| media));
    rows.int(block.media_bytes.filter(|_| media));
    match words {
        Some(words) if with_text => rows.raw(Some(words)),
        _ => rows.text(of_result),
    }
    rows.end_row();
}

/// What a block's columns depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Text,
    Thinking,
    Call,
    Result,
    Reference,
    Media,
    Other,
}

impl Sort {
    fn of(block: &Block<'_>) -> Self {
        if block.is_call() {
            return Self::Call;
        }
        if block.is_result() {
            return Self::Result;
        }
        if let Some(part) = block.of_rollout {
            return if part == Part::Words { Self::Text } else { Self::Other };
        }
        match block.kind.map(|kind| kind.text()).as_deref() {
            None if block.is_bare => Self::Text,
            Some("text") => Self::Text,
            Some("thinking") => Self::Thinking,
            Some("tool_reference") => Self::Reference,
            Some("image" | "document") => Self::Media,
            _ => Self::Other,
        }
    }
}
