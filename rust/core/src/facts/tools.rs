//! Blocks that call a tool, and blocks that hold a result.

use crate::facts::further::{LaunchInput, LaunchResult};
use crate::facts::kept::{Maybe, Number};
use crate::record::{Carrier, ResultKind};
use crate::strings::{Renaming, Symbol};

/// A block that calls a tool.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Call {
    pub sketch: u32,
    pub file: u32,
    pub block: u32,
    pub agent: Symbol,
    pub id: Symbol,
    pub name: Symbol,
    pub message: Symbol,
    pub file_path: Symbol,
    pub command_name: Symbol,
    /// Number in [`super::Facts::attributions`].
    pub attribution: u32,
    /// Length and hash of the input's JSON text.
    pub input: (Maybe, u64),
    /// Places in [`super::Facts::texts`].
    pub input_json: Option<Number>,
    pub command: Option<Number>,
    /// Of an `Agent`, `Task` or `Skill` call.
    pub launch: Option<Box<LaunchInput>>,
    pub is_sidechain: Option<bool>,
    pub is_server: bool,
}

/// A block that holds a tool's result, with what its record says of it.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct ToolResult {
    pub sketch: u32,
    pub file: u32,
    pub block: u32,
    pub id: Symbol,
    pub status: Symbol,
    /// Place in [`super::Facts::texts`].
    pub text: Option<Number>,
    pub chars: i64,
    pub images: i64,
    pub stdout_chars: Maybe,
    pub stderr_chars: Maybe,
    pub is_error: Option<bool>,
    pub kind: ResultKind,
    pub has_structured_content: Option<bool>,
    pub carrier: Carrier,
    pub interrupted: Option<bool>,
    /// What few results have, where this one has any of it.
    pub rare: Option<Box<RareOfResult>>,
    /// Where it says any of that.
    pub launch: Option<Box<LaunchResult>>,
}

/// What few results have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RareOfResult {
    pub content_type: Symbol,
    pub denial_kind: Symbol,
    pub exit_code: Option<i64>,
    pub timed_out_after_ms: Option<i64>,
    pub background_task: Symbol,
    pub git_operation: Symbol,
    pub persisted_output_path: Symbol,
    pub persisted_output_bytes: Option<i64>,
    pub launched_agent: Symbol,
    pub resolved_model: Symbol,
    /// The path in a text that says where the output went (ruling 46): some where
    /// the text begins with the marker, none inside where no path follows.
    pub persisted_in_text: Option<Symbol>,
}

/// What a result has that has nothing rare.
const NOTHING_RARE: RareOfResult = RareOfResult {
    content_type: Symbol::NONE,
    denial_kind: Symbol::NONE,
    exit_code: None,
    timed_out_after_ms: None,
    background_task: Symbol::NONE,
    git_operation: Symbol::NONE,
    persisted_output_path: Symbol::NONE,
    persisted_output_bytes: None,
    launched_agent: Symbol::NONE,
    resolved_model: Symbol::NONE,
    persisted_in_text: None,
};

impl RareOfResult {
    /// Itself, in a place of its own if it says anything.
    pub fn kept(self) -> Option<Box<Self>> {
        (self != NOTHING_RARE).then(|| Box::new(self))
    }

    fn rename(&mut self, names: &Renaming) {
        let symbols = [
            &mut self.content_type,
            &mut self.denial_kind,
            &mut self.background_task,
            &mut self.git_operation,
            &mut self.persisted_output_path,
            &mut self.launched_agent,
            &mut self.resolved_model,
        ];
        for symbol in symbols.into_iter().chain(&mut self.persisted_in_text) {
            names.apply(symbol);
        }
    }
}

impl Call {
    /// Length of the input's JSON text, where it has one.
    pub fn input_bytes(&self) -> Option<i64> {
        self.input.0.get()
    }

    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols = [
            &mut self.agent,
            &mut self.id,
            &mut self.name,
            &mut self.message,
            &mut self.file_path,
            &mut self.command_name,
        ];
        for symbol in symbols {
            names.apply(symbol);
        }
        self.launch.iter_mut().for_each(|launch| launch.rename(names));
    }
}

impl ToolResult {
    /// What few results have.
    #[inline]
    pub fn rare(&self) -> &RareOfResult {
        self.rare.as_deref().unwrap_or(&NOTHING_RARE)
    }

    /// The same, to be changed.
    #[cfg(test)]
    pub(crate) fn rare_mut(&mut self) -> &mut RareOfResult {
        self.rare.get_or_insert_default()
    }

    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        names.apply(&mut self.id);
        names.apply(&mut self.status);
        self.rare.iter_mut().for_each(|rare| rare.rename(names));
        self.launch.iter_mut().for_each(|launch| launch.rename(names));
    }
}
