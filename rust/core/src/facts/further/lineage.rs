//! Who started whom: what records, calls and results say of agents and workflows.

use crate::strings::{Renaming, Symbol};

/// A task notification (ruling 40).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Notification {
    pub sketch: u32,
    pub file: u32,
    pub task: Symbol,
    pub tool_use: Symbol,
    pub status: Symbol,
    pub total_tokens: Option<i64>,
    pub tool_uses: Option<i64>,
    pub duration_ms: Option<i64>,
}

/// A record of a subagent inside an `agent_progress` record.
#[derive(Clone, Debug, Default)]
pub struct InlineRecord {
    /// The outer record.
    pub sketch: u32,
    /// Its file.
    pub file: u32,
    /// `data.agentId`; an id.
    pub agent: Symbol,
    /// `parentToolUseID`
    pub parent_tool_use: Symbol,
    /// Its own timestamp, else the outer record's.
    pub timestamp: Option<i64>,
}

/// What the input of an `Agent` or `Task` call says of the agent, or that of a
/// `Skill` call of the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LaunchInput {
    pub agent_type: Symbol,
    pub description: Symbol,
    pub model: Symbol,
    pub skill: Symbol,
}

/// What `toolUseResult` says of an agent or workflow that the call started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LaunchResult {
    pub agent_type: Symbol,
    pub worktree_branch: Symbol,
    pub workflow_name: Symbol,
    pub run_id: Symbol,
    pub transcript_dir: Symbol,
    pub is_async: Option<bool>,
    pub total_tokens: Option<i64>,
    pub tool_uses: Option<i64>,
    pub duration_ms: Option<i64>,
}

impl LaunchInput {
    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols =
            [&mut self.agent_type, &mut self.description, &mut self.model, &mut self.skill];
        for symbol in symbols {
            names.apply(symbol);
        }
    }
}

impl LaunchResult {
    /// Renames every symbol.
    pub fn rename(&mut self, names: &Renaming) {
        let symbols = [
            &mut self.agent_type,
            &mut self.worktree_branch,
            &mut self.workflow_name,
            &mut self.run_id,
            &mut self.transcript_dir,
        ];
        for symbol in symbols {
            names.apply(symbol);
        }
    }
}
