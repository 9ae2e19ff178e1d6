//! `agent-<id>.meta.json`

use super::{SideFile, owned};
use crate::decode::members::Members;
use crate::decode::scanner::{Scanner, Step};

/// What a meta file says of its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Meta {
    pub agent_type: Option<String>,
    pub description: Option<String>,
    pub model: Option<String>,
    pub tool_use_id: Option<String>,
    pub parent_agent_id: Option<String>,
    pub worktree_branch: Option<String>,
    pub spawn_depth: Option<i64>,
    pub is_fork: Option<bool>,
    pub stopped_by_user: Option<bool>,
    pub bad_values: u32,
}

impl SideFile for Meta {
    fn decode(scanner: &mut Scanner<'_>) -> Step<Self> {
        let start = scanner.at;
        let mut meta = Self::default();
        let mut members = Members::default();
        scanner.object(|scanner, key| {
            match &*key.text() {
                "agentType" => meta.agent_type = owned(members.string(scanner, 0)?),
                "description" => meta.description = owned(members.string(scanner, 1)?),
                "model" => meta.model = owned(members.string(scanner, 2)?),
                "toolUseId" => meta.tool_use_id = owned(members.string(scanner, 3)?),
                "parentAgentId" => meta.parent_agent_id = owned(members.string(scanner, 4)?),
                "worktreeBranch" => meta.worktree_branch = owned(members.string(scanner, 5)?),
                "spawnDepth" => meta.spawn_depth = members.integer(scanner, 6)?,
                "isFork" => meta.is_fork = members.boolean(scanner, 7)?,
                "stoppedByUser" => meta.stopped_by_user = members.boolean(scanner, 8)?,
                _ => scanner.skip()?,
            }
            Ok(())
        })?;
        meta.bad_values = members.flaws(u64::MAX, scanner.since(start), |_| None).bad_values;
        Ok(meta)
    }

    fn bad_values(&self) -> u32 {
        self.bad_values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Meta {
        Meta::decode(&mut Scanner::new(text, 0, text.len())).expect("an object")
    }

    #[test]
    fn every_key_is_read() {
        let some = |text: &str| Some(text.to_owned());
        let text = r#"{
            "agentType": "scout", "description": "caf\u00e9", "model": "m",
            "toolUseId": "toolu_1", "parentAgentId": "a2", "worktreeBranch": "",
            "spawnDepth": 2, "isFork": false, "stoppedByUser": true, "name": 5
        }"#;
        let expected = Meta {
            agent_type: some("scout"),
            description: some("café"),
            model: some("m"),
            tool_use_id: some("toolu_1"),
            parent_agent_id: some("a2"),
            worktree_branch: some(""),
            spawn_depth: Some(2),
            is_fork: Some(false),
            stopped_by_user: Some(true),
            bad_values: 0,
        };
        assert_eq!(read(text), expected);
    }

    #[test]
    fn wrong_types_are_null_and_counted_and_the_last_of_a_key_wins() {
        let text = r#"{"agentType":1,"spawnDepth":1.5,"isFork":"no","model":null,
            "toolUseId":[],"toolUseId":"t","description":"d","description":{}}"#;
        let meta = read(text);
        let expected = Meta { tool_use_id: Some("t".to_owned()), bad_values: 4, ..Meta::default() };
        assert_eq!(meta, expected);
    }
}
