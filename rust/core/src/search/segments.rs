//! A record to the texts that a person could see (ruling 85).

use super::leaves::Node;
use crate::decode::text::Raw;
use crate::record::further::Further;
use crate::record::{Block, Record};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Field {
    Text,
    Thinking,
    ToolInput,
    ToolResult,
    Queue,
    Attachment,
    LastPrompt,
    Summary,
    Title,
    Path,
    Progress,
    Journal,
    System,
    Sidecar,
}

impl Field {
    /// Its word in the column `field`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::ToolInput => "tool_input",
            Self::ToolResult => "tool_result",
            Self::Queue => "queue",
            Self::Attachment => "attachment",
            Self::LastPrompt => "last_prompt",
            Self::Summary => "summary",
            Self::Title => "title",
            Self::Path => "path",
            Self::Progress => "progress",
            Self::Journal => "journal",
            Self::System => "system",
            Self::Sidecar => "sidecar",
        }
    }
}

/// A text of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'s> {
    pub(super) field: Field,
    /// The names that lead to it; empty where it is the field itself.
    pub(super) key: &'s str,
    /// The tool, where the text is what it was given.
    pub(super) tool: Option<Raw<'s>>,
    /// The call, where the text is what came of it.
    pub(super) result_of: Option<Raw<'s>>,
    pub(super) text: &'s str,
}

/// What events say, by their type: the members with words, and what these are.
const OF_EVENTS: [(&str, &[&str], Field); 9] = [
    ("queue-operation", &["content"], Field::Queue),
    ("last-prompt", &["lastPrompt"], Field::LastPrompt),
    ("summary", &["summary"], Field::Summary),
    ("custom-title", &["customTitle", "title"], Field::Title),
    ("ai-title", &["aiTitle", "title"], Field::Title),
    ("agent-name", &["agentName"], Field::Title),
    ("progress", &["data"], Field::Progress),
    ("started", &["label", "phase", "result"], Field::Journal),
    ("result", &["label", "phase", "result"], Field::Journal),
];

/// Hands out every text of a record, in order.
pub(super) fn segments(record: &Record<'_>, each: &mut impl FnMut(Segment<'_>)) {
    for block in record.blocks() {
        of_block(block, each);
    }
    if let Further::Attachment(attachment) = &record.further {
        if let Some(json) = attachment.json {
            strings(&Node::of(json), Field::Attachment, each);
        }
    } else if !record.is_message() {
        of_event(record, each);
    }
}

fn plain(field: Field, raw: Option<Raw<'_>>, each: &mut impl FnMut(Segment<'_>)) {
    if let Some(raw) = raw {
        each(Segment { field, key: "", tool: None, result_of: None, text: &raw.text() });
    }
}

fn strings(node: &Node<'_>, field: Field, each: &mut impl FnMut(Segment<'_>)) {
    node.strings(false, &mut |key, raw| {
        each(Segment { field, key, tool: None, result_of: None, text: &raw.text() });
    });
}

fn of_block(block: &Block<'_>, each: &mut impl FnMut(Segment<'_>)) {
    let is = |name: &str| block.kind.is_some_and(|kind| kind.is(name));
    if block.is_bare || is("text") {
        plain(Field::Text, block.text, each);
    } else if is("thinking") {
        plain(Field::Thinking, block.thinking, each);
    } else if block.is_call() {
        let (field, tool, result_of) = (Field::ToolInput, block.name, None);
        Node::of(block.input.unwrap_or("null")).strings(true, &mut |key, raw| {
            each(Segment { field, key, tool, result_of, text: &raw.text() });
        });
    } else if block.is_result() {
        let (field, tool, result_of) = (Field::ToolResult, None, block.tool_use_id);
        Node::of(block.result.json).strings(false, &mut |key, raw| {
            each(Segment { field, key, tool, result_of, text: &raw.text() });
        });
    }
}

fn of_event(record: &Record<'_>, each: &mut impl FnMut(Segment<'_>)) {
    let event = Node::of(record.json);
    let is_history = |name: &str| record.is_type(name);
    if is_history("file-history-snapshot") {
        let tracked = event.get("snapshot").and_then(|snapshot| snapshot.get("trackedFileBackups"));
        if let Some(Node::Object(members)) = tracked {
            for (path, _) in members {
                let (field, tool, result_of) = (Field::Path, None, None);
                each(Segment { field, key: "", tool, result_of, text: path });
            }
        }
        return;
    }
    if is_history("file-history-delta") {
        if let Some(Node::String(raw)) = event.get("trackingPath") {
            plain(Field::Path, Some(*raw), each);
        }
        return;
    }
    let known = OF_EVENTS.iter().find(|(kind, _, _)| record.is_type(kind));
    let (_, names, field) = known.copied().unwrap_or(("", &["content"], Field::System));
    for name in names {
        if let Some(node) = event.get(name) {
            strings(node, field, each);
        }
    }
}
