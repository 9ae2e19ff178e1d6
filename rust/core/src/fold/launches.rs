//! What calls and their results say of the agents and skills that they start.

use crate::facts::further::{LaunchInput, LaunchResult};
use crate::fold::Folder;
use crate::record::further::{CallInput, Launched};

impl Folder {
    /// What the input of a call says.
    pub(super) fn launch_input(&mut self, said: &CallInput<'_>) -> LaunchInput {
        LaunchInput {
            agent_type: self.intern(said.subagent_type),
            description: self.intern(said.description),
            model: self.intern(said.model),
            skill: self.intern(said.skill),
        }
    }

    /// What a result says.
    pub(super) fn launch_result(&mut self, said: &Launched<'_>) -> LaunchResult {
        LaunchResult {
            agent_type: self.intern(said.agent_type),
            worktree_branch: self.intern(said.worktree_branch),
            workflow_name: self.intern(said.workflow_name),
            run_id: self.intern(said.run_id),
            transcript_dir: self.intern(said.transcript_dir),
            is_async: said.is_async,
            total_tokens: said.total_tokens,
            tool_uses: said.total_tool_use_count,
            duration_ms: said.total_duration_ms,
        }
    }
}
