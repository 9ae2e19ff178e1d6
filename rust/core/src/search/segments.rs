//! A record to the texts that a person could see (ruling 85).

use super::leaves::Node;
use crate::decode::text::{Raw, unescape};
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
    /// The call, where the text is what its tool was given.
    pub(super) call: Option<&'s Block<'s>>,
    /// The call, where the text is what came of it.
    pub(super) result_of: Option<Raw<'s>>,
    pub(super) text: &'s str,
}

/// Makes texts of strings as they are written, in room that is used again.
#[derive(Debug, Default)]
pub(super) struct Unescaped(String);

impl Unescaped {
    /// The text that a string stands for.
    fn text<'t>(&'t mut self, written: &'t str) -> &'t str {
        if memchr::memchr(b'\\', written.as_bytes()).is_none() {
            return written;
        }
        self.0.clear();
        unescape(written, &mut self.0);
        &self.0
    }
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
pub(super) fn segments(
    record: &Record<'_>,
    room: &mut Unescaped,
    each: &mut impl FnMut(Segment<'_>),
) {
    if let Some(rollout) = &record.rollout {
        let payload = Node::of(rollout.payload);
        for block in record.blocks() {
            if block.of_rollout.is_some() {
                of_rollout(block, &payload, room, each);
            } else {
                of_block(block, room, each);
            }
        }
        return;
    }
    for block in record.blocks() {
        of_block(block, room, each);
    }
    if let Further::Attachment(attachment) = &record.further {
        if let Some(json) = attachment.json {
            Seen::of(Field::Attachment).strings(&Node::of(json), false, room, each);
        }
    } else if !record.is_message() {
        of_event(record, room, each);
    }
}

/// What the texts of one place have in common.
#[derive(Clone, Copy)]
struct Seen<'s> {
    field: Field,
    call: Option<&'s Block<'s>>,
    result_of: Option<Raw<'s>>,
}

impl<'s> Seen<'s> {
    fn of(field: Field) -> Self {
        Self { field, call: None, result_of: None }
    }

    fn input(block: &'s Block<'s>) -> Self {
        Self { call: Some(block), ..Self::of(Field::ToolInput) }
    }

    fn result(block: &'s Block<'s>) -> Self {
        Self { result_of: block.tool_use_id, ..Self::of(Field::ToolResult) }
    }

    fn text(&self, key: &str, text: &str, each: &mut impl FnMut(Segment<'_>)) {
        let Self { field, call, result_of } = *self;
        each(Segment { field, key, call, result_of, text });
    }

    /// The strings of a value; with `all` those too that are no words.
    fn strings(
        &self,
        node: &Node<'_>,
        all: bool,
        room: &mut Unescaped,
        each: &mut impl FnMut(Segment<'_>),
    ) {
        node.strings(all, &mut |key, written| self.text(key, room.text(written), each));
    }
}

fn of_block(block: &Block<'_>, room: &mut Unescaped, each: &mut impl FnMut(Segment<'_>)) {
    let is = |name: &str| block.kind.is_some_and(|kind| kind.is(name));
    let (field, plain) = if block.is_bare || is("text") {
        (Field::Text, block.text)
    } else if is("thinking") {
        (Field::Thinking, block.thinking)
    } else if block.is_call() {
        return Seen::input(block).strings(
            &Node::of(block.input.unwrap_or("null")),
            true,
            room,
            each,
        );
    } else if block.is_result() {
        return Seen::result(block).strings(&Node::of(block.result.json), false, room, each);
    } else {
        return;
    };
    if let Some(raw) = plain {
        Seen::of(field).text("", room.text(raw.written()), each);
    }
}

/// What calls of rollouts are given: the first that is there.
const INPUTS: [&str; 3] = ["arguments", "input", "action"];

/// The texts of a rollout's block (ruling 98).
fn of_rollout(
    block: &Block<'_>,
    payload: &Node<'_>,
    room: &mut Unescaped,
    each: &mut impl FnMut(Segment<'_>),
) {
    if block.is_call() {
        let inputs = INPUTS.iter().filter_map(|name| payload.get(name));
        let Some(input) = inputs.into_iter().find(|node| !matches!(node, Node::Null)) else {
            return;
        };
        let seen = Seen::input(block);
        if let Node::String(written) = input {
            let mut text = String::new();
            unescape(written, &mut text);
            match Node::of_text(&text) {
                Some(inner) => seen.strings(&inner, true, room, each),
                None => seen.text("", &text, each),
            }
        } else {
            seen.strings(input, true, room, each);
        }
    } else if block.is_result() {
        if let Some(output) = payload.get("output") {
            Seen::result(block).strings(output, false, room, each);
        }
    } else if let Some(raw) = block.text {
        let is_thinking = block.kind.is_some_and(|kind| kind.is("summary_text"));
        let field = if is_thinking { Field::Thinking } else { Field::Text };
        Seen::of(field).text("", room.text(raw.written()), each);
    }
}

fn of_event(record: &Record<'_>, room: &mut Unescaped, each: &mut impl FnMut(Segment<'_>)) {
    let event = Node::of(record.json);
    if record.is_type("file-history-snapshot") {
        let tracked = event.get("snapshot").and_then(|snapshot| snapshot.get("trackedFileBackups"));
        if let Some(Node::Object(members)) = tracked {
            for (path, _) in members {
                Seen::of(Field::Path).text("", path, each);
            }
        }
        return;
    }
    if record.is_type("file-history-delta") {
        if let Some(Node::String(written)) = event.get("trackingPath") {
            Seen::of(Field::Path).text("", room.text(written), each);
        }
        return;
    }
    let known = OF_EVENTS.iter().find(|(kind, _, _)| record.is_type(kind));
    let (_, names, field) = known.copied().unwrap_or(("", &["content"], Field::System));
    for node in names.iter().filter_map(|name| event.get(name)) {
        Seen::of(field).strings(node, false, room, each);
    }
}
