//! Blocks that call a tool, and blocks that hold a tool's result (SPEC section 5).

use std::borrow::Cow;

use twox_hash::XxHash3_64;

use crate::facts::kept::Number;
use crate::facts::{Call, RareOfResult, ToolResult};
use crate::fold::{Folder, Recent};
use crate::record::{Block, Flag, Record, Str};
use crate::strings::Symbol;

impl Folder {
    /// Keeps a call.
    pub(super) fn call(&mut self, file: u32, sketch: u32, record: &Record<'_>, block: &Block<'_>) {
        let bash = block.name.is_some_and(|name| name.is("Bash"));
        let command = block.command.filter(|_| bash).map(|command| command.text());
        let command_name = command.as_deref().and_then(first_word);
        let text = self.wanted.text;
        let call = Call {
            sketch,
            file,
            block: block.index,
            agent: self.recall(Recent::Agent, record.string(Str::AgentId)),
            is_sidechain: record.flag(Flag::IsSidechain),
            id: self.intern(block.id),
            name: match block.made_name() {
                Some(name) => self.facts.strings.intern(name),
                None => self.recall(Recent::ToolName, block.name),
            },
            is_server: block.is_server_call(),
            message: self
                .recall(Recent::Message, record.message.as_ref().and_then(|message| message.id)),
            input: block.input_json().map_or_else(Default::default, |input| {
                (Some(input.len() as i64).into(), XxHash3_64::oneshot(input.as_bytes()))
            }),
            file_path: self.intern(block.file_path.or(block.notebook_path)),
            command_name: command_name.map_or(Symbol::NONE, |word| self.facts.strings.intern(word)),
            attribution: self.attribution(record),
            input_json: block
                .input_json()
                .filter(|_| text)
                .and_then(|json| self.keep(json.to_owned())),
            command: command.filter(|_| text).and_then(|command| self.keep(command.into_owned())),
            launch: block.names.as_deref().map(|names| Box::new(self.launch_input(names))),
        };
        self.facts.calls.push(call);
    }

    /// Keeps a result and what its record says of it (ruling 30); `text` is its own,
    /// where text is wanted.
    pub(super) fn result(
        &mut self,
        file: u32,
        sketch: u32,
        record: &Record<'_>,
        block: &Block<'_>,
        text: Option<Cow<'_, str>>,
    ) {
        let said = &record.tool_use_result;
        let content = &block.result;
        let rare = self.rare(record, block);
        let result = ToolResult {
            sketch,
            file,
            block: block.index,
            id: self.intern(block.tool_use_id),
            status: self.intern(said.status),
            text: text.and_then(|text| self.keep(text.into_owned())),
            chars: content.chars,
            images: content.images,
            stdout_chars: said.stdout_chars.into(),
            stderr_chars: said.stderr_chars.into(),
            is_error: block.is_error,
            kind: content.kind,
            has_structured_content: record.has_structured_content,
            carrier: said.carrier,
            interrupted: said.interrupted,
            rare: rare.kept(),
            launch: said.launched.as_deref().map(|said| Box::new(self.launch_result(said))),
        };
        self.facts.results.push(result);
    }

    fn rare(&mut self, record: &Record<'_>, block: &Block<'_>) -> RareOfResult {
        let said = &record.tool_use_result;
        let git_operation = said.git_operation.as_deref();
        RareOfResult {
            content_type: self.intern(block.result.content_type),
            denial_kind: self.intern(record.string(Str::ToolDenialKind)),
            exit_code: said.exit_code.or(said.return_code),
            timed_out_after_ms: said.timed_out_after_ms,
            background_task: self.intern(said.background_task_id),
            git_operation: git_operation
                .map_or(Symbol::NONE, |operation| self.facts.strings.intern(operation)),
            persisted_output_path: self.intern(said.persisted_output_path),
            persisted_output_bytes: said.persisted_output_size,
            launched_agent: self.intern(said.agent_id),
            resolved_model: self.intern(said.resolved_model),
            persisted_in_text: self.persisted_in_text(block),
        }
    }

    fn keep(&mut self, text: String) -> Option<Number> {
        self.facts.texts.push(text);
        Number::new(self.facts.texts.len() as u32 - 1)
    }
}

/// The first run of bytes that are not ASCII white space (ruling 33).
fn first_word(command: &str) -> Option<&str> {
    let space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0B' | '\x0C');
    command.split(space).find(|word| !word.is_empty())
}
